import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Hash, hashValue } from "../core/base/hash.js";
import type { MemoryId } from "../core/base/names.js";
import { parseQuery } from "../language/query.js";
import { blobInRam } from "../storage/index.js";
import { held, idOf, memory, NOW, SCOPES, type Sketch, seenBy, viewer } from "./_world.js";
import { ImageDamage } from "./checked-bytes.js";
import { corpusOf, nearest, search } from "./corpus.js";
import type { Held } from "./document.js";
import * as facet from "./facets.js";
import { type Columns, type Frozen, LAYOUT } from "./frozen.js";
import { byIdPart } from "./ids.js";
import { decodeImage, encodeImage } from "./image.js";
import { Scene, select, type Viewer } from "./scene.js";
import { finish, type Steps } from "./slices.js";
import { View, WorkingView } from "./view.js";

const RUNS = process.env.PAL_TORTURE ? 2000 : 80;
const TAG = { commit: "c", root: "r", analyser: "a", epoch: 1 };
const imageOf = (frozen: Frozen) => Buffer.concat(encodeImage(frozen, TAG));
const viewOf = (image: Uint8Array) => new View(decodeImage(blobInRam(image), TAG));
const everybody: Viewer = { clearance: "confidential", sees: () => true };

type Step =
  | { readonly kind: "write"; readonly sketch: Sketch }
  | { readonly kind: "forget"; readonly which: number }
  | { readonly kind: "compact" | "steps" | "image" | "fork" | "stray" | "absorb" };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: memory.map((sketch) => ({ kind: "write" as const, sketch })) },
  { weight: 3, arbitrary: fc.nat(40).map((which) => ({ kind: "forget" as const, which })) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Step>(
      { kind: "compact" },
      { kind: "steps" },
      { kind: "image" },
      { kind: "fork" },
      { kind: "stray" },
      { kind: "absorb" },
    ),
  },
);

/** A view that went through all of it, and the memories that are then live. */
function play(steps: readonly Step[]): { view: View; live: Held[] } {
  let view = new View();
  const live = new Map<string, Held>();
  let compacting: Steps<unknown> | undefined;
  for (const one of steps) {
    // Joining goes on among all the rest.
    if (compacting?.next().done) compacting = undefined;
    if (one.kind === "write") {
      const next = held(one.sketch);
      const key = `${next.record.scope} ${next.record.id}`;
      const before = live.get(key);
      if (before) view.remove(before.hash);
      view.add(next);
      live.set(key, next);
    } else if (one.kind === "forget") {
      const [key, gone] = [...live][one.which % Math.max(1, live.size)] ?? [];
      if (gone) view.remove(gone.hash);
      if (key) live.delete(key);
    } else if (one.kind === "absorb") {
      const working = new WorkingView(view);
      const first = [...live][0];
      const next = held({ ...SKETCH, number: 98 });
      working.put(undefined, held({ ...SKETCH, number: 97, text: "taken back" }));
      working.takeBack();
      if (first) working.put(first[1], null);
      if (first) live.delete(first[0]);
      working.put(live.get("shared memory-0098"), { ...next, commit: undefined });
      working.settle(next.commit!);
      live.set("shared memory-0098", next);
      expect(view.absorb(working.view)).toBe(true);
      expect(view.absorb(working.view)).toBe(false);
    } else if (one.kind === "compact") view.compact();
    else if (one.kind === "steps") compacting = view.compacting();
    else if (one.kind === "image") view = viewOf(imageOf(view.compact()));
    else {
      const fork = view.fork();
      // One of the two goes its own way; the other must not notice.
      const [kept, stray] = one.kind === "fork" ? [fork, view] : [view, fork];
      stray.add(held({ ...SKETCH, text: "stray tea", number: 99 }));
      const first = [...live.values()][0];
      if (first) stray.remove(first.hash);
      if (first) stray.add(first);
      view = kept;
    }
  }
  return { view, live: [...live.values()] };
}

