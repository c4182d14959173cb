import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { CATALOG } from "../src/doors/cli/catalog.js";
import { removeCallFiles } from "./_calls.js";
import { Shell } from "./_cli.js";
import { type Argv, COMMAND_READS, COMMAND_WRITES } from "./_cli-calls.js";
import { difference, versionsIn, withoutTokens } from "./_told.js";
import { buildWorld, PRESENT, SIGHTS, type Sight } from "./_twins.js";

const TORTURE = process.env.PAL_TORTURE === "1";
const folder = mkdtempSync(join(tmpdir(), "pal-two-"));
afterEach(() => void vi.useRealTimers());
afterAll(() => {
  removeCallFiles();
  rmSync(folder, { recursive: true, force: true });
});

/** A world on disk, closed, and what its hidden things are called. */
async function worldIn(place: string, sight: Sight, isWhole: boolean) {
  const world = await buildWorld(sight, isWhole, place);
  const versions = await versionsIn(world);
  await world.store.close();
  return { place, versions, names: world.names };
}

const globals = ({ session }: Sight): Argv => [
  ...["--agent", "low", "--clearance", session.clearance ?? "normal", "--session", "low-1"],
  ...(session.scopes ? ["--scopes", session.scopes.join(",")] : []),
];

/** Ids that are made at a call are random here. */
const withoutIds = (text: string): string => {
  const met = new Map<string, string>();
  const plain = text.replace(/memory-[0-9a-f]{32}/g, "memory").replace(/"[0-9a-f]{7}(?=[ "\\])/g, '"#');
  return plain.replace(/\b(mem|snap|obs|doc)-[0-9a-f-]{32,36}\b/g, (id, kind) => {
    if (!met.has(id)) met.set(id, `${kind}-${met.size}`);
    return met.get(id) as string;
  });
};

/** What is one JSON value is compared as that. */
function asData(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

describe.each(SIGHTS.filter(({ name }) => TORTURE || name === "both"))(
  "somebody at the command line that $name hide things from",
  (sight) => {
    it("N753 is told by every command what it would be told if what is hidden were not there (B11, B12)", async () => {
      expect([...Object.keys(COMMAND_READS), ...Object.keys(COMMAND_WRITES)].sort()).toEqual(
        Object.keys(CATALOG).sort(),
      );
      const whole = await worldIn(join(folder, `${sight.name}-whole`), sight, true);
      const reduced = await worldIn(join(folder, `${sight.name}-reduced`), sight, false);
      // What both have is the same to both only where it is called the same.
      const names = new Map(
        [...whole.names].filter(([what, name]) => (reduced.names.get(what) ?? name) === name),
      );
      const known = new Set([...reduced.versions].filter((hash) => whole.versions.has(hash)));
      vi.useFakeTimers({ toFake: ["Date"], now: PRESENT });
      const shell = new Shell();
      const told = async (store: string, argv: Argv): Promise<unknown> => {
        const pal = shell.with({
          env: { PAL_HOME: store, PAL_EMBEDDER: "none" },
          stdin:
            argv[0] === "hook"
              ? JSON.stringify({ session_id: "low-1", cwd: shell.cwd })
              : "user: I like black coffee.",
        });
        const { code, out, err } = await pal(
          ...argv,
          ...globals(sight),
          ...(argv.includes("-o") || argv[0] === "hook" ? [] : ["--json"]),
        );
        return withoutTokens(
          [code, ...[out, err].map((text) => asData(withoutIds(text.replaceAll(store, "STORE"))))],
          known,
        );
      };
      const differ: string[] = [];
      const same = async (argv: Argv, [one, other]: readonly [string, string]) => {
        const [a, b] = [await told(one, argv), await told(other, argv)];
        if (JSON.stringify(a) === JSON.stringify(b)) return;
        differ.push(`${argv.join(" ")}: ${difference(a, b)}`);
      };
      for (const calls of Object.values(COMMAND_READS))
        for (const argv of calls(names)) await same(argv, [whole.place, reduced.place]);
      for (const calls of Object.values(COMMAND_WRITES)) {
        const argvs = calls(names);
        if (argvs.length === 0) continue;
        const copies = [join(folder, "one"), join(folder, "two")] as const;
        for (const [at, { place }] of [whole, reduced].entries())
          cpSync(place, copies[at]!, { recursive: true });
        for (const argv of argvs) await same(argv, copies);
        for (const copy of copies) rmSync(copy, { recursive: true, force: true });
      }
      shell.remove();
      expect(differ).toEqual([]);
    });
  },
);
