import { type Hash, type MemoryId, type Scope, type Timestamp, timestamp } from "../core/base/index.js";
import type { Author, MemoryRecord } from "../core/ledger/index.js";
import { likeness, type Rules, read, resemblance, tellsOtherThing } from "../gate/index.js";
import {
  type Doc,
  type Hit,
  type Nearness,
  type Reason,
  type SceneCorpus,
  search,
  type View,
  type Wanted,
} from "../index/index.js";
import {
  analyse,
  detectLanguage,
  holdsPhrase,
  type Query,
  queryTokens,
  toldNames,
} from "../language/index.js";
import { answer } from "../repo/index.js";

/**
 * All that a ranking asks for. The view holds no texts, and it stands still only while one synchronous function runs on it:
 * numbers of its documents mean nothing afterwards, so that hashes go out and come in.
 */
export interface RankingPort {
  /** Runs a function on the view of the commit that is searched; twice when it met a damaged part of an image. */
  look<T>(run: (view: View) => T): Promise<T>;
  /** What a question is compared with in a view, at once. */
  ground(view: View): Ground;
  /** The records of documents. One that cannot be read is absent. */
  records(hashes: readonly Hash[]): Promise<ReadonlyMap<Hash, MemoryRecord>>;
  /** Called with a document that was found and cannot be read. */
  missed(hash: Hash): Promise<unknown>;
  /** The cosine of another wording with the nearest of some documents; there is none where words alone count. */
  nearestOf?(wording: string, hashes: readonly Hash[]): Promise<number>;
}

/** What the caller sees of a view, what fits the filters, and what vectors know of the question. */
export interface Ground {
  readonly corpus: SceneCorpus;
  readonly facets: readonly Wanted[];
  readonly nearness?: Nearness | undefined;
}

export interface Question {
  readonly query: Query;
  readonly limit: number;
  readonly minScore: number;
  readonly usePriors: boolean;
  /** 0 to 1: how much what the others do not tell counts. */
  readonly diversity: number;
  readonly byMeaning: boolean;
  /** By which two texts are the same in other words. */
  readonly rules: Rules;
}

export interface Answer {
  /** Best first; what only repeats a better one comes after all others. */
  readonly hits: readonly SearchHit[];
  readonly answerable: number;
  readonly abstain: boolean;
}

/** A few more than asked for, should one be unreadable. */
export const UNREADABLE = 3;
/** From this cosine on, memory says in other words what is asked of a name. */
const SAME_MATTER = 0.3;

/**
 * From a question to its hits. What the view finds by itself says which texts are worth reading; these show names that the
 * question writes small, and lead to what shares no word with it.
 */
export async function answerTo(question: Question, port: RankingPort): Promise<Answer> {
  const plain = await rank(port, question, question.query);
  const query = await withNames(port, question, plain);
  const first = query === question.query ? plain : await rank(port, question, query);
  const straight = (await tellsTheSameMatter(port, first)) ? await rank(port, question, query, true) : first;
  const best = await followLeads(port, question, straight);
  const { judged, ranked, languages } = best;
  const terms = new Set(queryTokens(query.text, languages).map(({ term }) => term));
  const hits = await chooseHits(port, question, ranked, terms);
  return { hits, ...judged, ...(hits.length === 0 && { answerable: 0, abstain: true }) };
}

/** A document as the ranker knows it, and what the view knows of it. */
interface Ranked extends Hit {
  readonly found: Doc;
  readonly similarity: number | undefined;
}

/** What one look at the view found; hashes and copies, good after the view has moved on. */
interface Ranking {
  readonly ranked: readonly Ranked[];
  readonly judged: { readonly answerable: number; readonly abstain: boolean };
  /** Documents whose texts lead further. */
  readonly leads: readonly Hash[];
  /** What the question asks of a name of which memory says other things. */
  readonly another: { readonly asked: string; readonly hashes: readonly Hash[] } | undefined;
  readonly languages: readonly string[];
  readonly sight: Sight;
}

