import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startPostgres } from "../../../test/_postgres.mjs";
import { postgresStorage } from "./index.js";

const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

/** A certificate that vouches for itself, for localhost. */
function certificate(home: string, name: string): void {
  const [key, cert] = [join(home, `${name}.key`), join(home, `${name}.pem`)];
  const args = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"];
  const names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  execFileSync("openssl", [...args, ...names, "-keyout", key, "-out", cert], { stdio: "pipe" });
}

it.skipIf(!hasOpenssl)(
  "PG11 TLS is asked for by the URL, and a server that cannot show who it is is refused",
  async () => {
    const port = await freePort();
    const server = await startPostgres({
      prepare(home, { uid, gid }) {
        for (const name of ["server", "other"]) certificate(home, name);
        const key = join(home, "server.key");
        chmodSync(key, 0o600);
        if (uid !== undefined && gid !== undefined) chownSync(key, uid, gid);
        writeFileSync(join(home, "hba.conf"), "local all all trust\nhostssl all all 127.0.0.1/32 trust\n");
        const files = {
          ssl_cert_file: join(home, "server.pem"),
          ssl_key_file: key,
          hba_file: join(home, "hba.conf"),
        };
        return { ssl: "on", ...files, listen_addresses: "127.0.0.1", port };
      },
    });
    onTestFinished(() => server.remove());
    const open = (query: string) => {
      const storage = postgresStorage(`postgres://postgres@127.0.0.1:${port}/postgres?${query}`);
      onTestFinished(() => storage.close());
      return storage;
    };
    const verified = (name: string) =>
      open(
        new URLSearchParams({
          sslmode: "verify-full",
          sslrootcert: join(server.home, `${name}.pem`),
        }).toString(),
      );
    const storage = verified("server");
    expect(await storage.transact({ put: [], refs: [], touch: [], ops: [], epoch: 0 })).toBe("ok");
    expect(await server.sql("SELECT count(*)::int AS count FROM pg_stat_ssl WHERE ssl")).toEqual([
      { count: 1 },
    ]);
    await expect(verified("other").version()).rejects.toMatchObject({ code: "STORE_UNREADABLE" });
    await expect(open("sslmode=disable").version()).rejects.toMatchObject({ code: "STORE_UNREADABLE" });
  },
);
