import type { Named } from "./parts.js";
import { dayOf } from "./rank/index.js";
import type { Scene } from "./scene.js";
import { byAge } from "./select.js";

interface Talk {
  /** In the order in which they were said. */
  readonly docs: readonly number[];
  readonly places: ReadonlyMap<number, number>;
  /** The day of the last one that has a date. */
  readonly day: number | undefined;
}

/** Conversations, put in order when first asked about. */
export class Talks {
  readonly #scene: Scene;
  readonly #starts: Uint32Array;
  readonly #docs: Uint32Array;
  readonly #made = new Map<number, Talk>();

  constructor(scene: Scene, seen: Uint8Array, { numbers, names }: Named) {
    const starts = new Uint32Array(names.length + 1);
    for (let doc = 0; doc < numbers.length; doc++)
      if (numbers[doc]! >= 0 && seen[doc] === 1) starts[numbers[doc]! + 1]!++;
    for (let at = 0; at < names.length; at++) starts[at + 1]! += starts[at]!;
    const docs = new Uint32Array(starts[names.length]!);
    const next = starts.slice();
    for (let doc = 0; doc < numbers.length; doc++)
      if (numbers[doc]! >= 0 && seen[doc] === 1) docs[next[numbers[doc]!]!++] = doc;
    this.#scene = scene;
    this.#starts = starts;
    this.#docs = docs;
  }

  of(session: number): Talk {
    const known = this.#made.get(session);
    if (known) return known;
    const { view } = this.#scene;
    const older = byAge(view);
    const turn = (doc: number): number => view.turnOf(doc);
    const docs = [...this.#docs.subarray(this.#starts[session], this.#starts[session + 1])].sort(
      (a, b) => turn(a) - turn(b) || view.dateOf(a) - view.dateOf(b) || older(a, b),
    );
    const last = docs.findLast((doc) => !Number.isNaN(view.saidOf(doc)));
    const talk = {
      docs,
      places: new Map(docs.map((doc, at) => [doc, at])),
      day: last === undefined ? undefined : dayOf(view.saidOf(last)),
    };
    this.#made.set(session, talk);
    return talk;
  }
}
