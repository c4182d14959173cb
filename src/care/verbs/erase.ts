import { type Hash, idKey, type MemoryId, type Scope, scopeKey, timestamp } from "../../core/base/index.js";
import { decodeObject } from "../../core/ledger/index.js";
import type { CommitInfo, Context, Engine } from "../../repo/index.js";
import {
  asked as askedOf,
  changesVisibly,
  eraseBytes,
  fateOfId,
  findHolder,
  goneBefore,
  headLookup,
  removeImages,
  rowSight,
} from "../../repo/index.js";
import type { Transaction } from "../../storage/index.js";
import { EraseMaking, type ErasePlan, planErase } from "../erase-plan.js";
import { type Doomed, EraseSearch, type FoundBy, nameOf } from "../erase-target.js";
import type { EraseOptions } from "../options.js";
import type { ErasureReceipt, WordPlace } from "../receipt.js";
import {
  type Found,
  type GoingWords,
  goingWords,
  NO_WORDS,
  placesIn,
  Sighted,
  WordSearch,
  wordOf,
  wordsOf,
} from "../word-search.js";

export interface ErasedMemory {
  readonly scope: Scope;
  readonly id: MemoryId;
  readonly versions: number;
  /** Found by its whole id, its topic, a part of its id, what it says, or what it was made from. */
  readonly by: FoundBy;
  /** Another place of one that is listed without this: it moved between them, and they are one memory. */
  readonly moved?: true;
  /** The first words of what it said last, while it still does: who erases has to know what. */
  readonly begins?: string;
}

export interface EraseReport {
  readonly memories: readonly ErasedMemory[];
  /** Records, in all versions. */
  readonly records: number;
  /** What was said of the commits that touched them; by a text also what says it of any other commit or operation. */
  readonly notes: number;
  /** Scratchpads, and branches and snapshots of which something was said: what they said of the words that were asked. */
  readonly cleared: readonly string[];
  /** The commits that forget them, by branch. */
  readonly commits: { readonly [branch: string]: Hash };
  /** Records without a salt: their hashes stay in the chain, and somebody who knows the text can find out that it was there. */
  readonly guessable: number;
  /** Under which it waits for somebody who may erase: then nothing was erased yet. */
  readonly staged?: string;
  /** Absent in a dry run, and while it waits. */
  readonly receipt?: ErasureReceipt;
  /** Where the words that were asked would stand after it; when it is done, the receipt tells. */
  readonly standing?: readonly WordPlace[];
}

/**
 * The bytes go, everywhere: one transaction, then the medium is searched for what is left. Whether the session may do that
 * is asked before (see `erase-request.ts`).
 */
export async function erase(
  context: Context,
  options: EraseOptions,
  {
    isRequest = false,
    byPart = options.dryRun === true,
  }: { readonly isRequest?: boolean; readonly byPart?: boolean } = {},
): Promise<EraseReport> {
  const { engine } = context;
  const { reader } = engine;
  const state = async () => headLookup(reader, await engine.head(context.branch));
  const holders = new Map<string, ReturnType<typeof findHolder>>();
  const ask = async (idOrTopic: string) => askedOf(context, await state(), idOrTopic, options.scope);
  const search = new EraseSearch(engine.storage, context, options, {
    byPart,
    holder: (topic) => {
      const held = holders.get(topic) ?? state().then((at) => findHolder(context, at, topic, options.scope));
      holders.set(topic, held);
      return held;
    },
    fateOfId: async (idOrTopic) => fateOfId(await ask(idOrTopic)),
    goneBefore: async (idOrTopic, found) =>
      goneBefore(context, await state(), idOrTopic, options.scope, found),
    isLive: async ({ scope, id }) => (await (await state()).record(scope, id)) !== undefined,
  });
  const making = new EraseMaking();
  const sighted = new Sighted(reader, context);
  const { containing } = options;
  let asked = new WordSearch(reader, context, wordsOf(containing, []));
  const planFor = async (doomed: readonly Doomed[], info: CommitInfo): Promise<Done> => {
    const words = wordsOf(containing, []);
    // A request names memories and no words, so nothing else goes when it is accepted.
    const isAlone = isRequest || containing === undefined;
    const going = isAlone ? NO_WORDS : goingWords(await asked.find(), words);
    const now = timestamp(engine.clock());
    const sees = (namer: Parameters<Sighted["namer"]>[0]) => sighted.namer(namer);
    const plan = await planErase(reader, doomed, info, now, making, going, sees);
    return { doomed, plan, going, transaction: plan.transaction };
  };
  const done: Done[] = [];
  const take = async (find: () => Promise<Doomed[]>) => {
    const taken = await eraseBytes(
      context,
      "erase",
      async (info) => {
        const doomed = await find();
        if (doomed.length === 0 && containing === undefined) return undefined;
        const planned = await planFor(doomed, info);
        return planned.plan.isEmpty && !options.dryRun ? undefined : planned;
      },
      options.dryRun,
    );
    if (taken) done.push(taken);
    asked = new WordSearch(engine.reader, context, wordsOf(containing, []));
  };
  await take(() => search.find());
  if (options.dryRun) {
    const standing = placesIn(await leftAfter(context, containing, done));
    return withBeginnings(engine, { ...reportOf(done), standing }, done);
  }
  if (done.length === 0 && containing === undefined) return reportOf(done);
  const { named, ...receipt } = await cleanUp(context, done, containing);
  if (!named) return { ...reportOf(done), receipt };
  const before = done.length;
  await take(() => search.findLost());
  if (done.length === before) return { ...reportOf(done), receipt };
  const { named: _, ...last } = await cleanUp(context, done, containing);
  return { ...reportOf(done), receipt: last };
}

