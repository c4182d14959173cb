// A process that reads and swaps refs of one store and writes down when it asked and what it was told, until it is
// done or kills itself at its n-th transaction, before it or after it.
// Arguments: directory or URL, name, count, killAt (0 = never), when ("before" | "after"), seed
import { createHash } from "node:crypto";
import { writeSync } from "node:fs";
import { postgresStorage, sqliteStorage } from "../dist/index.js";

const [directory, name, count, killAt, when, seed] = process.argv.slice(2);
const storage = directory.includes("://") ? postgresStorage(directory) : sqliteStorage(directory);
const REFS = ["heads/a", "heads/b"];
/** One clock for all processes of the machine. */
const now = () => Number(process.hrtime.bigint() / 1000n);
const say = (row) => writeSync(1, `${JSON.stringify(row)}\n`);
let state = Number(seed) || 1;
const random = (below) => {
  state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
  return (state >>> 8) % below;
};
let swaps = 0;
for (let at = 0; at < Number(count); at++) {
  const ref = REFS[random(REFS.length)];
  const start = now();
  const value = (await storage.ref(ref))?.target ?? null;
  say({ ref, kind: "read", value, start, end: now(), result: "ok" });
  if (random(4) === 0) continue;
  const next = createHash("sha256").update(`${name} ${at}`).digest("hex");
  const isLast = ++swaps === Number(killAt);
  const asked = now();
  // Written down before it is asked: a killed process cannot say afterwards.
  say({ ref, kind: "swap", value: next, expect: value, start: asked, end: null, result: "unknown" });
  if (isLast && when === "before") process.kill(process.pid, "SIGKILL");
  const { epoch } = await storage.version();
  const result = await storage.transact({
    put: [],
    refs: [{ name: ref, expect: value, next: { target: next } }],
    touch: [],
    ops: [],
    epoch,
  });
  if (isLast) process.kill(process.pid, "SIGKILL");
  say({ ref, kind: "swap", value: next, expect: value, start: asked, end: now(), result });
}
await storage.close();
