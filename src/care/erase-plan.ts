import { randomUUID } from "node:crypto";
import { type BranchName, type Hash, idKey, isBlank, scopeKey, type Timestamp } from "../core/base/index.js";
import { ERASED, encodeObject, HEADS, type Note, type Operation, type Tip } from "../core/ledger/index.js";
import type { CommitInfo, Reader } from "../repo/index.js";
import { Draft, encodeOperation, NOTE, textDigest, useKey } from "../repo/index.js";
import { type Waiting, waitingFor } from "../review/index.js";
import { vectorSource } from "../search/index.js";
import type { Erasure, ObjectKind, RefMove, Storage, StoredObject, Transaction } from "../storage/index.js";
import type { Doomed } from "./erase-target.js";
import { CLEARED, describedAnew, type GoingWords, stayingAt, withDescriptions } from "./word-search.js";

/** An erasure as one transaction, judged on the refs as they are. */
export interface ErasePlan {
  readonly transaction: Transaction;
  /** The commits that forget it, by branch. */
  readonly commits: { readonly [branch: string]: Hash };
  /** Everything that callers wrote and that goes, to be searched for afterwards. */
  readonly texts: readonly string[];
  /** Those of them that the session knows of. */
  readonly notes: number;
  /** Does it take away an object, a note beside the truth, a ref, or what is said there of that? */
  takes(source: string, path: readonly string[]): boolean;
  /** Is there nothing that goes? */
  readonly isEmpty: boolean;
}

/** What need not be made again when a plan is made once more: digests are slow on purpose, and commits are many. */
export class EraseMaking {
  readonly #digests = new Map<string, Promise<string>>();
  readonly #named = new Map<Hash, Namer[]>();
  #seq = 0;

  digest(key: string, text: string): Promise<string> {
    const name = `${key}\n${text}`;
    const made = this.#digests.get(name) ?? textDigest(text);
    this.#digests.set(name, made);
    return made;
  }

  /** Every note, and the commits and operations that name it. */
  async notes(storage: Storage): Promise<ReadonlyMap<Hash, readonly Namer[]>> {
    for await (const { hash, kind, bytes, seq } of storage.scan({
      kinds: ["commit", "operation"],
      after: this.#seq,
      containing: [NAMED_NOTE],
    })) {
      const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
      this.#seq = seq;
      const at = content.indexOf(NAMED_NOTE);
      if (at < 0) continue;
      const note = content.toString(
        "latin1",
        at + NAMED_NOTE.length,
        at + NAMED_NOTE.length + HASH_LENGTH,
      ) as Hash;
      const namer: Namer = { kind, hash, meant: kind === "commit" ? [hash] : targetsIn(content.toString()) };
      const known = this.#named.get(note);
      if (known) known.push(namer);
      else this.#named.set(note, [namer]);
    }
    return this.#named;
  }
}

/** A commit or an operation of which a note says something, and the commits that it is about. */
export interface Namer {
  readonly kind: ObjectKind;
  readonly hash: Hash;
  readonly meant: readonly Hash[];
}

