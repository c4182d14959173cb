import fc from "fast-check";
import { expect } from "vitest";
import { type Memory, PalimpsestError, type Session, type Storage } from "../src/index.js";
import { testStore } from "./_worlds.js";

/** What a memory is in the plainest terms: the model that the real thing is compared with. */
interface Belief {
  id: string;
  text: string;
  tags: string[];
  confidence: number;
  parent: string | undefined;
  version: number;
}

interface Past {
  op: string;
  version: number;
  text: string | undefined;
}

/** A naive memory: one map, whole copies, no cleverness. One scope, one writer. */
export class Model {
  live = new Map<string, Belief>();
  /** Children in order, by parent id. */
  order = new Map<string, string[]>();
  past = new Map<string, Past[]>();
  /** What was observed: the one writer is one voice. */
  heard = new Set<string>();
  commits = 0;

  copy(): Model {
    const twin = new Model();
    twin.live = new Map([...this.live].map(([id, belief]) => [id, { ...belief, tags: [...belief.tags] }]));
    twin.order = new Map([...this.order].map(([id, list]) => [id, [...list]]));
    twin.past = new Map([...this.past].map(([id, list]) => [id, [...list]]));
    twin.heard = new Set(this.heard);
    twin.commits = this.commits;
    return twin;
  }

  #record(op: string, id: string): void {
    const belief = this.live.get(id);
    const rows = this.past.get(id) ?? [];
    this.past.set(id, rows);
    rows.push({
      op,
      version: (rows.at(-1)?.version ?? 0) + 1,
      text: op === "forget" ? undefined : belief?.text,
    });
    if (belief) belief.version = rows.at(-1)?.version as number;
  }

  isBelow(start: string | undefined, id: string): boolean {
    for (let at = start; at !== undefined; at = this.live.get(at)?.parent) if (at === id) return true;
    return false;
  }

  remember(id: string, text: string, tags: string[] | undefined, parent: string | undefined): string {
    if (parent !== undefined && (!this.live.has(parent) || this.isBelow(parent, id))) return "rejected";
    const known = this.live.get(id);
    const wanted = tags && [...new Set(tags)].sort();
    if (known) {
      const next = { ...known, text, tags: wanted ?? known.tags, parent: parent ?? known.parent };
      if (JSON.stringify(next) === JSON.stringify(known)) return "duplicate";
      // Whoever names the parent it has leaves it where it stands.
      if (next.parent !== known.parent) this.#move(id, known.parent, next.parent);
      this.live.set(id, next);
      this.#record("modify", id);
    } else {
      this.live.set(id, { id, text, tags: wanted ?? [], confidence: 1, parent, version: 0 });
      if (parent !== undefined) this.order.set(parent, [...(this.order.get(parent) ?? []), id]);
      this.#record("add", id);
    }
    this.commits++;
    return known ? "updated" : "accepted";
  }

  #move(id: string, from: string | undefined, to: string | undefined): void {
    if (from !== undefined)
      this.order.set(
        from,
        (this.order.get(from) ?? []).filter((child) => child !== id),
      );
    if (to !== undefined) this.order.set(to, [...(this.order.get(to) ?? []), id]);
  }

  forget(id: string, tree: boolean): string {
    const known = this.live.get(id);
    if (!known) return "NOT_FOUND";
    this.commits++;
    if (tree) {
      for (const child of [...(this.order.get(id) ?? [])]) {
        this.forget(child, true);
        this.commits--;
      }
    } else {
      const children = this.order.get(id) ?? [];
      if (known.parent !== undefined) {
        const siblings = this.order.get(known.parent) ?? [];
        siblings.splice(siblings.indexOf(id), 0, ...children);
      }
      for (const child of children) {
        (this.live.get(child) as Belief).parent = known.parent;
        this.#record("modify", child);
      }
    }
    this.order.delete(id);
    if (known.parent !== undefined)
      this.order.set(
        known.parent,
        (this.order.get(known.parent) ?? []).filter((child) => child !== id),
      );
    this.live.delete(id);
    this.#record("forget", id);
    return "accepted";
  }

  observe(id: string): string {
    const known = this.live.get(id);
    if (!known) return "NOT_FOUND";
    // One voice counts once; without a user nothing becomes surer than 0.95.
    const isHeard = this.heard.has(id);
    this.heard.add(id);
    const raised = Math.min(1 - (1 - known.confidence) * 0.7, Math.max(0.95, known.confidence));
    const next = isHeard ? known.confidence : Math.round(raised * 1e6) / 1e6;
    if (next === known.confidence) return "duplicate";
    known.confidence = next;
    this.#record("observe", id);
    this.commits++;
    return "updated";
  }

  doubt(id: string, confidence: number): string {
    const known = this.live.get(id);
    if (!known) return "NOT_FOUND";
    if (known.confidence === confidence) return "duplicate";
    known.confidence = confidence;
    this.#record("modify", id);
    this.commits++;
    return "updated";
  }
}