const SKETCH: Sketch = {
  scope: SCOPES[0]!,
  number: 1,
  type: "fact",
  text: "Ann likes tea",
  tags: undefined,
  topic: undefined,
  parent: undefined,
  todo: undefined,
  sensitivity: "normal",
  expires: undefined,
  created: 1,
  session: undefined,
  turn: 0,
  speaker: "Ann",
};

const rebuilt = (live: readonly Held[]): View => {
  const view = new View();
  for (const one of live) view.add(one);
  return view;
};

const QUESTIONS = [
  "tea",
  "Ann likes coffee in Berlin",
  "the",
  '"likes tea"',
  "type:note blue",
  "tag:X running",
  "user id",
  "before:2026-01-01T00:00:10 tea",
  "type:fact",
];

/** Everything a view can be asked, in terms that do not depend on numbers. */
function answers(view: View, who: Viewer, now = NOW): unknown {
  const scene = new Scene(view, who, now);
  const names = (docs: readonly number[]) =>
    docs.map((doc) => `${view.scopeOf(doc)} ${view.idOf(doc)} ${view.doc(doc).hash}`);
  const corpus = corpusOf(view, who, now);
  return {
    totals: scene.totals,
    scopes: [...scene.byScope()].filter(([, count]) => count > 0).sort(),
    all: names(select(scene, [])),
    docs: select(scene, []).map((doc) => view.doc(doc)),
    notes: names(select(scene, [facet.byType("note")], 3)),
    open: names(select(scene, [facet.byAttribute("TODO", "OPEN"), facet.byTag("x")])),
    ids: byIdPart(scene, "memory-0")
      .map(({ id }) => id)
      .sort(),
    speakers: [...corpus.speakers].sort(),
    languages: corpus.languages,
    sessions: corpus.sessions,
    beside: select(scene, []).map((doc) => {
      const { previous, next, day } = corpus.documentOf(doc);
      return [...[previous, next].map((one) => (one < 0 ? "-" : view.idOf(one))), day];
    }),
    average: corpus.averageLength,
    questions: QUESTIONS.map((question) =>
      search(corpus, parseQuery(question), { limit: 200 }).hits.map(({ doc, score }) => [
        ...names([doc]),
        score,
      ]),
    ),
    near: nearest(scene, "Ann likes blue tea", 3).map(({ doc }) => names([doc])),
  };
}

describe("forks of forks", () => {
  it("Q800 are put together of no more parts than hold something", () => {
    const first = new View();
    first.add(held(fc.sample(memory, 1)[0] as Sketch));
    let last = first;
    for (let at = 0; at < 500; at++) last = last.fork();
    expect(last.depth).toBeLessThanOrEqual(first.depth + 1);
    expect([...last.partitions]).toEqual([...first.partitions]);
    expect(last.live).toBe(1);
  });
});

