import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";

/** The built command, as users have it. */
const main = fileURLToPath(new URL("../dist/doors/cli/main.js", import.meta.url));
let home: string;
const env = () => ({ ...process.env, PAL_HOME: join(home, "store"), NO_COLOR: "1", FORCE_COLOR: "" });

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function ended(child: ChildProcess): Promise<Ended> {
  let [out, err] = ["", ""];
  child.stdout?.on("data", (part) => {
    out += part;
  });
  child.stderr?.on("data", (part) => {
    err += part;
  });
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, out, err })));
}
const start = (...args: string[]): ChildProcess =>
  spawn(process.execPath, [main, ...args], { env: env(), cwd: home });
const pal = (...args: string[]): Promise<Ended> => {
  const child = start(...args);
  child.stdin?.end();
  return ended(child);
};

beforeAll(async () => {
  expect(existsSync(main), "run `npm run build` first").toBe(true);
  home = mkdtempSync(join(tmpdir(), "pal-binary-"));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

it("C2 the built command keeps data on stdout, talk on stderr, and its exit codes", async () => {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  expect(await pal("--version")).toEqual({ code: 0, out: `${version}\n`, err: "" });
  expect(await pal("list", "--json")).toMatchObject({
    code: 1,
    out: expect.stringContaining("NO_STORE"),
    err: "",
  });
  const written = await pal("remember", "Likes tea", "--json");
  expect(written).toMatchObject({ code: 0, err: "" });
  expect(JSON.parse(written.out).verdict).toBe("accepted");
  expect(await pal("list")).toMatchObject({
    code: 0,
    out: expect.stringContaining("Likes tea"),
    err: "1 memory\n",
  });
  expect(await pal("nonsense")).toMatchObject({ code: 2, out: "" });
});

it("C2 chatter of a dependency does not reach stdout", async () => {
  const preload = `data:text/javascript,process.once("beforeExit", () => { console.log("chatter"); console.info("chatter") })`;
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ["--import", preload, main, "list", "--json"],
    { env: env() },
  );
  expect(() => JSON.parse(stdout)).not.toThrow();
  expect(stderr).toContain("chatter");
});

it("C261 embed makes the vectors of all memories of a branch; it exits 1 when some are left", async () => {
  const embed = (more: NodeJS.ProcessEnv) =>
    ended(
      spawn(process.execPath, [main, "embed", "--json"], {
        env: { ...env(), PAL_HOME: join(home, "embedded"), ...more },
        cwd: home,
        stdio: ["ignore", "pipe", "pipe"],
      }),
    );
  for (const text of ["Likes tea", "Plays chess on Sundays"])
    await pal("remember", text, "--store", join(home, "embedded"));
  const left = await embed({ PAL_EMBEDDER: "ollama", OLLAMA_HOST: "127.0.0.1:1" });
  expect([left.code, JSON.parse(left.out).error.code]).toEqual([1, "EMBEDDER_UNAVAILABLE"]);
  const done = await embed({ PAL_EMBEDDER: "minilm" });
  expect([done.code, JSON.parse(done.out)]).toMatchObject([0, { embedded: 2, waiting: 0, withheld: 0 }]);
}, 120_000);

it("C43 a reader that leaves (| head) ends it quietly with exit 0, and what was asked for is still done", async () => {
  const lines = Array.from({ length: 1200 }, (_, index) => `{"text":"Fact number ${index}"}`).join("\n");
  const child = start("remember", "--jsonl", "-", "--json");
  child.stdout?.destroy();
  child.stdin?.end(lines);
  expect(await ended(child)).toMatchObject({ code: 0, err: "" });
  expect(JSON.parse((await pal("stats", "--json")).out).memories).toBeGreaterThanOrEqual(1200);
  const { stdout, stderr } = await promisify(execFile)(
    "sh",
    [
      "-c",
      `"${process.execPath}" "${main}" list --json --quiet | head -c 10; "${process.execPath}" "${main}" list -v --quiet | head -n 1`,
    ],
    { env: env() },
  );
  expect(stdout).toMatch(/^\[\{/);
  expect(stderr).toBe("");
});

it("C40 Ctrl-C during a long import: exit 130, one JSON value, what is counted is stored", async () => {
  const child = start("-C", "interrupted", "remember", "--jsonl", "-", "--json");
  const done = ended(child);
  child.stdin?.on("error", () => {});
  child.stdin?.write(
    Array.from({ length: 1500 }, (_, index) => `{"text":"Fact number ${index}"}\n`).join(""),
  );
  await new Promise((resolve) => child.stdout?.once("data", resolve));
  child.kill("SIGINT");
  const { code, out } = await done;
  expect(code).toBe(130);
  expect(JSON.parse(out)).toMatchObject({ accepted: 1000, interrupted: true });
  expect(JSON.parse((await pal("-C", "interrupted", "stats", "--json")).out).memories).toBe(1000);
});

it.skipIf(!existsSync("/dev/full"))(
  "C43 output that cannot be written is an error, exit 3 (needs /dev/full)",
  async () => {
    const ran = promisify(execFile)("sh", ["-c", `"${process.execPath}" "${main}" --version > /dev/full`], {
      env: env(),
    });
    await expect(ran).rejects.toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^pal: Could not write the output: the disk is full\.\n$/),
    });
  },
);