export async function planErase(
  reader: Reader,
  doomed: readonly Doomed[],
  info: CommitInfo,
  now: Timestamp,
  making: EraseMaking,
  going: GoingWords,
  sees: (namer: Namer) => Promise<boolean>,
): Promise<ErasePlan> {
  const { storage } = reader;
  const { epoch } = await reader.version();
  const keys = keysOf(doomed);
  const quoted = doomed.flatMap(textsOf);
  const waiting = await waitingFor(reader, new Set(keys.keys()), quoting(quoted), going.notes);
  const { notes, visible, said } = await notesOf(reader, keys, waiting, making, going, sees);
  const described = await describedAnew(reader, going);
  const texts = [...new Set([...quoted, ...said])];
  const put: StoredObject[] = [];
  const moves: RefMove[] = [];
  for (const object of await tombstonesOf(doomed, notes, info, now, making)) {
    put.push(object);
    moves.push({ name: ERASED + object.hash, expect: null, next: { target: object.hash } });
  }
  const heads: Transaction[] = [];
  const commits: Record<string, Hash> = {};
  for (const [name, { target }] of await storage.refs(HEADS)) {
    const forgotten = await forgetOn(reader, name.slice(HEADS.length) as BranchName, target, keys, now, info);
    if (forgotten) {
      commits[name.slice(HEADS.length)] = forgotten.tip.hash;
      heads.push(await forgotten.transaction(target, undefined, epoch));
    }
    // A head that holds nothing of it must not get it meanwhile.
    else
      heads.push({ put: [], refs: [{ name, expect: target, next: { target } }], touch: [], ops: [], epoch });
  }
  for (const { name, target } of waiting) moves.push({ name, expect: target, next: null });
  const erasure = await erasureOf(reader, doomed, notes, texts, going);
  const refs = withDescriptions(
    heads.flatMap((head) => head.refs),
    described,
  );
  const operation = encodeOperation(info, [...moves, ...stayingAt(refs, going)], now);
  put.push(operation);
  const gone = new Set<string>([...erasure.objects, ...erasure.notes, ...waiting.map(({ name }) => name)]);
  return {
    commits,
    texts,
    notes: visible,
    takes: (source, path) =>
      gone.has(source) || (going.described.has(source) && CLEARED.has(path.slice(1).join("."))),
    isEmpty: doomed.length + notes.length + going.pads.size + described.length + waiting.length === 0,
    transaction: {
      put: [...heads.flatMap((head) => head.put), ...put],
      refs: [...refs, ...moves],
      touch: heads.flatMap(({ touch }) => touch),
      ops: [...heads.flatMap(({ ops }) => ops), operation.hash],
      epoch,
      erase: erasure,
    },
  };
}

type Keys = ReadonlyMap<string, { readonly scope: Hash; readonly id: Hash; readonly any: Doomed }>;

function keysOf(doomed: readonly Doomed[]): Keys {
  const keys = new Map<string, { scope: Hash; id: Hash; any: Doomed }>();
  for (const any of doomed) {
    const [scope, id] = [scopeKey(any.record.scope), idKey(any.record.id)];
    keys.set(scope + id, { scope, id, any });
  }
  return keys;
}

/** One for each text that a memory had; the first also names what was said of its commits and went with it. */
async function tombstonesOf(
  doomed: readonly Doomed[],
  notes: readonly Hash[],
  { author }: CommitInfo,
  time: Timestamp,
  making: EraseMaking,
) {
  const graves = new Map<string, { scope: Hash; id: Hash; text: string; records: Hash[] }>();
  const [note] = notes;
  // Of words that no memory said: under a key that none can have, and a digest of nothing that was said.
  if (note && doomed.length === 0)
    graves.set(note, { scope: note, id: note, text: randomUUID(), records: [] });
  for (const { record, hash } of doomed) {
    const [scope, id] = [scopeKey(record.scope), idKey(record.id)];
    const name = `${scope}${id}${record.text}`;
    const grave = graves.get(name) ?? { scope, id, text: record.text, records: [] };
    graves.set(name, grave);
    grave.records.push(hash);
  }
  return Promise.all(
    [...graves.values()].map(async ({ scope, id, text, records }, at) =>
      encodeObject("tombstone", {
        v: 1,
        scope,
        id,
        records: [...records, ...(at === 0 ? notes : [])].sort(),
        textDigest: await making.digest(scope + id, text),
        time,
        author,
      }),
    ),
  );
}

/** A draft with one commit that forgets, undefined where there is nothing to forget. */
async function forgetOn(
  reader: Reader,
  branch: BranchName,
  head: Hash,
  keys: Keys,
  now: Timestamp,
  info: CommitInfo,
): Promise<Draft | undefined> {
  const draft = new Draft(reader, branch, await reader.tip(head), now);
  for (const { any } of keys.values()) {
    const entry = await draft.entry(any.record.scope, any.record.id);
    if (entry) draft.forget(entry);
  }
  const tip: Tip | undefined = await draft.seal(info);
  return tip && draft;
}

