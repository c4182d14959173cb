import { type Hash, PalimpsestError, parseScope, type Scope } from "../base/index.js";
import type { Tip } from "../ledger/index.js";
import { facet, Scene, select, type View } from "../view/index.js";
import type { Context } from "./context.js";
import { type Found, gather, memoriesOf } from "./memories.js";
import type { Memory } from "./memory.js";
import type { Reader } from "./reader.js";

const PAGE = 1_000;

/** The memories of a state, read in pages: of all of them only numbers are held. */
export class ExportPages {
  readonly #context: Context;
  readonly #reader: Reader;
  readonly #tip: Tip;
  readonly #time: number;
  readonly #only: Scope | undefined;
  readonly #onPage: (done: number, total: number) => void;
  #docs: readonly number[] = [];
  #numbering: object | undefined;

  constructor(
    context: Context,
    reader: Reader,
    tip: Tip,
    now: string,
    {
      scope,
      onProgress,
    }: { scope?: string | undefined; onProgress?: ((done: number, total: number) => void) | undefined },
  ) {
    this.#context = context;
    this.#reader = reader;
    this.#tip = tip;
    this.#time = Date.parse(now);
    this.#only = scope === undefined ? undefined : parseScope(scope);
    this.#onPage = onProgress ?? (() => undefined);
  }

  async count(): Promise<number> {
    await this.#gather([]);
    return this.#docs.length;
  }

  /** All of them, oldest first. */
  async *memories(): AsyncGenerator<Memory> {
    for await (const page of this.#pages()) {
      yield* await memoriesOf(this.#reader, page);
    }
  }

  /** By what `headingOf` says of each, headings in the order in which they are met. Everything is read twice. */
  async *groups(headingOf: (memory: Memory) => string) {
    const places = new Map<string, number[]>();
    for (let at = 0; at < (await this.count()); at += PAGE) {
      const page = await this.#gather(range(at, Math.min(at + PAGE, this.#docs.length)));
      const placeOf = new Map(page.found.map((one, index) => [hashOf(one), at + index]));
      for (const memory of await memoriesOf(this.#reader, page)) {
        const heading = headingOf(memory);
        const known = places.get(heading);
        const place = placeOf.get(memory.hash) as number;
        if (known) known.push(place);
        else places.set(heading, [place]);
      }
    }
    let done = 0;
    const told = (count: number) => {
      done += count;
      this.#onPage(done, this.#docs.length);
    };
    for (const [heading, all] of places) yield { heading, memories: this.#at(all, told) };
  }

  /** Trees from their tops down, each memory with its level. Of a tree the children of one line of parents are held. */
  async *nested(): AsyncGenerator<{ memory: Memory; level: number }> {
    const parents = await this.#parents();
    for await (const memory of this.memories()) {
      if (memory.parent !== undefined && parents.has(keyOf(memory.scope, memory.parent))) continue;
      const waiting = [{ memory, level: 1 }];
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        yield next;
        if (next.memory.children.length === 0) continue;
        const level = next.level + 1;
        const children = await this.#childrenOf(next.memory);
        waiting.push(...children.reverse().map((child) => ({ memory: child, level })));
      }
    }
  }

  async *#at(places: readonly number[], told: (count: number) => void): AsyncGenerator<Memory> {
    for (let at = 0; at < places.length; at += PAGE) {
      const part = places.slice(at, at + PAGE);
      yield* await memoriesOf(this.#reader, await this.#gather(part));
      told(part.length);
    }
  }

  async *#pages() {
    const count = await this.count();
    for (let at = 0; at < count; at += PAGE) {
      const end = Math.min(at + PAGE, count);
      yield await this.#gather(range(at, end));
      this.#onPage(end, count);
    }
  }

  async #parents(): Promise<Set<string>> {
    const found = new Set<string>();
    const count = await this.count();
    for (let at = 0; at < count; at += PAGE) {
      const page = await this.#gather(range(at, Math.min(at + PAGE, count)));
      for (const one of page.found) {
        const [top, { scope, id }] = isTree(one) ? [one[0].children, one[0].doc] : [one.children, one];
        if (top.length > 0) found.add(keyOf(scope, id));
      }
    }
    return found;
  }

  async #childrenOf({ scope, id, children }: Memory): Promise<Memory[]> {
    const page = await this.#use((view) => {
      const docs = select(new Scene(view, this.#context.sight, this.#time, scope), [facet.byParent(id)]);
      return gather(view, docs, this.#context, this.#time);
    });
    const place = new Map(children.map((child, index) => [child, index]));
    return (await memoriesOf(this.#reader, page))
      .filter((child) => place.has(child.id))
      .sort((a, b) => (place.get(a.id) as number) - (place.get(b.id) as number));
  }

  /** Those at some places. A view that was tidied meanwhile counts anew; the order of what it holds at a commit stays. */
  #gather(places: readonly number[]) {
    return this.#use((view) => {
      if (view.numbering !== this.#numbering) {
        const count = this.#docs.length;
        this.#docs = select(new Scene(view, this.#context.sight, this.#time, this.#only), []);
        if (this.#numbering && this.#docs.length !== count)
          throw new PalimpsestError("STORE_BUSY", "What was to be exported was erased meanwhile.");
        this.#numbering = view.numbering;
      }
      return gather(
        view,
        places.map((place) => this.#docs[place] as number),
        this.#context,
        this.#time,
      );
    });
  }

  #use<T>(run: (view: View) => T): Promise<T> {
    return this.#context.views.use(this.#context.branch, this.#tip, run);
  }
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, at) => from + at);
const keyOf = (scope: string, id: string): string => `${scope}\n${id}`;
const isTree = (found: Found): found is Exclude<Found, Memory> => Array.isArray(found);
const hashOf = (found: Found): Hash => (isTree(found) ? found[0].doc.hash : found.hash);
