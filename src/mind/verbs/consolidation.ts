import { type MemoryId, parseScope, type Scope } from "../../core/base/index.js";
import type { MemoryRecord } from "../../core/ledger/index.js";
import { journalSignal, likeness, read, resemblance } from "../../gate/index.js";
import { facet, nearest, Scene, select } from "../../index/index.js";
import type { At, Given } from "../../repo/index.js";
import { giveWay, usesOf } from "../../repo/index.js";
import { FADED, importance } from "../importance.js";
import type { ConsolidationOptions, DELETIONS } from "../options.js";

/** Two beliefs of one scope that say nearly the same, to be looked at by somebody. */
export interface ConsolidationCandidate {
  readonly scope: Scope;
  /** In the order of their names. */
  readonly ids: readonly [MemoryId, MemoryId];
  readonly texts: readonly [string, string];
  readonly similarity: number;
}

export interface DeletionProposal {
  readonly id: MemoryId;
  readonly scope: Scope;
  readonly text: string;
  readonly reasons: readonly string[];
}

const FLOOR = 0.55;
/** Neighbours looked at for each belief. */
const NEAR = 4;
/** Beliefs looked at before others get a turn. */
const SLICE = 100;
const DOUBTFUL = 0.2;

type Found = MemoryRecord & { readonly hash: string; readonly updated: number };

/** Pairs of alike beliefs, most alike first. Each belief asks the index for its nearest; nothing compares all with all. */
export async function consolidationCandidates(
  at: At,
  options: ConsolidationOptions,
): Promise<ConsolidationCandidate[]> {
  const { context } = at;
  const { floor = FLOOR, limit = context.rules.maxItems } = options;
  const found = new Map<string, ConsolidationCandidate>();
  for await (const [one, others] of neighbours(at, options.scope))
    for (const other of others) {
      const [a, b] = one.id < other.id ? [one, other] : [other, one];
      const key = JSON.stringify([a.scope, a.id, b.id]);
      if (found.has(key)) continue;
      const similarity = resemblance(read(a.text), read(b.text));
      if (similarity >= floor)
        found.set(key, { scope: a.scope, ids: [a.id, b.id], texts: [a.text, b.text], similarity });
    }
  return [...found.values()].sort((a, b) => b.similarity - a.similarity).slice(0, limit);
}

/** Beliefs that could go, with what speaks for it. Nothing is deleted. */
export async function proposeDeletions(
  at: At,
  options: Given<typeof DELETIONS>,
): Promise<DeletionProposal[]> {
  const { context } = at;
  const { rules } = context;
  const proposals: DeletionProposal[] = [];
  for await (const [one, others] of neighbours(at, options.scope)) {
    const reasons: string[] = [];
    const signal = journalSignal(one.text);
    if (signal !== undefined) reasons.push(`It is a journal-only signal (${signal}).`);
    if (one.confidence !== undefined && one.confidence < DOUBTFUL)
      reasons.push(`It is held with a confidence of only ${one.confidence}.`);
    const twin = others.find(
      (other) => other.id < one.id && likeness(read(other.text), read(one.text), rules) !== undefined,
    );
    const weight = await weightOf(one, at);
    if (weight < FADED) reasons.push(`It has faded: importance ${weight}.`);
    if (twin && one.tier !== "canon") reasons.push(`The memory ${twin.id} already says nearly this.`);
    if (reasons.length > 0) proposals.push({ id: one.id, scope: one.scope, text: one.text, reasons });
    if (proposals.length >= (options.limit ?? rules.maxItems)) break;
  }
  return proposals;
}

/** How much a belief would be missed. Its uses are asked for only if it would fade without them. */
async function weightOf(one: Found, { context, now }: At): Promise<number> {
  const { confidence = 1, lifetime = "permanent", tier, topic, attributes } = one;
  const pinned = tier === "canon" || topic !== undefined || attributes?.pinned === true;
  const plain = { confidence, lifetime, pinned, age: Date.parse(now) - one.updated };
  const unused = importance({ ...plain, uses: 0 });
  if (unused >= FADED) return unused;
  const { count, last } = await usesOf(context.engine.storage, one.scope, one.id);
  const since = last === undefined ? plain.age : Math.min(plain.age, Date.parse(now) - Date.parse(last));
  return importance({ ...plain, uses: count, age: since });
}

/** Every belief the session sees, oldest first, with the nearest of its scope. */
async function* neighbours(at: At, scope: string | undefined): AsyncGenerator<[Found, readonly Found[]]> {
  const { reader, tip, now } = at;
  const { views, branch, sight } = at.context;
  const only = scope === undefined ? undefined : parseScope(scope);
  const time = Date.parse(now);
  const all = await views.use(branch, tip, (view) =>
    select(new Scene(view, sight, time, only), [facet.byLane("belief")]).map((doc) => {
      const { hash, updated } = view.doc(doc);
      return { hash, updated };
    }),
  );
  const updatedAt = new Map(all.map(({ hash, updated }) => [hash as string, updated]));
  for (let at = 0; at < all.length; at += SLICE) {
    const slice = await reader.values(
      "memory",
      all.slice(at, at + SLICE).map(({ hash }) => hash),
    );
    const near = await views.use(branch, tip, (view) =>
      [...slice].map(([hash, record]) => {
        const scene = new Scene(view, sight, time, record.scope);
        const hashes = nearest(scene, record.text, NEAR + 1).map(({ doc }) => view.doc(doc).hash);
        return [hash, hashes.filter((other) => other !== hash)] as const;
      }),
    );
    const records = await reader.values("memory", [...new Set(near.flatMap(([, hashes]) => hashes))]);
    for (const [hash, hashes] of near) {
      const others = hashes.flatMap((other) => {
        const record = records.get(other);
        return record ? [{ ...record, hash: other, updated: updatedAt.get(other) ?? time }] : [];
      });
      yield [{ ...(slice.get(hash) as MemoryRecord), hash, updated: updatedAt.get(hash) ?? time }, others];
    }
    const pause = giveWay();
    if (pause) await pause;
  }
}