/** One ranking of a view, which can be gone on with as long as the view has not changed. */
interface Sight extends Ground {
  readonly view: View;
  readonly version: number;
  readonly query: Query;
  readonly isSameMatter: boolean;
  readonly found: ReturnType<typeof search>;
}

const rank = (port: RankingPort, question: Question, query: Query, isSameMatter = false): Promise<Ranking> =>
  port.look((view) => {
    const sight = sightOf(view, port.ground(view), question, query, isSameMatter);
    return rankingOf(sight, sight.found.hits, question);
  });

/** The ranking again, now that the texts of its leads are read. */
async function followLeads(port: RankingPort, question: Question, before: Ranking): Promise<Ranking> {
  const { leads, sight } = before;
  if (leads.length === 0) return before;
  const records = await port.records(leads);
  return port.look((view) => {
    const isSame = sight.view === view && sight.version === view.version;
    const now = isSame ? sight : sightOf(view, port.ground(view), question, sight.query, sight.isSameMatter);
    const hits = now.found.follow((doc) => records.get(view.hashOf(doc))?.text);
    return rankingOf(now, hits, question);
  });
}

function sightOf(
  view: View,
  ground: Ground,
  { limit, usePriors, byMeaning }: Question,
  query: Query,
  isSameMatter: boolean,
): Sight {
  const { corpus, facets, nearness } = ground;
  const found = search(corpus, query, {
    limit: limit + UNREADABLE,
    facets,
    usePriors,
    isSameMatter,
    ...(nearness && { nearness, byMeaning }),
  });
  return { ...ground, view, version: view.version, query, isSameMatter, found };
}

function rankingOf(sight: Sight, hits: readonly Hit[], { minScore }: Question): Ranking {
  const { view, corpus, nearness, found } = sight;
  const { leads, another, answerable, abstain } = found;
  return {
    ranked: hits
      .filter(({ score }) => score >= minScore)
      .map((hit) => ({ ...hit, similarity: nearness?.near(hit.doc), found: view.doc(hit.doc) })),
    judged: { answerable, abstain },
    leads: leads.map((doc) => view.hashOf(doc)),
    another: another && { asked: another.asked, hashes: another.docs.map((doc) => view.hashOf(doc)) },
    languages: corpus.languages,
    sight,
  };
}

/** The question with the names in it that facts show, where its own capitals do not. */
async function withNames(port: RankingPort, { query, limit }: Question, plain: Ranking): Promise<Query> {
  if (plain.judged.abstain || showsNames(query.text)) return query;
  const facts = plain.ranked.filter(({ found }) => found.session === undefined).slice(0, limit);
  if (facts.length === 0) return query;
  const records = await port.records(facts.map(({ found }) => found.hash));
  const names = toldNames(
    query.text,
    [...records.values()].map(({ text }) => text),
  );
  return names.length === 0 ? query : { ...query, names };
}

/** A question with capitals in it has written its names large; German does so with every noun. */
const showsNames = (question: string): boolean =>
  /\s\p{Lu}/u.test(question) && detectLanguage(question)?.code !== "de";

/** Words find other things about the name; meaning may know that they are what is asked. */
async function tellsTheSameMatter(port: RankingPort, { another }: Ranking): Promise<boolean> {
  if (!another || !port.nearestOf) return false;
  return (await port.nearestOf(another.asked, another.hashes)) >= SAME_MATTER;
}

/** Texts read at a time while looking for a phrase. */
const SLICE = 50;
/** Who looks at more hits than these does not mind reading a thing twice. */
const COMPARED_HITS = 20;

