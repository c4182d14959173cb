import type { Named } from "./parts.js";
import { dayOf } from "./rank/index.js";
import type { Scene } from "./scene.js";
import { bySaying } from "./turns.js";

interface Talk {
  /** What is seen of it, in the order in which it was said. */
  readonly docs: Uint32Array;
  /** The day of the last one that has a date. */
  readonly day: number | undefined;
}

/** Conversations, as they were put in order when the view was frozen; those that went on since are when first asked about. */
export class Talks {
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