/** What would say the words after a plan was carried out, that itself included. */
async function leftAfter(
  context: Context,
  containing: string | undefined,
  done: readonly Done[],
): Promise<Found[]> {
  const { reader } = context.engine;
  const words = wordsOf(
    containing,
    done.flatMap(({ doomed }) => doomed),
  );
  const coming = done.flatMap(({ plan }) => (plan.isEmpty ? [] : plan.transaction.put));
  const { seen } = await new WordSearch(reader, context, words).find(coming);
  return seen.filter(({ source, path }) => !done.some(({ plan }) => plan.takes(source, path)));
}

interface Done {
  readonly doomed: readonly Doomed[];
  readonly plan: ErasePlan;
  readonly going: GoingWords;
  readonly transaction: Transaction;
}

/** Until nothing is found, or nothing more can be done now. */
async function cleanUp(context: Context, done: readonly Done[], containing: string | undefined) {
  const { storage, reader } = context.engine;
  const { searchErased } = await import("../receipt.js");
  const doomed = done.flatMap((one) => one.doomed);
  const texts = done.flatMap(({ plan }) => plan.texts);
  const ids = new Set(doomed.map(({ record }) => record.id));
  const words = wordsOf(containing, doomed);
  await reader.version();
  if (done.length > 0) await removeImages(storage);
  await storage.scrub();
  const search = async () => {
    const { seen } = await new WordSearch(reader, context, words).find();
    const standing = [...seen];
    const said = async (found: readonly string[]) => {
      const more = await new WordSearch(reader, context, found.map(wordOf)).find();
      standing.push(...more.seen);
      return more.said;
    };
    const asked = containing === undefined ? [] : [containing];
    const { isWhole } = context.sight;
    const receipt = await searchErased(storage, { texts, words: asked, ids, said, beside: isWhole });
    const places = placesIn(standing);
    const elsewhere = await seenOf(context, receipt.elsewhere);
    const clean = receipt.clean && places.length === 0;
    return { ...receipt, clean, elsewhere, standing: places, isWhole };
  };
  const receipt = await search();
  // What was kept from before an upgrade is not written anew; the receipt says that it is there.
  if (receipt.left.length === receipt.old.length) return receipt;
  // Copies that were left behind when neighbours were moved: only writing everything anew is sure to end them.
  await storage.compact();
  await storage.scrub();
  return search();
}

/** Of what says the same: a session that may not see it does not hear that it does. */
async function seenOf(context: Context, hashes: readonly Hash[]): Promise<Hash[]> {
  const { reader } = context.engine;
  const records = await reader.values("memory", hashes);
  const notes = hashes.filter((hash) => !records.has(hash));
  const seen = new Set<Hash>();
  if (notes.length > 0) {
    const visible = rowSight(context);
    for await (const { hash, bytes } of reader.storage.scan({ kinds: ["commit"] })) {
      const { note } = decodeObject("commit", bytes);
      if (note !== undefined && notes.includes(note) && (await changesVisibly(reader, hash, visible)))
        seen.add(note);
    }
  }
  return hashes.filter((hash) => {
    const record = records.get(hash);
    return record ? context.sight.seesRecord(record) : seen.has(hash);
  });
}

function reportOf(done: readonly Done[]): EraseReport {
  const doomed = done.flatMap((one) => one.doomed);
  const memories = new Map<string, ErasedMemory>();
  for (const { record, by } of doomed) {
    const { scope, id } = record;
    const known = memories.get(nameOf(record)) ?? { scope, id, versions: 0, by };
    memories.set(nameOf(record), { ...known, versions: known.versions + 1 });
  }
  const firsts = firstPlaces(doomed);
  return {
    memories: [...memories].map(([name, memory]) =>
      firsts.has(name) ? memory : { ...memory, moved: true as const },
    ),
    records: doomed.length,
    notes: done.reduce((sum, { plan }) => sum + plan.notes, 0),
    cleared: [...new Set(done.flatMap(({ going }) => [...going.pads, ...going.described]))].sort(),
    commits: Object.assign({}, ...done.map(({ plan }) => plan.commits)),
    guessable: doomed.filter(({ record }) => record.salt === undefined).length,
  };
}

/** One place of each memory, in however many it was. */
function firstPlaces(doomed: readonly Doomed[]): ReadonlySet<string> {
  const before = new Map<string, string | undefined>();
  for (const { record } of doomed) before.set(nameOf(record), undefined);
  const firstOf = (name: string): string => {
    const next = before.get(name);
    return next === undefined ? name : firstOf(next);
  };
  for (const { record } of doomed) {
    const from = record.origin.movedFrom && nameOf({ scope: record.origin.movedFrom, id: record.id });
    if (from === undefined || !before.has(from)) continue;
    const [here, there] = [firstOf(nameOf(record)), firstOf(from)];
    if (here !== there) before.set(here, there);
  }
  return new Set([...before].flatMap(([name, next]) => (next === undefined ? [name] : [])));
}

const BEGINNING = 80;

async function withBeginnings(
  { storage }: Engine,
  report: EraseReport,
  done: readonly Done[],
): Promise<EraseReport> {
  const texts = new Map(done.flatMap((one) => one.doomed.map(({ hash, record }) => [hash, record.text])));
  const memories = report.memories.map(async (memory) => {
    const rows = await storage.touchOf(scopeKey(memory.scope), idKey(memory.id));
    const lastText = rows.flatMap(({ record }) => texts.get(record as Hash) ?? []).at(-1);
    return lastText === undefined ? memory : { ...memory, begins: beginningOf(lastText) };
  });
  return { ...report, memories: await Promise.all(memories) };
}

const beginningOf = (text: string): string =>
  text.length > BEGINNING ? `${text.slice(0, BEGINNING - 1).toWellFormed()}…` : text;