describe("Q: a view", () => {
  it("Q1 lists what a viewer sees by any facets, oldest first, whatever way the view came about", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), viewer, fc.nat(5), (steps, who, limit) => {
        const { view, live } = play(steps);
        const scene = new Scene(view, who, NOW);
        const seen = seenBy(live, who);
        const hashes = (facets: string[], most?: number) =>
          select(scene, facets, most).map((doc) => view.doc(doc).hash);
        const wanted = (fits: (one: Held["record"]) => boolean) =>
          seen.filter(({ record }) => fits(record)).map(({ hash }) => hash);
        expect(hashes([])).toEqual(wanted(() => true));
        expect(hashes([], limit)).toEqual(wanted(() => true).slice(0, limit));
        expect(hashes([facet.byType("fact")], limit)).toEqual(
          wanted(({ type }) => type === "fact").slice(0, limit),
        );
        expect(hashes([facet.byTopic("drink"), facet.byTag("x")])).toEqual(
          wanted(({ topic, tags }) => topic === "drink" && (tags?.includes("x") ?? false)),
        );
        expect(hashes([facet.byAttribute("TODO", "OPEN")])).toEqual(
          wanted(({ attributes }) => attributes?.TODO === "OPEN"),
        );
        expect(hashes([facet.byParent(idOf(1)), facet.byType("note")])).toEqual(
          wanted(({ parent, type }) => parent === idOf(1) && type === "note"),
        );
        expect(scene.totals.count).toBe(seen.length);
      }),
      { numRuns: 150 },
    );
  });

  it("Q2 a view that was patched, forked, joined or read from its image answers as one made anew", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), viewer, (steps, who) => {
        const { view, live } = play(steps);
        expect(answers(view, who)).toEqual(answers(rebuilt(live), who));
        const image = imageOf(view.compact());
        expect(answers(viewOf(image), who)).toEqual(answers(rebuilt(live), who));
      }),
      { numRuns: RUNS },
    );
  });

  it("Q3 what a viewer may not see changes nothing: no list, no number, no score", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), viewer, (steps, who) => {
        const { view, live } = play(steps);
        expect(answers(view, who)).toEqual(answers(rebuilt(seenBy(live, who)), who));
      }),
      { numRuns: RUNS },
    );
  });

  it("Q4 a memory that expires is gone at its time without a change", () => {
    const view = rebuilt([held({ ...SKETCH, expires: 1000 }), held({ ...SKETCH, number: 2 })]);
    const count = (now: number) => select(new Scene(view, everybody, now), []).length;
    const end = Date.UTC(2026, 0, 1) + 1000;
    expect([count(end - 1), count(end)]).toEqual([2, 1]);
    const found = (now: number) =>
      search(corpusOf(view, everybody, now), parseQuery("tea"), { limit: 9 }).hits.length;
    expect([found(end - 1), found(end), found(end - 1)]).toEqual([2, 1, 2]);
  });

  it("Q5 a text that looks like a facet is only a text", () => {
    const view = rebuilt([
      held({ ...SKETCH, type: "note", text: "type:fact tag:x topic:drink \u0001type:fact" }),
    ]);
    const scene = new Scene(view, everybody, NOW);
    for (const term of [facet.byType("fact"), facet.byTag("x"), facet.byTopic("drink")])
      expect(select(scene, [term])).toEqual([]);
    expect(select(scene, [facet.byType("note")])).toHaveLength(1);
  });

  it("Q6 ids are found by their first or last characters among what is seen", () => {
    const view = rebuilt([
      held(SKETCH),
      held({ ...SKETCH, number: 12 }),
      held({ ...SKETCH, number: 13, sensitivity: "private" }),
    ]);
    view.compact();
    view.add(held({ ...SKETCH, number: 112 }));
    const ids = (part: string) =>
      byIdPart(new Scene(view, { clearance: "normal", sees: () => true }, NOW), part).map(({ id }) => id);
    expect(ids("y-0012")).toEqual([idOf(12)]);
    expect(ids("0112")).toEqual([idOf(112)]);
    expect(ids("memory-001")).toEqual([idOf(12)]);
    expect(ids("y-0013")).toEqual([]);
  });

  it("an image is written from the columns as they lie in RAM, without a copy of them", () => {
    const frozen = rebuilt([held(SKETCH), held({ ...SKETCH, number: 2 })]).compact();
    const pieces = encodeImage(frozen, TAG);
    for (const name of Object.keys(LAYOUT) as (keyof Columns)[]) {
      const { buffer, byteOffset, byteLength } = frozen[name];
      const isPiece = (piece: Uint8Array) =>
        piece.buffer === buffer && piece.byteOffset === byteOffset && piece.byteLength === byteLength;
      expect([name, pieces.some(isPiece)]).toEqual([name, true]);
    }
  });

  it("Q7 an image that is cut, changed anywhere, or of another state, analyser or epoch is not used", () => {
    const image = imageOf(rebuilt([held(SKETCH), held({ ...SKETCH, number: 2 })]).compact());
    const read = (bytes: Uint8Array, tag = TAG) => decodeImage(blobInRam(bytes), tag);
    expect(() => finish(read(image)!.complete())).not.toThrow();
    for (let length = 0; length < image.length; length += 7)
      expect(read(image.subarray(0, length))).toBeUndefined();
    for (let at = 0; at < image.length; at++) {
      const changed = Buffer.from(image);
      changed[at]! ^= 1 << (at % 8);
      const head = read(changed);
      if (head) expect(() => finish(head.complete()), `byte ${at}`).toThrow(ImageDamage);
    }
    for (const other of [{ commit: "d" }, { root: "s" }, { analyser: "b" }, { epoch: 2 }])
      expect(read(image, { ...TAG, ...other })).toBeUndefined();
  });

  it("Q8 the beliefs nearest to a text, of one scope, nearest first; documents and messages are none", () => {
    const view = rebuilt([
      held({ ...SKETCH, number: 1, text: "Ann likes green tea in the morning" }),
      held({ ...SKETCH, number: 2, text: "Bob runs in Berlin" }),
      held({ ...SKETCH, number: 3, type: "note", text: "Ann likes green tea" }),
      held({ ...SKETCH, number: 4, text: "Ann likes green coffee" }),
      held({ ...SKETCH, number: 5, scope: SCOPES[1]!, text: "Ann likes green tea" }),
    ]);
    const scene = new Scene(view, everybody, NOW, SCOPES[0]);
    expect(nearest(scene, "Ann likes green tea", 5).map(({ doc }) => view.idOf(doc))).toEqual([
      idOf(1),
      idOf(4),
    ]);
  });

  it("Q9 topic holders, slots and what is always shown are found within a draft, and taken back with it", () => {
    const first = held({ ...SKETCH, topic: "drink" });
    const base = rebuilt([first]);
    const working = new WorkingView(base);
    const always = (view: View) => new Scene(view, everybody, NOW, SCOPES[0]).frequency(facet.ALWAYS);
    const second = held({ ...SKETCH, number: 2, topic: "place" });
    working.put(undefined, second);
    working.settle(second.commit!);
    working.put(first, null);
    working.put(second, { ...second, hash: hashValue("memory", "x") as Hash });
    expect(always(working.view)).toBe(1);
    working.takeBack();
    expect(always(working.view)).toBe(2);
    expect(working.view.find(second.hash)).toBeDefined();
    expect(always(base)).toBe(1);
    const triple = { subject: "Ann", predicate: "lives_in", object: "Berlin" };
    base.add({
      ...second,
      hash: hashValue("memory", "y") as Hash,
      record: { ...second.record, id: "t" as MemoryId, triple },
    });
    expect(select(new Scene(base, everybody, NOW), [facet.bySlot(" ann", "LIVES_IN")])).toHaveLength(1);
  });
});

it("Q19 hits of equal score come oldest first, then by scope and id, whatever way the view came about", () => {
  const number = fc.nat(400);
  const many = fc.uniqueArray(number, { minLength: 220, maxLength: 300 });
  fc.assert(
    fc.property(many, fc.nat(300), fc.nat(300), (numbers, first, second) => {
      const all = numbers.map((one) =>
        held({ ...SKETCH, number: one, created: one % 3, scope: SCOPES[(one >> 2) % SCOPES.length]! }),
      );
      const patched = new View();
      all.forEach((one, at) => {
        patched.add(one);
        if (at === first || at === second) patched.compact();
      });
      const [patchedHits, freshHits] = [patched, rebuilt(all.toReversed())].map((view) =>
        search(corpusOf(view, { ...everybody }, NOW), parseQuery("tea"), { limit: 30 }).hits.map(({ doc }) =>
          view.hashOf(doc),
        ),
      );
      expect(patchedHits).toEqual(freshHits);
      expect(patchedHits).toEqual(
        seenBy(all, everybody)
          .map(({ hash }) => hash)
          .slice(0, 30),
      );
    }),
    { numRuns: 20 },
  );
});
