import { canonical, canonicalText, type Hash, hashCanonical, type Json, parseFrozen } from "../base/index.js";
import type {
  Author,
  Changeset,
  Commit,
  LedgerEvent,
  MemoryRecord,
  Note,
  Operation,
  Origin,
  Tombstone,
} from "./types.js";

/*
 * Canonical JSON of the objects that every write makes, spelled out: their fields and the order of them are known, and
 * looking at each key and value again at every commit costs more than all else that is done to write it. Hashes and
 * times need no escapes; names do.
 */
const texts = new WeakMap<Author, string>();

/** The author of a session is one object for all its writes. */
function authorText(author: Author): string {
  const known = texts.get(author);
  if (known !== undefined) return known;
  const text = canonical(author);
  texts.set(author, text);
  return text;
}

const eventText = ({ after, before, id, op, scope }: LedgerEvent): string => {
  const hashes =
    (after === undefined ? "" : `"after":"${after}",`) +
    (before === undefined ? "" : `"before":"${before}",`);
  return `{${hashes}"id":"${id}","op":"${op}","scope":"${scope}"}`;
};

const changesetText = ({ events }: Changeset): string => `{"events":[${events.map(eventText).join()}]}`;

function commitText(commit: Commit): string {
  const { author, branch, changeset, generation, note, parents, root, time } = commit;
  const noted = note === undefined ? "" : `"note":"${note}",`;
  const above = parents.map((hash) => `"${hash}"`).join();
  return `{"author":${authorText(author)},"branch":${canonicalText(branch)},"changeset":"${changeset}","generation":${generation},${noted}"parents":[${above}],"root":"${root}","time":"${time}","v":1}`;
}

const moveText = ({ after, before, name }: Operation["refs"][number]): string =>
  `{${after === undefined ? "" : `"after":"${after}",`}${before === undefined ? "" : `"before":"${before}",`}"name":${canonicalText(name)}}`;

function operationText(operation: Operation): string {
  const { author, note, refs, session, time, verb } = operation;
  const noted = note === undefined ? "" : `"note":"${note}",`;
  const during = session === undefined ? "" : `"session":${canonicalText(session)},`;
  return `{"author":${authorText(author)},${noted}"refs":[${refs.map(moveText).join()}],${during}"time":"${time}","v":1,"verb":${canonicalText(verb)}}`;
}

/** Of a record in its one form. Whatever else it might hold, no field is left out: then it is written the long way. */
function memoryText(record: MemoryRecord): string {
  const { id, origin, scope, text, type } = record;
  if ([id, scope, text, type].some((value) => typeof value !== "string") || !origin) return canonical(record);
  let fields = 5;
  let out = "{";
  const put = (name: string, value: Json | undefined): void => {
    if (value === undefined) return;
    fields++;
    out += `"${name}":${typeof value === "string" ? canonicalText(value) : canonical(value)},`;
  };
  put("attributes", record.attributes);
  put("category", record.category);
  put("confidence", record.confidence);
  put("contested", record.contested as Json | undefined);
  put("expiresAt", record.expiresAt);
  out += `"id":${canonicalText(id)},`;
  put("lifetime", record.lifetime);
  out += `"origin":${originText(origin)},`;
  put("parent", record.parent);
  put("position", record.position);
  put("salt", record.salt);
  out += `"scope":${canonicalText(scope)},`;
  put("sensitivity", record.sensitivity);
  put("session", record.session);
  put("tags", record.tags);
  out += `"text":${canonicalText(text)},`;
  put("tier", record.tier);
  put("topic", record.topic);
  put("triple", record.triple as Json | undefined);
  out += `"type":${canonicalText(type)}`;
  if (record.valid !== undefined) {
    fields++;
    out += `,"valid":${canonical(record.valid)}`;
  }
  return fields === Object.keys(record).length ? `${out}}` : canonical(record);
}

function originText(origin: Origin): string {
  const { actor, channel, source, trust } = origin;
  if (Object.keys(origin).length !== (actor === undefined ? 3 : 4)) return canonical(origin);
  const by = actor === undefined ? "" : `"actor":${canonicalText(actor)},`;
  return `{${by}"channel":${canonicalText(channel)},"source":${canonicalText(source)},"trust":${canonicalText(trust)}}`;
}

/** The JSON objects of the ledger by kind. Nodes are binary and belong to `merkle`. */
export interface Kinds {
  memory: MemoryRecord;
  changeset: Changeset;
  commit: Commit;
  note: Note;
  operation: Operation;
  tombstone: Tombstone;
}

export interface Encoded<K extends keyof Kinds = keyof Kinds> {
  readonly kind: K;
  readonly hash: Hash;
  readonly bytes: Uint8Array;
  /** The same as text. */
  readonly text: string;
}

const WRITTEN: { readonly [K in keyof Kinds]?: (value: Kinds[K]) => string } = {
  changeset: changesetText,
  commit: commitText,
  memory: memoryText,
  operation: operationText,
};

/** The value as stored: canonical JSON in UTF-8 under the hash of its kind. */
export function encodeObject<K extends keyof Kinds>(kind: K, value: Kinds[K]): Encoded<K> {
  const text = WRITTEN[kind]?.(value) ?? canonical(value);
  return new Written(kind, hashCanonical(kind, text), text);
}

/** Many are asked for their hash only, and a store may write the text where it is to lie. */
class Written<K extends keyof Kinds> implements Encoded<K> {
  readonly kind: K;
  readonly hash: Hash;
  readonly text: string;
  #bytes: Uint8Array | undefined;

  constructor(kind: K, hash: Hash, text: string) {
    this.kind = kind;
    this.hash = hash;
    this.text = text;
  }

  get bytes(): Uint8Array {
    this.#bytes ??= Buffer.from(this.text);
    return this.#bytes;
  }
}

/** Reads stored bytes back as a frozen value. The caller that fetched them has checked their hash. */
export const decodeObject = <K extends keyof Kinds>(_kind: K, bytes: Uint8Array): Kinds[K] =>
  parseFrozen(textOf(bytes)) as Kinds[K];

/** The same for somebody who shares it with nobody: freezing takes as long as parsing. */
export const parseObject = <K extends keyof Kinds>(_kind: K, bytes: Uint8Array): Kinds[K] =>
  JSON.parse(textOf(bytes));

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8");
