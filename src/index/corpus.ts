import type { Scope } from "../core/base/index.js";
import { byAge } from "./age.js";
import { frequencyOf } from "./nearest.js";
import type { Named, Run } from "./parts.js";
import { type Corpus, type Document, dayOf, type Postings } from "./rank/index.js";
import { Scene, type Viewer } from "./scene.js";
import { Talks } from "./talks.js";
import type { NameColumn, Uses } from "./uses.js";
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
