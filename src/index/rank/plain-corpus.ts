import { analyse, detectLanguage } from "../../language/index.js";
import { type Corpus, type Document, FIELD_WEIGHTS, type Postings } from "./corpus.js";
import { dayOf } from "./dates.js";
import { traitsOf } from "./features.js";

export interface PlainDocument {
  readonly text: string;
  readonly title?: string;
  readonly session?: string;
  readonly speaker?: string;
  readonly role?: Document["role"];
  /** Milliseconds since 1970. */
  readonly time?: number;
  readonly confidence?: number;
}

/** A collection in RAM, all of it visible, made once: for training, tests and what is small. */
export function plainCorpus(documents: readonly PlainDocument[]): Corpus {
  const index = new Map<string, { docs: number[]; counts: number[]; length: number }>();
  const lengths: number[] = [];
  const sessionNumbers = new Map<string, number>();
  const sessions: number[] = [];
  const sessionLengths: number[] = [];
  const lastOf: number[] = [];
  const days = new Map<number, number>();
  const languages = new Map<string, number>();
  const rows: (Document & { next: number })[] = [];

  documents.forEach((document, doc) => {
    const language = detectLanguage(document.text)?.code ?? "en";
    languages.set(language, (languages.get(language) ?? 0) + 1);
    const counts = new Map<string, number>();
    let length = 0;
    for (const field of ["text", "title", "speaker"] as const)
      for (const { term, stop } of analyse(document[field] ?? "", language)) {
        counts.set(term, (counts.get(term) ?? 0) + FIELD_WEIGHTS[field]);
        if (!stop) length++;
      }
    for (const [term, count] of counts) {
      const list = index.get(term) ?? { docs: [], counts: [], length: 0 };
      if (list.length === 0) index.set(term, list);
      list.docs.push(doc);
      list.counts.push(count);
      list.length++;
    }
    lengths.push(length);

    const name = document.session;
    const session = name === undefined ? -1 : (sessionNumbers.get(name) ?? sessionNumbers.size);
    if (name !== undefined) sessionNumbers.set(name, session);
    sessions.push(session);
    const previous = session < 0 ? -1 : (lastOf[session] ?? -1);
    if (previous >= 0) rows[previous]!.next = doc;
    if (session >= 0) {
      lastOf[session] = doc;
      sessionLengths[session] = (sessionLengths[session] ?? 0) + length;
      if (document.time !== undefined) days.set(session, dayOf(document.time));
    }
    rows.push({
      previous,
      next: -1,
      speaker: document.speaker ?? "",
      role: document.role ?? "other",
      day: document.time === undefined ? days.get(session) : dayOf(document.time),
      traits: traitsOf(document.text, language),
      confidence: document.confidence ?? 1,
    });
  });

  const none: readonly Postings[] = [];
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const roles = new Set(rows.map(({ role }) => role));
  return {
    size: documents.length,
    capacity: documents.length,
    averageLength: total / Math.max(1, documents.length),
    sessions: sessionNumbers.size,
    sessionCapacity: sessionNumbers.size,
    speakers: new Set(rows.map(({ speaker }) => speaker).filter((speaker) => speaker !== "")),
    hasRoles: roles.has("user") && roles.has("assistant"),
    languages: [...languages].filter(([, count]) => count * 20 >= documents.length).map(([code]) => code),
    postings: (term) => {
      const list = index.get(term);
      return list ? [list] : none;
    },
    frequencyOf: (term) => index.get(term)?.length ?? 0,
    lengthOf: (doc) => lengths[doc]!,
    sessionOf: (doc) => sessions[doc]!,
    sessionLengthOf: (session) => sessionLengths[session]!,
    compare: (a, b) => a - b,
    documentOf: (doc) => rows[doc]!,
  };
}
