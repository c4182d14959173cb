import { type Hash, idKey, type JsonObject, PalimpsestError, scopeKey } from "../../core/base/index.js";
import { stagingOf, stagingRef } from "../../core/ledger/index.js";
import { cleanJson, type Verdict } from "../../gate/index.js";
import {
  type Concern,
  concernOf,
  findStaged,
  parseKind,
  recordSteps,
  type StagedNote,
  sameWaiting,
  stagedId,
  type Transaction,
} from "../../memories/index.js";
import type { Context, Erased, Job } from "../../repo/index.js";
import {
  asideOf,
  draftLookup,
  findNamed,
  moveRefs,
  rehearse,
  tooManyWait,
  waitingMeta,
  waitingOf,
} from "../../repo/index.js";
import type { ProposeOptions } from "../options.js";
import type { AcceptedItem } from "./accept-review.js";
import { needsNobody } from "./accept-review.js";

export interface Proposed<T> {
  /** Under which it waits; undefined when there was nothing to propose. */
  readonly id: string | undefined;
  readonly commit: Hash | undefined;
  readonly value: T | undefined;
  /** What the gate says of each write; those it refuses are not part of the proposal. */
  readonly verdicts: readonly Verdict[];
  /** Present when a rule accepted it at once: see `autoAccept`. */
  readonly accepted?: AcceptedItem;
}

/**
 * Writes for a person to decide: `write` runs on a draft of the head, through the gate, and what it wrote becomes a
 * commit beside the branch. Nobody waits for it, and nothing of it is found before it is accepted.
 */
export async function propose<T>(
  context: Context,
  givenKind: string,
  write: ((tx: Transaction) => Promise<T> | T) | undefined,
  options: ProposeOptions = {},
): Promise<Proposed<T>> {
  const { engine } = context;
  const kind = parseKind(givenKind);
  const { author, branch, trust } = context;
  const includes: Context = { ...context, onQuarantine: "include" };
  const { epoch } = await engine.reader.version();
  const goneBefore = await engine.reader.erased();
  const rehearsed = await rehearse(includes, {
    verb: "propose",
    run: async (job) => (write ? recordSteps(job, write) : undefined),
  });
  const { draft, value: done } = rehearsed;
  const verdicts = done?.verdicts ?? [];
  const changes = draft.changes();
  const modes = context.rules.modes.message;
  const data = options.data && cleanJson(options.data, modes);
  const isNothing = changes.length === 0 && data === undefined;
  if (isNothing) return { id: undefined, commit: undefined, value: done?.value, verdicts };

  const id = (await sameWaiting(context, kind, changes)) ?? stagedId(kind, author, changes, data);
  const about = await concerns({ context, draft }, options.about ?? []);
  const note: StagedNote = {
    about: about.length > 0 || changes.length > 0 ? about : [{ scope: context.home }],
    ...(data && { data: data }),
    ...(options.cost && { cost: cleanJson(options.cost, modes) }),
  };
  const meta = { staged: { ...note, trust } as unknown as JsonObject };
  const aside = await asideOf(context, rehearsed, "propose", options.reason, meta);
  const name = stagingRef(branch, id);
  const commit = await moveRefs(context, "propose", async () => {
    const known = await engine.storage.ref(name);
    if (known) return { moves: [], value: known.target };
    if ((await engine.reader.version()).epoch !== epoch)
      assertNotErased(goneBefore, await engine.reader.erased(), [...aside.touch, ...about.flatMap(keyOf)]);
    const waiting = waitingOf(await engine.storage.refs(stagingOf(branch)), author.id);
    const full = tooManyWait(context, waiting, name);
    if (full) throw new PalimpsestError("REFUSED", full.reason, { hint: full.hint });
    const next = { target: aside.tip.hash, meta: waitingMeta(kind, context) };
    const { put, touch } = aside;
    return { moves: [{ name, expect: null, next }], put, touch, value: aside.tip.hash };
  });
  return { id, commit, value: done?.value, verdicts };
}

/** The same under the rules of the session's gate: what nobody has to look at is accepted at once. */
export async function proposeByRules<T>(
  context: Context,
  kind: string,
  write: ((tx: Transaction) => Promise<T> | T) | undefined,
  options: ProposeOptions = {},
): Promise<Proposed<T>> {
  const proposed = await propose(context, kind, write, options);
  const { id, verdicts } = proposed;
  const { autoAccept } = context.rules;
  if (id === undefined || autoAccept.length === 0) return proposed;
  if (!needsNobody(autoAccept, await findStaged(context, id), verdicts)) return proposed;
  const { acceptReview } = await import("./accept-review.js");
  return { ...proposed, accepted: await acceptReview(context, id) };
}

type Place = { readonly scope: Hash; readonly id: Hash };

const keyOf = ({ scope, id }: Concern): Place[] =>
  id === undefined ? [] : [{ scope: scopeKey(scope), id: idKey(id) }];

/** What was judged before an erasure must not bring back what went. */
function assertNotErased(before: Erased, now: Erased, places: readonly Place[]): void {
  if (places.some((place) => now.hasKey(place) && !before.hasKey(place)))
    throw new PalimpsestError("ERASED", "A memory it speaks of was erased meanwhile; nothing waits.");
}

async function concerns({ context, draft }: Job, ids: readonly string[]): Promise<Concern[]> {
  const found: Concern[] = [];
  for (const given of ids) {
    const key = await findNamed(context, draftLookup(draft), given);
    const entry = key && (await draft.entry(key.scope, key.id));
    found.push(entry ? concernOf(entry.record) : { scope: context.home });
  }
  return found;
}
