import { PalimpsestError, parseId, parseScope } from "../../core/base/index.js";
import { canonicalRecord, contentHash, laneOf, type MemoryRecord } from "../../core/ledger/index.js";
import type { Verdict } from "../../gate/index.js";
import { remember } from "../../memories/index.js";
import type { Job } from "../../repo/index.js";
import { asVerdict } from "../../repo/index.js";
import type { ImportedMemory } from "../import/item.js";

/** Through the gate, as what a file says. */
export async function judgeImported(
  job: Job,
  item: ImportedMemory,
  { scope, trusted }: { readonly scope?: string | undefined; readonly trusted?: boolean | undefined },
): Promise<Verdict> {
  const { context, draft } = job;
  const { tier, source: _, branch: __, where: ___, made, ...rest } = item;
  const place = item.scope ?? scope;
  const isBelief = laneOf(item.type ?? "fact") === "belief";
  return asVerdict(draft, async () => {
    const known = await draft.entry(place === undefined ? context.home : parseScope(place), parseId(item.id));
    if (known && laneOf(known.record.type) !== laneOf(item.type ?? "fact"))
      throw new PalimpsestError("INVALID_ID", `The id belongs to a memory of type "${known.record.type}".`);
    // What is there word for word needs no judgement, whoever wrote it.
    // When it was made is told by its commit, unless that was elsewhere.
    const isOwn = known && known.record.attributes?.at === undefined;
    const attributes = made && !isOwn ? { ...item.attributes, ...made } : item.attributes;
    const told = attributes ? { ...item, attributes } : item;
    if (known && context.sight.seesRecord(known.record) && saysTheSame(known.record, told))
      return { verdict: "duplicate", id: known.record.id, scope: known.record.scope, branch: draft.branch };
    const input = {
      ...rest,
      ...(attributes && { attributes }),
      ...(place !== undefined && { scope: place }),
      // Others give documents a tier too; here only beliefs have one.
      ...(tier && (trusted || tier !== "canon") && isBelief && { tier }),
      ...(!trusted && { source: "import" }),
    };
    return remember(job, input, "add", true);
  });
}

/** Does a memory say all that a file says of it? */
function saysTheSame(record: MemoryRecord, item: ImportedMemory): boolean {
  const { text, type = "fact", triple, attributes, category, tags, parent, topic, confidence } = item;
  // What is no list is for the gate to refuse.
  if (tags !== undefined && !Array.isArray(tags)) return false;
  const given = { text, type, triple, attributes, category, tags };
  const named = Object.entries(given).filter(([, value]) => value !== undefined);
  const told = canonicalRecord({ ...record, ...Object.fromEntries(named) } as MemoryRecord);
  return (
    contentHash(told) === contentHash(record) &&
    (parent === undefined || parent === record.parent) &&
    (topic === undefined || topic === record.topic) &&
    (confidence ?? 1) === (record.confidence ?? 1) &&
    (item.tier ?? "register") === (record.tier ?? "register") &&
    (item.sensitivity ?? "normal") === (record.sensitivity ?? "normal")
  );
}