/** The best that can be read and hold the phrases asked for. What says the same as a better hit comes after all others. */
async function chooseHits(
  port: RankingPort,
  { query, limit, diversity, rules }: Question,
  ranked: readonly Ranked[],
  terms: ReadonlySet<string>,
): Promise<SearchHit[]> {
  const fresh: SearchHit[] = [];
  const repeated: SearchHit[] = [];
  const isDiverse = diversity > 0;
  const enough = isDiverse ? ranked.length : limit;
  const step = isDiverse || query.exact ? SLICE : limit + UNREADABLE;
  for await (const hit of readHits(port, query, ranked, step, terms)) {
    const same =
      fresh.length < COMPARED_HITS ? fresh.find((better) => saysTheSame(better, hit, rules)) : undefined;
    if (same) repeated.push(Object.freeze({ ...hit, repeats: same.id }));
    else fresh.push(hit);
    if (fresh.length >= enough) break;
  }
  const kept = isDiverse ? diverse(fresh, limit, diversity) : fresh;
  return [...kept, ...repeated].slice(0, limit);
}

/** The hits of some documents, whose texts are read `step` at a time and no further than hits are asked for. */
async function* readHits(
  port: RankingPort,
  query: Query,
  ranked: readonly Ranked[],
  step: number,
  terms: ReadonlySet<string>,
): AsyncGenerator<SearchHit> {
  for (let from = 0; from < ranked.length; from += step) {
    const slice = ranked.slice(from, from + step);
    const records = await port.records(slice.map(({ found }) => found.hash));
    for (const one of slice) {
      const record = records.get(one.found.hash);
      if (!record) await port.missed(one.found.hash);
      else if (!query.exact || holdsAll(record, query)) yield hitOf(one, record, terms);
    }
  }
}

function holdsAll({ text, attributes, topic, tags, triple }: MemoryRecord, { phrases }: Query): boolean {
  const { TITLE, title } = attributes ?? {};
  const texts = [text, TITLE, title, topic, triple?.subject, triple?.object, ...(tags ?? [])].filter(
    (one) => typeof one === "string",
  );
  return phrases.every((phrase) => texts.some((one) => holdsPhrase(one, phrase)));
}

export interface SearchHit {
  readonly id: MemoryId;
  readonly scope: Scope;
  readonly type: string;
  readonly text: string;
  readonly topic?: string;
  readonly score: number;
  /** How likely it is evidence for the question, 0 to 1, as measured on public question sets. */
  readonly probability: number;
  /** Cosine with the question, where it was compared. */
  readonly similarity?: number;
  /** What speaks for and against it, the weightiest first; the points add up to the score. */
  readonly why: readonly Reason[];
  /** Where the text holds the words asked for, in UTF-16 units. */
  readonly matches: readonly (readonly [start: number, end: number])[];
  readonly hash: Hash;
  readonly version: number;
  readonly commit: Hash;
  readonly author: Author;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
  /** Of a message: who said it, in which conversation and turn, and when. */
  readonly speaker?: string;
  readonly session?: string;
  readonly turn?: number;
  readonly saidAt?: Timestamp;
  /** A better hit that says the same. */
  readonly repeats?: MemoryId;
}

function hitOf(
  { found, score, probability, similarity, why }: Ranked,
  { text, type, topic }: MemoryRecord,
  terms: ReadonlySet<string>,
): SearchHit {
  const { id, scope, hash, version, commit, author, speaker, session, turn, said } = found;
  return Object.freeze({
    id,
    scope,
    type,
    text,
    ...(topic !== undefined && { topic }),
    score,
    probability,
    ...(similarity !== undefined && { similarity }),
    why: answer(why),
    // Reading the text again costs more than finding it did, and most never ask.
    get matches() {
      return answer(matchesIn(text, found.language, terms));
    },
    hash,
    version,
    commit: commit as Hash,
    author: Object.freeze(author),
    createdAt: timestamp(found.created),
    updatedAt: timestamp(found.updated),
    ...(speaker !== undefined && { speaker }),
    ...(session !== undefined && { session }),
    ...(turn !== undefined && { turn }),
    ...(!Number.isNaN(said) && { saidAt: timestamp(said) }),
  });
}