export type Command =
  | { verb: "remember"; id: string; text: string; tags: string[] | undefined; parent: string | undefined }
  | { verb: "forget"; id: string; tree: boolean }
  | { verb: "observe"; id: string }
  | { verb: "doubt"; id: string; confidence: number };

const IDS = ["a-node", "b-node", "c-node", "d-node", "e-node"];
const id = fc.constantFrom(...IDS);

/** One random step. */
export const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      verb: fc.constant("remember" as const),
      id,
      text: fc.constantFrom("one", "two", "three"),
      tags: fc.option(fc.subarray(["x", "y"]), { nil: undefined }),
      parent: fc.option(id, { nil: undefined }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ verb: fc.constant("forget" as const), id, tree: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ verb: fc.constant("observe" as const), id }) },
  {
    weight: 1,
    arbitrary: fc.record({
      verb: fc.constant("doubt" as const),
      id,
      confidence: fc.constantFrom(0.25, 0.5, 1),
    }),
  },
);

export function runModel(model: Model, command: Command): string {
  switch (command.verb) {
    case "remember":
      return model.remember(command.id, command.text, command.tags, command.parent);
    case "forget":
      return model.forget(command.id, command.tree);
    case "observe":
      return model.observe(command.id);
    case "doubt":
      return model.doubt(command.id, command.confidence);
  }
}

export async function runReal(session: Session, command: Command): Promise<string> {
  const verdict = async () => {
    switch (command.verb) {
      case "remember": {
        const { id, text, tags, parent } = command;
        return session.remember({ id, text, type: "note", ...(tags && { tags }), ...(parent && { parent }) });
      }
      case "forget":
        return session.forget(command.id, { tree: command.tree });
      case "observe":
        return session.observe(command.id);
      case "doubt":
        return session.update(command.id, { confidence: command.confidence });
    }
  };
  try {
    return (await verdict()).verdict;
  } catch (error) {
    if (error instanceof PalimpsestError) return error.code;
    throw error;
  }
}

/** Does the store say exactly what the model says? */
export async function compare(session: Session, model: Model): Promise<void> {
  const listed = await session.list();
  const shown = ({ id, text, tags, confidence, parent, version, children }: Memory) => ({
    id,
    text,
    tags,
    confidence,
    parent,
    version,
    children,
  });
  const expected = [...model.live.values()].map(({ id, text, tags, confidence, parent, version }) => ({
    id,
    text,
    tags,
    confidence,
    parent,
    version,
    children: model.order.get(id) ?? [],
  }));
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  expect(listed.map(shown).sort(byId)).toEqual(expected.sort(byId));
  for (const [id, past] of model.past) {
    const rows = (await session.history(id)).map(({ op, version, text }) => ({ op, version, text }));
    expect(rows).toEqual(past);
    const memory = await session.get(id);
    expect(memory?.text).toEqual(model.live.get(id)?.text);
    expect(memory && listed.find((other) => other.id === id)?.merkle).toEqual(memory?.merkle);
  }
  expect((await session.log({ limit: 10_000 })).length).toBe(model.commits);
}

/** Commands, and moments at which the store is closed and opened again. */
export const commandsWithBreaks = fc.array(
  fc.oneof({ weight: 6, arbitrary: command }, fc.constant("reopen" as const)),
  { maxLength: 20 },
);

/** The real thing, closed and opened again at any point, says what the model says. */
export async function expectLikeModel(
  commands: readonly (Command | "reopen")[],
  open: () => Storage | Promise<Storage>,
): Promise<void> {
  let { store } = await testStore(await open());
  const model = new Model();
  let time = Date.UTC(2026, 0, 1);
  for (const next of commands) {
    time += 60_000;
    if (next !== "reopen") {
      expect(await runReal(store.session(), next)).toBe(runModel(model, next));
      continue;
    }
    await store.close();
    ({ store } = await testStore(await open(), time));
  }
  await compare(store.session(), model);
  expect((await store.verify()).problems).toEqual([]);
  await store.close();
}