/**
 * What was said of the commits that touched these memories, unless other commits say the very same. Only commits that the
 * session sees are asked: a note that a hidden one shares would tell by its staying that there is one.
 */
async function notesOf(
  reader: Reader,
  keys: Keys,
  waiting: readonly Waiting[],
  making: EraseMaking,
  going: GoingWords,
  sees: (namer: Namer) => Promise<boolean>,
): Promise<{ readonly notes: Hash[]; readonly visible: number; readonly said: string[] }> {
  const { storage } = reader;
  const touched = new Set<Hash>(waiting.map(({ target }) => target));
  for (const { scope, id } of keys.values())
    for (const { commit } of await storage.touchOf(scope, id)) touched.add(commit);
  const isTouched = ({ meant }: Namer): boolean => meant.some((commit) => touched.has(commit));
  const notes: Hash[] = [];
  let visible = 0;
  for (const [note, namers] of await making.notes(storage)) {
    if (!going.notes.has(note) && !namers.some(isTouched)) continue;
    const seen: Namer[] = [];
    for (const namer of namers) if (await sees(namer)) seen.push(namer);
    if (!going.notes.has(note) && !(seen.length > 0 ? seen : namers).every(isTouched)) continue;
    notes.push(note);
    if (seen.length > 0) visible++;
  }
  return { notes, visible, said: [...(await reader.values("note", notes)).values()].flatMap(textsOfNote) };
}

/** Only names and hashes stand beside a note, so that nothing a caller wrote can look like one. */
const NAMED_NOTE = Buffer.from('"note":"');
const HASH_LENGTH = 64;

/** What refs were moved to; of one that was taken away, what it was. */
function targetsIn(operation: string): Hash[] {
  const { refs } = JSON.parse(operation) as Pick<Operation, "refs">;
  return refs.flatMap(({ after, before }) => after ?? before ?? []);
}

const textsOfNote = ({ message, why, reasons = [], meta }: Note): string[] => [
  ...(message === undefined ? [] : [message]),
  ...(why === undefined ? [] : [why]),
  ...reasons,
  ...stringsIn(meta),
];

/** Attributes shorter than this are words like DONE, that say nothing about anybody. */
const TELLING = 16;

function textsOf({ record }: Doomed): string[] {
  const { text, triple, attributes, origin } = record;
  const rest = [...Object.values(triple ?? {}), ...stringsIn(attributes), origin.evidence ?? ""];
  // Blanks are nobody's: what holds them too quotes nothing.
  return [text, ...rest.filter(({ length }) => length >= TELLING)].filter((one) => !isBlank(one));
}

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

/** Does a text in JSON say one of these? Very short ones mean nothing. */
function quoting(texts: readonly string[]): (json: string) => boolean {
  const quoted = texts.filter(({ length }) => length >= 8).map((text) => JSON.stringify(text).slice(1, -1));
  return (json) => quoted.some((text) => json.includes(text));
}

async function erasureOf(
  { storage }: Reader,
  doomed: readonly Doomed[],
  notes: readonly Hash[],
  texts: readonly string[],
  going: GoingWords,
): Promise<Erasure> {
  const isQuoted = quoting(texts);
  const pads = [...(await storage.sides(""))].filter(([, value]) => isQuoted(value) || texts.includes(value));
  const uses = doomed.map(({ record }) => useKey(record.scope, record.id));
  return {
    objects: [...doomed.map(({ hash }) => hash), ...notes],
    texts: [...new Set(doomed.map(({ record }) => vectorSource(record)))],
    notes: [...new Set([NOTE, ...uses, ...pads.map(([key]) => key), ...going.pads])],
  };
}