/** Where a text holds one of the terms, joined where they overlap. */
function matchesIn(text: string, language: string, terms: ReadonlySet<string>): [number, number][] {
  const ranges: [number, number][] = [];
  for (const { term, start, end } of analyse(text, language)) {
    if (!terms.has(term)) continue;
    const last = ranges.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else ranges.push([start, end]);
  }
  return ranges;
}

/** Something that was found, as far as it is compared with others. */
interface Statement {
  readonly text: string;
  /** What two people say is not the same, whatever the words. */
  readonly speaker?: string;
}

/** From here on two texts are the same thing in other words; below it one of them may tell more. */
const SAME = 0.85;
/** A longer text is compared by how it begins. */
const COMPARED_LETTERS = 1_200;

const readingOf = ({ text }: Statement) => read(text.slice(0, COMPARED_LETTERS));

/** Do both say the same? Numbers, names, dates and denials that differ make them different however alike they look. */
export function saysTheSame(a: Statement, b: Statement, rules: Rules): boolean {
  if (a.text === b.text) return a.speaker === b.speaker;
  // Long texts that begin alike may end otherwise.
  if (a.speaker !== b.speaker || Math.max(a.text.length, b.text.length) > COMPARED_LETTERS) return false;
  if (!looksAlike(a, b)) return false;
  const [one, other] = [readingOf(a), readingOf(b)];
  return (
    likeness(one, other, rules) !== undefined &&
    resemblance(one, other) >= SAME &&
    !tellsOtherThing(one, other) &&
    !tellsOtherThing(other, one)
  );
}

/** Below this share of letters in common not even synonyms make two texts the same; to read them would cost far more. */
const UNLIKE = 0.15;
const threes = new WeakMap<Statement, ReadonlySet<string>>();

function looksAlike(a: Statement, b: Statement): boolean {
  const [one, other] = [threesOf(a), threesOf(b)];
  let shared = 0;
  for (const three of one) if (other.has(three)) shared++;
  return shared >= UNLIKE * (one.size + other.size - shared);
}

/** Every three letters in a row. */
function threesOf(statement: Statement): ReadonlySet<string> {
  const known = threes.get(statement);
  if (known) return known;
  const text = statement.text.toLowerCase();
  const made = new Set<string>();
  for (let at = 0; at + 3 <= text.length; at++) made.add(text.slice(at, at + 3));
  threes.set(statement, made);
  return made;
}

/** How much two texts share of what they say, 0 to 1. */
function overlapOf(a: Statement, b: Statement): number {
  const [one, other] = [readingOf(a).content, readingOf(b).content];
  let shared = 0;
  for (const stem of one.keys()) if (other.has(stem)) shared++;
  const all = one.size + other.size - shared;
  return all === 0 ? Number(a.text === b.text) : shared / all;
}

/**
 * So many of what was found, best first, each chosen for its score less what the chosen ones tell already. A diversity of 0
 * keeps the order; with 1 only what is new counts. Scores fall.
 */
export function diverse<T extends Statement & { readonly score: number }>(
  found: readonly T[],
  limit: number,
  diversity: number,
): T[] {
  const [best, worst] = [found[0]?.score ?? 0, found.at(-1)?.score ?? 0];
  const left = found.map((one) => ({
    one,
    worth: best > worst ? (one.score - worst) / (best - worst) : 1,
    shared: 0,
  }));
  const chosen: T[] = [];
  const gainOf = ({ worth, shared }: { worth: number; shared: number }): number =>
    (1 - diversity) * worth - diversity * shared;
  while (chosen.length < limit && left.length > 0) {
    const next = left.reduce((most, each) => (gainOf(each) > gainOf(most) ? each : most));
    left.splice(left.indexOf(next), 1);
    chosen.push(next.one);
    for (const each of left) each.shared = Math.max(each.shared, overlapOf(each.one, next.one));
  }
  return chosen;
}
