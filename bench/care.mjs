// Care: what erase, compact, backup, restore, rebuild and repair take, beside copying the file.
import { copyFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { openStore, repairStore } from "../dist/index.js";
import { fact } from "./_facts.mjs";
import { heading, ms, report, temporary, timed } from "./_measure.mjs";

const mb = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
const rate = (bytes, { wall }) => `${(bytes / 1e3 / wall).toFixed(0)} MB/s`;
/** Singles are written as agents write them, one commit each; so many at a time share a transaction. */
const AT_ONCE = 256;

export async function run({ sizes }) {
  for (const size of sizes.filter((size) => size <= 100_000)) await care(size, size === 100_000);
}

async function care(size, isGoal) {
  heading(`Care of ${size.toLocaleString("en")} memories, a commit each`);
  const place = temporary("care");
  const store = await openStore(join(place.directory, "store"), { embedder: "none" });
  const pal = store.session({ agent: "bench", trust: "user" });
  for (let at = 0; at < size; at += AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, size - at) }, (_, n) =>
        pal.remember({ ...fact(at + n), id: `m${at + n}`, type: "note" }),
      ),
    );
  await store.settle();

  const erased = await timed(() => pal.erase(`m${size >> 1}`));
  const { clean, bytes } = erased.value.receipt;
  report(
    "erase, with the search of all bytes",
    ms(erased.wall),
    isGoal ? "≤ 2000 ms" : "",
    isGoal ? erased.wall <= 2000 : undefined,
  );
  report("  CPU; bytes searched", `${ms(erased.cpu)}; ${mb(bytes)}`, "nothing is left", clean);

  const compacted = await timed(() => store.compact());
  const { before, after } = compacted.value;
  report(
    "compact: before, after",
    `${mb(before)}, ${mb(after)}`,
    `${Math.round(after / size)} bytes a commit`,
  );
  report("compact", ms(compacted.wall));

  const file = join(place.directory, "all.pal");
  const saved = await timed(() => store.backup(file));
  const copied = await timed(async () =>
    copyFileSync(join(place.directory, "store", "palimpsest.db"), join(place.directory, "copy.db")),
  );
  report(
    "backup",
    `${ms(saved.wall)}, ${rate(saved.value.bytes, saved)}`,
    `${mb(saved.value.bytes)}; copying ${mb(after)}: ${ms(copied.wall)}, ${rate(after, copied)}`,
  );
  const other = await openStore(join(place.directory, "restored"), { embedder: "none" });
  const restored = await timed(() => other.restore(file));
  const { root } = await store.verify();
  report(
    "restore, verified",
    `${ms(restored.wall)}, ${rate(statSync(file).size, restored)}`,
    "same root",
    restored.value.root === root,
  );
  await other.close();
  report("rebuild", ms((await timed(() => store.rebuild())).wall));
  await store.close();
  const repaired = await timed(() =>
    repairStore(join(place.directory, "store"), join(place.directory, "saved")),
  );
  report("repair of a whole store", ms(repaired.wall), "nothing lost", repaired.value.lost.length === 0);
  place.remove();
}
