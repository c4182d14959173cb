import type { Scope } from "../core/base/index.js";
import { analyse, detectLanguage, folded, type Query, queryTokens } from "../language/index.js";
import { byAge, type NameColumn, type Uses } from "./docs.js";
import { byLane, byLooseTag, bySubjectWord, byType } from "./facets.js";
import type { Named, Run } from "./parts.js";
import {
  type Corpus,
  type Document,
  dayOf,
  type Nearness,
  type Postings,
  type Ranking,
  rank,
} from "./rank/index.js";
import { sayingOf } from "./saying.js";
import { Scene, select, type Viewer, type Wanted } from "./scene.js";
import { bySaying } from "./turns.js";
import type { View } from "./view.js";

/** What the ranker asks, answered from a scene: nothing that is not seen is in any list or number. */
export class SceneCorpus implements Corpus {
  readonly size: number;
  readonly capacity: number;
  readonly averageLength: number;
  readonly sessions: number;
  readonly sessionCapacity: number;
  readonly speakers: ReadonlySet<string>;
  readonly hasRoles: boolean;
  readonly languages: readonly string[];
  readonly scene: Scene;
  readonly #seen: Uint8Array;
  readonly #lengths: Uint32Array;
  readonly #session: Named;
  readonly #sessionLengths: Float64Array;
  #talks: Talks | undefined;

