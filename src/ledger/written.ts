import { canonical } from "../base/index.js";
import type { Author, Changeset, Commit, LedgerEvent, Operation } from "./types.js";

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

export const changesetText = ({ events }: Changeset): string =>
  `{"events":[${events.map(eventText).join()}]}`;

export function commitText(commit: Commit): string {
  const { author, branch, changeset, generation, note, parents, root, time } = commit;
  const told = note === undefined ? "" : `"note":"${note}",`;
  const above = parents.map((hash) => `"${hash}"`).join();
  return `{"author":${authorText(author)},"branch":${canonical(branch)},"changeset":"${changeset}","generation":${generation},${told}"parents":[${above}],"root":"${root}","time":"${time}","v":1}`;
}

const moveText = ({ after, before, name }: Operation["refs"][number]): string =>
  `{${after === undefined ? "" : `"after":"${after}",`}${before === undefined ? "" : `"before":"${before}",`}"name":${canonical(name)}}`;

export function operationText(operation: Operation): string {
  const { author, note, refs, session, time, verb } = operation;
  const told = note === undefined ? "" : `"note":"${note}",`;
  const during = session === undefined ? "" : `"session":${canonical(session)},`;
  return `{"author":${authorText(author)},${told}"refs":[${refs.map(moveText).join()}],${during}"time":"${time}","v":1,"verb":${canonical(verb)}}`;
}
