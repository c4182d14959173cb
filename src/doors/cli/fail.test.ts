import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PalimpsestError } from "../../session/index.js";
import { failureLines, failureOf, usage } from "./fail.js";
import { paintWith } from "./line.js";

const lines = async (error: unknown, verbose = false) =>
  failureLines(await failureOf(error), error, paintWith(false), verbose).map(({ text }) => text);

it("C3 the exit code follows from the code of the error", async () => {
  const exit = async (error: unknown) => (await failureOf(error)).exit;
  expect(await exit(new PalimpsestError("NOT_FOUND", "x"))).toBe(1);
  expect(await exit(new PalimpsestError("INVALID_ID", "x"))).toBe(2);
  expect(await exit(new PalimpsestError("STORE_BUSY", "x"))).toBe(3);
  expect(await exit(usage("x", "y"))).toBe(2);
  expect(await exit(new TypeError("x is not a function"))).toBe(3);
});

it("C4 an error is two lines; -v adds what caused it, line by line, without a stack", async () => {
  const cause = new Error("disk\ngone", { cause: new TypeError("deep") });
  const error = new PalimpsestError("STORE_IO", "The file failed.", { cause });
  expect(await lines(error)).toEqual(["pal: The file failed.", `     ${error.hint}`]);
  expect((await lines(error, true)).slice(2)).toEqual([
    "  caused by Error: disk gone",
    "  caused by TypeError: deep",
  ]);
  const circular = new Error("a");
  circular.cause = circular;
  expect((await lines(circular, true)).length).toBeLessThan(20);
});

it("C4 what nobody foresaw has a code too, and hidden characters in a message are named", async () => {
  expect((await failureOf(new TypeError("oops"))).error).toMatchObject({ code: "UNEXPECTED" });
  expect((await failureOf("a string")).error.message).toMatch(/a string/);
  expect((await lines(usage("bad \u001b[2J", "hint")))[0]).toBe("pal: bad ⟨U+001B⟩[2J");
});

it("C782 where no more files can be opened, that is said, with what helps", async () => {
  for (const code of ["EMFILE", "ENFILE"]) {
    const failure = await failureOf(Object.assign(new Error(`${code}: too many open files`), { code }));
    expect(failure).toMatchObject({ exit: 3, error: { code: "STORE_UNREADABLE" } });
    expect(failure.error.hint).toContain("ulimit -n");
  }
});

it.skipIf(process.platform === "win32")(
  "C782 also where the code of the program itself cannot be read",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "pal-few-"));
    const said: string[] = [];
    for (let most = 16; most <= 40; most++) {
      const run = `ulimit -n ${most} && exec "$0" "$1" --store "$2" remember "Tea is in the kitchen"`;
      const main = join(import.meta.dirname, "../../../dist/doors/cli/main.js");
      const { stderr, status } = spawnSync(
        "/bin/sh",
        ["-c", run, process.execPath, main, join(folder, `${most}`)],
        {
          encoding: "utf8",
          env: { ...process.env, PAL_EMBEDDER: "none" },
        },
      );
      // With fewer still, the runtime itself does not start.
      if (status !== 0 && stderr.startsWith("pal:")) said.push(stderr);
    }
    rmSync(folder, { recursive: true, force: true });
    expect(said.length).toBeGreaterThan(0);
    expect(said.filter((text) => text.includes("mistake in Palimpsest"))).toEqual([]);
  },
  120_000,
);
