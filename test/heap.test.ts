import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStore } from "../src/session/index.js";
import { env, main } from "./_binary.js";
import { PATIENCE, TORTURE } from "./_processes.js";

/** With an object for each memory while the view is made, 20,000 need 48 MB and 100,000 need 160. */
const [COUNT, HEAP_MB] = TORTURE ? [100_000, 64] : [20_000, 36];
const WORDS = 20_000;

let cwd: string;
const store = () => join(cwd, "store");

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), "pal-heap-"));
  const written = await openStore(store(), { embedder: "none" });
  let state = 1;
  const word = (): string => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return `w${Math.floor(WORDS ** (state / 2 ** 32)).toString(36)}`;
  };
  // Notes are compared with nothing, so that writing them makes no view and leaves no image.
  await written.session({ agent: "ann" }).rememberMany(
    Array.from({ length: COUNT }, (_, at) => ({
      id: `note-${at}`,
      type: "note",
      text: `tea ${Array.from({ length: 30 }, word).join(" ")}`,
      tags: [`t${at % 50}`],
    })),
  );
  await written.close();
}, PATIENCE.timeout);
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const images = () => readdirSync(store()).filter((name) => name.endsWith(".img"));

describe("Q770 what answers with a part of the memories needs little of the heap, though no image is there", () => {
  it.each([
    ["list", ["list", "--limit", "3"], "tea "],
    ["search", ["search", "tea", "--limit", "3"], "tea "],
    ...(TORTURE
      ? [
          ["stats", ["stats"], "100,000"] as const,
          ["view", ["view"], "main at"] as const,
          ["recall", ["recall", "tea"], "tea "] as const,
          ["a part of an id", ["get", "ote-1234"], "tea"] as const,
          ["a belief", ["remember", "Ann likes tea"], "remembered"] as const,
        ]
      : []),
  ] as const)(
    "%s",
    (_, args, told) => {
      for (const image of images()) rmSync(join(store(), image));
      const { status, signal, stdout, stderr } = spawnSync(
        process.execPath,
        [`--max-old-space-size=${HEAP_MB}`, main, ...args],
        { env: env({ cwd, store: store() }), cwd, encoding: "utf8" },
      );
      expect({ status, signal }, stderr).toEqual({ status: 0, signal: null });
      expect(stdout).toContain(told);
      expect(images()).toHaveLength(1);
    },
    PATIENCE.timeout,
  );
});