  constructor(scene: Scene) {
    const { view } = scene;
    const { count, length } = scene.totals;
    this.scene = scene;
    this.compare = byAge(view);
    this.#seen = scene.mask();
    this.#lengths = view.lengths();
    this.#session = view.named("session");
    this.size = count;
    this.capacity = view.size;
    this.averageLength = count === 0 ? 0 : length / count;
    this.sessionCapacity = this.#session.names.length;
    const hidden = hiddenIn(scene);
    const sessions = this.#uses("session", hidden);
    this.#sessionLengths = sessions.lengths;
    this.sessions = sessions.counts.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0);
    this.speakers = new Set(this.#used("speaker", hidden).keys());
    const languages = this.#used("language", hidden);
    this.languages = [...languages].flatMap(([code, uses]) => (uses * 20 >= count ? [code] : [])).sort();
    const roles = new Set([...this.#used("role", hidden).keys()].map(roleOf));
    this.hasRoles = roles.has("user") && roles.has("assistant");
  }

  postings(term: string): Postings[] {
    const { view, seesPartition, hidesAny } = this.scene;
    return view
      .runs(term, seesPartition)
      .map((run) => (run.partition === undefined || hidesAny ? this.#onlySeen(run) : whole(run)))
      .filter(({ length }) => length > 0);
  }

  frequencyOf(term: string): number {
    return frequencyOf(this.scene, term);
  }

  readonly compare: (a: number, b: number) => number;
  readonly lengthOf = (doc: number): number => this.#lengths[doc]!;
  readonly sessionOf = (doc: number): number => this.#session.numbers[doc]!;
  readonly sessionLengthOf = (session: number): number => this.#sessionLengths[session]!;

  documentOf(doc: number): Document {
    const { view } = this.scene;
    const session = this.sessionOf(doc);
    const talk = session < 0 ? undefined : this.#talk(session);
    const place = talk?.docs.indexOf(doc) ?? -1;
    const said = view.saidOf(doc);
    const name = (column: "speaker" | "role"): string => {
      const { numbers, names } = view.named(column);
      const number = numbers[doc]!;
      return number < 0 ? "" : names[number]!;
    };
    return {
      previous: talk && place > 0 ? talk.docs[place - 1]! : -1,
      next: talk && place + 1 < talk.docs.length ? talk.docs[place + 1]! : -1,
      speaker: name("speaker"),
      role: roleOf(name("role")),
      day: Number.isNaN(said) ? (talk?.day ?? dayOf(view.createdOf(doc))) : dayOf(said),
      traits: view.traitsOf(doc),
      confidence: view.confidenceOf(doc),
    };
  }

  #talk(session: number) {
    this.#talks ??= new Talks(this.scene, this.#seen, this.#session);
    return this.#talks.of(session);
  }

  #onlySeen({ docs, weights, from, to }: Run): Postings {
    const seen = this.#seen;
    const kept = new Uint32Array(to - from);
    const counts = new Uint8Array(to - from);
    let length = 0;
    for (let at = from; at < to; at++) {
      if (seen[docs[at]!] === 0) continue;
      kept[length] = docs[at]!;
      counts[length++] = weights[at]!;
    }
    return { docs: kept, counts, length };
  }

  /** The names that occur among what is seen, and how often. */
  #used(column: NameColumn, hidden: readonly number[]): Map<string, number> {
    const { counts } = this.#uses(column, hidden);
    const { names } = this.scene.view.named(column);
    return new Map(names.flatMap((name, at) => (counts[at]! > 0 ? [[name, counts[at]!]] : [])));
  }

  /** What was counted when it was frozen, and what changed since. */
  #uses(column: NameColumn, hidden: readonly number[]): Uses {
    const { view, seesPartition } = this.scene;
    const uses = view.frozenUses(column, seesPartition);
    const { numbers } = view.named(column);
    for (const doc of hidden) uses.add(numbers[doc]!, -1, -this.#lengths[doc]!);
    for (let doc = view.frozenSize; doc < numbers.length; doc++)
      if (this.#seen[doc] === 1) uses.add(numbers[doc]!, 1, this.#lengths[doc]!);
    return uses;
  }
}

/** The frozen memories of the partitions seen that are not to be seen. */
function hiddenIn(scene: Scene): number[] {
  const { view } = scene;
  const hidden: number[] = [];
  scene.hide((doc) => {
    if (doc < view.frozenSize && scene.seesPartition(view.partitionOf(doc))) hidden.push(doc);
  });
  return hidden;
}

const whole = ({ docs, weights, from, to }: Run): Postings => ({
  docs: docs.subarray(from, to),
  counts: weights.subarray(from, to),
  length: to - from,
});

const ROLES: Readonly<Record<string, Document["role"]>> = {
  user: "user",
  human: "user",
  assistant: "assistant",
  ai: "assistant",
  bot: "assistant",
};
const roleOf = (role: string): Document["role"] => ROLES[role.toLowerCase()] ?? "other";

interface Made {
  readonly view: View;
  readonly version: number;
  readonly only: Scope | undefined;
  readonly from: number;
  readonly until: number;
  readonly corpus: SceneCorpus;
}
const MADE = new WeakMap<Viewer, Made>();

/** The corpus of a viewer, made again only when the view changed or something in it ended. */
export function corpusOf(view: View, viewer: Viewer, now: number, only?: Scope): SceneCorpus {
  const known = MADE.get(viewer);
  if (
    known &&
    known.view === view &&
    known.version === view.version &&
    known.only === only &&
    known.from <= now &&
    now < known.until
  )
    return known.corpus;
  let until = Number.POSITIVE_INFINITY;
  for (const time of view.ending.values()) if (time > now && time < until) until = time;
  const corpus = new SceneCorpus(new Scene(view, viewer, now, only));
  MADE.set(viewer, { view, version: view.version, only, from: now, until, corpus });
  return corpus;
}

interface Talk {
  /** What is seen of it, in the order in which it was said. */
  readonly docs: Uint32Array;
  /** The day of the last one that has a date. */
  readonly day: number | undefined;
}

/** Conversations, as they were put in order when the view was frozen; those that went on since are when first asked about. */
class Talks {
  readonly #scene: Scene;
  readonly #seen: Uint8Array;
  /** What was said since the view was frozen. */
  readonly #fresh = new Map<number, number[]>();
  readonly #made = new Map<number, Talk>();

  constructor(scene: Scene, seen: Uint8Array, { numbers }: Named) {
    this.#scene = scene;
    this.#seen = seen;
    for (let doc = scene.view.frozenSize; doc < numbers.length; doc++) {
      const talk = this.#fresh.get(numbers[doc]!) ?? [];
      if (numbers[doc]! >= 0) this.#fresh.set(numbers[doc]!, talk);
      talk.push(doc);
    }
  }

  of(session: number): Talk {
    const known = this.#made.get(session);
    if (known) return known;
    const { view } = this.#scene;
    const docs = this.#docs(session);
    const last = docs.findLast((doc) => !Number.isNaN(view.saidOf(doc)));
    const talk = { docs, day: last === undefined ? undefined : dayOf(view.saidOf(last)) };
    this.#made.set(session, talk);
    return talk;
  }

  #docs(session: number): Uint32Array {
    const { view, isWhole } = this.#scene;
    const frozen = view.frozenTurns(session);
    const fresh = this.#fresh.get(session);
    const all = fresh ? Uint32Array.from([...frozen, ...fresh]).sort(bySaying(view)) : frozen;
    return isWhole ? all : all.filter((doc) => this.#seen[doc] === 1);
  }
}

interface Scored {
  readonly doc: number;
  readonly score: number;
}

/** Entries of lists to look at. Who says nearly the same shares rare words, so the common ones need not be looked at. */
const BUDGET = 128;
/** Of a longer list it is enough to know that it is long. */
const LONG = 16 * BUDGET;
/** Among so few everybody may be a neighbour. */
const FEW = 1_000;
/** A text that shares less than this of the words that matter is no neighbour. The more there are, the more share something by chance. */
const leastOf = (count: number): number => (count < FEW ? 0 : 0.15 + 0.05 * Math.log10(count / 10));
/** A word that nearly every text holds distinguishes none. */
const SLIGHT = 0.5;
const K1 = 1.2;
const B = 0.75;

/**
 * The beliefs seen that say most nearly the same as a text, nearest first: those that say it word for word, then by BM25
 * over its rarest words. What it costs does not depend on how many memories there are.
 */
export function nearest(scene: Scene, text: string, limit: number): Scored[] {
  const { view } = scene;
  const { count, length } = scene.totals;
  const lists = [...new Set(queryTokens(text).map(({ term }) => term))]
    .map((term) => {
      const size = frequencyOf(scene, term);
      return { term, size, rarity: Math.log(1 + (Math.max(count, size) - size + 0.5) / (size + 0.5)) };
    })
    .sort((a, b) => a.size - b.size);
  const least = leastOf(count) * lists.reduce((sum, { rarity }) => sum + rarity, 0);
  const scores = new Map<number, number>();
  for (const doc of view.whoSays(sayingOf(text)))
    if (scene.sees(doc)) scores.set(doc, Number.POSITIVE_INFINITY);
  let looked = 0;
  let passed = 0;
  for (const { term, size, rarity } of lists) {
    if (looked > 0 && looked + size > BUDGET) break;
    looked += size;
    passed++;
    scene.eachHolder(term, (doc, weight) => {
      const norm = K1 * (1 - B + (B * view.lengthOf(doc) * count) / Math.max(1, length));
      scores.set(doc, (scores.get(doc) ?? 0) + (rarity * weight * (K1 + 1)) / (weight + norm));
    });
  }
  const common = lists.slice(passed).filter(({ rarity }) => rarity > SLIGHT);
  const restOf = (doc: number): number =>
    common.reduce((sum, { term, rarity }) => sum + (view.holds(doc, term) ? rarity : 0), 0);
  const most = common.reduce((sum, { rarity }) => sum + rarity, 0);
  return best(scene, scores, least - most, limit)
    .map(({ doc, score }) => ({ doc, score: score + restOf(doc) }))
    .filter(({ score }) => score >= least)
    .sort((a, b) => b.score - a.score);
}

/** In how many of the memories seen a term occurs; of a long list how long it is. */
export function frequencyOf(scene: Scene, term: string): number {
  const amount = scene.view.amount(term, scene.seesPartition);
  return amount > LONG || amount === 0 || scene.isWhole ? amount : scene.frequency(term);
}

/** Words of a text as the terms they are found by. */
export function termsOf(text: string): (word: string) => string {
  const language = detectLanguage(text)?.code ?? "en";
  return (word) => analyse(word, language)[0]?.term ?? word;
}

function best(scene: Scene, scores: ReadonlyMap<number, number>, least: number, limit: number): Scored[] {
  const { view } = scene;
  const older = byAge(view);
  const beliefs = byLane("belief");
  const top: Scored[] = [];
  for (const [doc, score] of scores) {
    const last = top.length < limit ? undefined : top[limit - 1];
    if (score < (last?.score ?? least)) continue;
    if (last?.score === score && older(doc, last.doc) >= 0) continue;
    if (!view.holds(doc, beliefs)) continue;
    const at = top.findIndex((one) => one.score < score || (one.score === score && older(doc, one.doc) < 0));
    top.splice(at < 0 ? top.length : at, 0, { doc, score });
    if (top.length > limit) top.pop();
  }
  return top;
}

interface SearchSettings {
  readonly limit: number;
  /** Facets that a memory has to hold, all of them. */
  readonly facets?: readonly Wanted[];
  /** Whether what is newer and held more surely comes first among equals; true unless said. */
  readonly usePriors?: boolean;
  /** Vectors of this question, when there are any. */
  readonly nearness?: Nearness;
  /** By meaning, memory says of a name what is asked of it. */
  readonly isSameMatter?: boolean;
  /** Order by the vectors alone, and only what has one. */
  readonly byMeaning?: boolean;
}

/** Of a quoted phrase only the text can tell, so that more have to be looked at. */
const PHRASE_CANDIDATES = 1000;

const BY_MEANING = { provenance: "the cosine alone", byFeature: { near: 1 } };

/** The memories that answer a question best, best first. A question of filters alone gives what fits, and an empty one everything, newest first. */
export function search(corpus: SceneCorpus, query: Query, settings: SearchSettings): Ranking {
  const { scene } = corpus;
  const { limit, usePriors = true, nearness, byMeaning = false, isSameMatter = false } = settings;
  const held = query.exact ? query.phrases.flatMap((phrase) => phraseTerms(phrase, corpus)) : [];
  const allowed = allowedBy(corpus, query, [...(settings.facets ?? []), ...held]);
  if (queryTokens(query.text, corpus.languages).length === 0) {
    // Signs alone are a question that nothing answers; only nothing at all asks for everything.
    const fitting = allowed ?? (query.text.trim() === "" ? select(scene, []) : []);
    const hits = fitting
      .toSorted((a, b) => corpus.compare(b, a))
      .slice(0, limit)
      .map((doc) => ({ doc, score: 0, probability: 1, why: [] }));
    const judged = { answerable: hits.length > 0 ? 1 : 0, abstain: hits.length === 0 };
    return { hits, leads: [], follow: () => hits, ...judged };
  }
  const mask = allowed && new Uint8Array(corpus.capacity);
  for (const doc of allowed ?? []) mask![doc] = 1;
  const admits = (doc: number): boolean =>
    (!mask || mask[doc] === 1) && (!byMeaning || nearness?.near(doc) !== undefined);
  return rank(corpus, query, {
    limit: query.exact ? PHRASE_CANDIDATES : limit,
    ...(query.exact && { candidates: PHRASE_CANDIDATES }),
    ...((mask || byMeaning) && { admits }),
    ...(usePriors && !byMeaning && { today: dayOf(scene.now) }),
    useConfidence: usePriors && !byMeaning,
    ...(nearness && { nearness }),
    isSameMatter,
    ...(byMeaning && { weights: BY_MEANING }),
  });
}

/** What passes the filters of a question; undefined when there are none. */
function allowedBy({ scene }: SceneCorpus, query: Query, facets: readonly Wanted[]): number[] | undefined {
  const { types, tags, subjects, after, before } = query;
  const needed = [
    ...facets,
    ...tags.map(byLooseTag),
    ...subjects.flatMap((subject) => analyse(subject).map(({ term }) => bySubjectWord(term))),
  ];
  if (needed.length === 0 && types.length === 0 && after === undefined && before === undefined)
    return undefined;
  const isInTime = (doc: number): boolean => {
    const date = scene.view.dateOf(doc);
    return !(after !== undefined && date < after) && !(before !== undefined && date >= before);
  };
  const lists = types.length === 0 ? [needed] : types.map((type) => [...needed, byType(folded(type))]);
  return lists.flatMap((list) => select(scene, list, undefined, isInTime));
}

/** Every word of a phrase is a term to be held; analysed in each language of the memories, one way has to fit. */
const phraseTerms = (phrase: string, { languages }: SceneCorpus): string[] =>
  languages.length === 1 ? queryTokens(phrase, languages).map(({ term }) => term) : [];
