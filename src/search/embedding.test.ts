import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { cosineSimilarity } from "../index/vectors/vector-index.js";
import { openStore } from "../session/open-store.js";
import type { Store } from "../session/store.js";
import { memoryStorage, type Storage } from "../storage/index.js";
import { withFaults } from "../storage/testing.js";
import { testMiniLm } from "./embed/_embedder.js";
import { Letters } from "./embed/_letters.js";
import { serve } from "./embed/_service.js";
import { embedderContract } from "./embed/contract.js";

/** Texts that differ little are what these tests are about. */
const ALIKE = { off: ["duplicate", "contradiction"] } as const;

const stores: Store[] = [];
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});
async function open(embedder: Letters | "none" = new Letters(), storage: Storage = memoryStorage()) {
  const store = await openStore(storage, { embedder, gate: ALIKE });
  stores.push(store);
  return { store, pal: store.session({ agent: "orion" }), embedding: await store.embedding() };
}
const texts = (count: number) =>
  Array.from({ length: count }, (_, n) => `memory number ${n} ${"xyz"[n % 3]}`);

describe("the contract, with the embedder of these tests", () => {
  for (const { name, run } of embedderContract(async () => ({ embedder: new Letters() }))) it(name, run);
});

describe("embedding in the background", () => {
  it("Y100 nothing is loaded or embedded before somebody asks for vectors", async () => {
    const letters = new Letters();
    const { pal, store } = await open(letters);
    await pal.remember("one");
    await pal.list();
    await store.settle();
    expect(letters.asked).toEqual([]);
    expect((await store.embedding()).state()).toMatchObject({ model: undefined, embedded: 0, waiting: 0 });
  });

  it("Y101 every memory gets its vector, newest first, and later ones too", async () => {
    const letters = new Letters();
    const { pal, embedding } = await open(letters);
    for (const text of texts(40)) await pal.remember(text);
    expect(await embedding.done()).toBe(true);
    expect(letters.documents).toHaveLength(40);
    const order = letters.documents.map((text) => Number(/\d+/.exec(text)![0]));
    // Within a batch the order does not matter.
    for (const [at, number] of order.slice(0, 16).entries()) expect([at, number >= 24]).toEqual([at, true]);
    embedding.pause();
    for (const text of texts(30)) await pal.remember(`later ${text}`);
    await embedding.done();
    embedding.resume();
    await embedding.done();
    const later = letters.documents.slice(40).map((text) => Number(/\d+/.exec(text)![0]));
    expect([later.length, Math.min(...later.slice(0, 16))]).toEqual([30, 14]);
    await pal.remember("a late one");
    await expect.poll(() => letters.documents.at(-1)).toBe("a late one");
    expect(await embedding.done()).toBe(true);
    expect(embedding.state()).toMatchObject({ embedded: 71, waiting: 0, phase: "idle", model: "letters/v1" });
  });

  it("Y102 a text is embedded once: for all memories, versions, branches and processes that have it", async () => {
    const storage = memoryStorage();
    const [first, second] = [new Letters(), new Letters()];
    const one = await open(first, storage);
    await one.pal.remember({ id: "a", text: "the same text" });
    await one.pal.remember({ id: "b", text: "the same text", scope: "agent/orion" });
    expect(await one.embedding.done()).toBe(true);
    await one.pal.update("a", "another text");
    expect(await one.embedding.done()).toBe(true);
    await one.pal.update("a", "the same text");
    expect(await one.embedding.done()).toBe(true);
    expect(first.documents).toEqual(["the same text", "another text"]);
    const again = await openStore(storage, { embedder: second, gate: ALIKE });
    expect(await (await again.embedding()).done()).toBe(true);
    expect(second.documents).toEqual([]);
  });

  it("Y103 another model starts from nothing, finds what the first one knew untouched, and mixes nothing", async () => {
    const storage = memoryStorage();
    const [first, second] = [new Letters(), new Letters({ id: "letters/v2" })];
    const one = await open(first, storage);
    await one.pal.remember("a text");
    await one.embedding.done();
    const two = await open(second, storage);
    expect((await two.pal.semanticSearch("a text")).status).toBe("partial");
    expect(await two.embedding.done()).toBe(true);
    expect(second.documents).toEqual(["a text"]);
    const back = new Letters();
    const three = await open(back, storage);
    expect(await three.embedding.done()).toBe(true);
    expect(back.documents).toEqual([]);
  });

  it("Y104 a failure is tried again later, and is never kept as no vector", async () => {
    const letters = new Letters();
    letters.fails = () => true;
    const { pal, embedding } = await open(letters);
    await pal.remember("hard to embed");
    expect(await embedding.done()).toBe(false);
    expect(embedding.state()).toMatchObject({ phase: "failing", waiting: 1, failure: "It fails as told." });
    letters.fails = () => false;
    // By itself, a second later.
    await expect.poll(() => embedding.state().embedded, { timeout: 10_000 }).toBe(1);
    expect(embedding.state()).toMatchObject({ phase: "idle", waiting: 0, failure: undefined });
  });

  it("Y206 a callback that throws does not hold it up; the error is the program's", async () => {
    const others = process.listeners("uncaughtException");
    const uncaught: string[] = [];
    process.removeAllListeners("uncaughtException");
    process.on("uncaughtException", ({ message }) => uncaught.push(message));
    try {
      const { pal, embedding } = await open();
      const stop = embedding.onProgress(() => {
        throw new Error("The bar is broken.");
      });
      await pal.remember("easy to embed");
      expect(await embedding.done()).toBe(true);
      expect(embedding.state()).toMatchObject({ phase: "idle", embedded: 1, failure: undefined });
      await expect.poll(() => uncaught).toContain("The bar is broken.");
      stop();
    } finally {
      process.removeAllListeners("uncaughtException");
      for (const other of others) process.on("uncaughtException", other);
    }
  });

  it("Y105 one text that always fails holds up no other", async () => {
    const letters = new Letters();
    letters.fails = (asked) => asked.includes("poison");
    const { pal, embedding } = await open(letters);
    for (const text of [...texts(20), "poison", ...texts(40).slice(20)]) await pal.remember(text);
    expect(await embedding.done()).toBe(false);
    expect(embedding.state()).toMatchObject({ embedded: 40, waiting: 1 });
  });

  it("Y106 writes never wait for it", async () => {
    const letters = new Letters();
    letters.gate = new Promise(() => undefined);
    const { pal, embedding } = await open(letters);
    await pal.remember("first");
    embedding.start();
    await expect.poll(() => letters.asked.length).toBe(1);
    expect((await pal.rememberMany(texts(50))).every(({ verdict }) => verdict === "accepted")).toBe(true);
    expect(embedding.state()).toMatchObject({ phase: "working", embedded: 0 });
  });

  it("Y107 it can be paused and resumed, and says how much is left and for how long", async () => {
    const letters = new Letters();
    const { pal, store, embedding } = await open(letters);
    for (const text of texts(60)) await pal.remember(text);
    const seen: number[] = [];
    embedding.onProgress(() => {
      seen.push(embedding.state().waiting);
      if (seen.length === 1) embedding.pause();
    });
    expect(await embedding.done()).toBe(false);
    const { phase, waiting, remainingMs } = embedding.state();
    expect([phase, waiting, typeof remainingMs]).toEqual(["paused", 44, "number"]);
    // Another process, which has loaded nothing of it, is told the same.
    expect((await store.usage()).embedding).toMatchObject({ waiting: 44, remainingMs });
    embedding.resume();
    expect(await embedding.done()).toBe(true);
    expect(seen).toEqual([...seen].sort((a, b) => b - a));
  });

  it("Y108 of processes on one store one does the work, and the others take it over", async () => {
    const storage = memoryStorage();
    const [first, second] = [new Letters(), new Letters()];
    const one = await open(first, storage);
    for (const text of texts(50)) await one.pal.remember(text);
    const two = await open(second, storage);
    expect(await Promise.all([one.embedding.done(), two.embedding.done()])).toEqual([true, true]);
    expect(first.documents.length + second.documents.length).toBe(50);
    expect(two.embedding.state().embedded).toBe(50);
  });

  it("Y109 closing the store ends it at once, and lets go of the model it loaded but not of the caller's own", async () => {
    const letters = new Letters();
    letters.gate = sleep(50);
    const { pal, store, embedding } = await open(letters);
    await pal.remember("x");
    embedding.start();
    await expect.poll(() => letters.asked.length).toBe(1);
    await store.close();
    expect(letters.isClosed).toBe(false);
    await sleep(80);
    expect(letters.asked).toHaveLength(1);
    await expect(store.embedding()).rejects.toMatchObject({ code: "CLOSED" });
  });

  it("Y110 what is forgotten, updated or moved meanwhile leaves no vector behind", async () => {
    const { pal, embedding } = await open();
    await pal.remember({ id: "gone", text: "zzzz zzzz" });
    await pal.remember({ id: "kept", text: "aaaa aaaa" });
    await embedding.done();
    await pal.forget("gone");
    await pal.update("kept", "zzzz");
    await embedding.done();
    const { hits } = await pal.semanticSearch("zzzz");
    expect(hits.map(({ id }) => id)).toEqual(["kept"]);
    expect(embedding.state().embedded).toBe(1);
  });

  it("Y111 a long text has up to 4 vectors, and is as near as its nearest part", async () => {
    const { pal, embedding } = await open();
    const part = (letter: string) => `${`${letter.repeat(7)} `.repeat(60)}. `;
    await pal.remember({ id: "long", type: "note", text: ["b", "c", "d", "e"].map(part).join("\n") });
    await pal.remember({ id: "short", text: "c" });
    await embedding.done();
    expect(await pal.vectors("long")).toHaveLength(4);
    expect(await pal.vectors("short")).toHaveLength(1);
    expect(await pal.vectors("nothing")).toEqual([]);
    const { hits } = await pal.semanticSearch("ddddd", { minSimilarity: 0.9 });
    expect(hits.map(({ id }) => id)).toEqual(["long"]);
  });

  it("Y112 private memories are not shown to a service on another machine, and are counted", async () => {
    const letters = new Letters({ local: false });
    const { pal, embedding } = await open(letters);
    await pal.remember("public knowledge");
    await pal.remember({ text: "a secret wish", sensitivity: "private" });
    expect(await embedding.done()).toBe(true);
    expect(letters.documents).toEqual(["public knowledge"]);
    expect(embedding.state()).toMatchObject({ embedded: 1, withheld: 1 });
  });

  it("Y113 a private text has a key of its own: nobody can tell by a vector that another wrote the same", async () => {
    const letters = new Letters();
    const { pal, embedding } = await open(letters);
    await pal.remember({ text: "same words", sensitivity: "private" });
    await embedding.done();
    await pal.remember({ text: "same words", id: "open" });
    await embedding.done();
    expect(letters.documents).toEqual(["same words", "same words"]);
  });
});

describe("a storage that fails", () => {
  it("Y114 whatever call fails: a typed error or an answer, and then all have their vectors", async () => {
    for (let failAt = 1; failAt <= 30; failAt++) {
      const storage = memoryStorage();
      const first = await open(new Letters(), storage);
      for (const text of texts(20)) await first.pal.remember(text);
      const store = await openStore(withFaults(storage, { failAt }), { embedder: new Letters() });
      const code = await store
        .session({ agent: "orion" })
        .semanticSearch("memory", { waitMs: 50 })
        .then(
          ({ status }) => status,
          (error) => error.code,
        );
      expect(["complete", "partial", "STORE_IO"]).toContain(code);
      const embedding = await store.embedding();
      expect([failAt, (await embedding.done()) || (await embedding.done())]).toEqual([failAt, true]);
      expect(embedding.state()).toMatchObject({ embedded: 20, waiting: 0 });
    }
  });

  it("Y115 closing does not wait for a service that does not answer", async () => {
    const service = await serve(() => undefined);
    const store = await openStore(memoryStorage(), { embedder: { use: "ollama", host: service.url } });
    const pal = store.session({ agent: "orion" });
    await pal.remember("x");
    const search = pal.semanticSearch("x").catch((error) => error.code);
    await expect.poll(() => service.calls.length).toBe(1);
    await store.close();
    expect(await search).toBe("CLOSED");
    await service.close();
  });
});

describe("names", () => {
  it("Y120 speakers' names are left out of what is embedded, also of what was embedded before they were known", async () => {
    const letters = new Letters();
    const { store, pal, embedding } = await open(letters);
    await pal.remember({ id: "note", type: "note", text: "Melanie likes pottery" });
    await embedding.done();
    expect(letters.documents).toEqual(["Melanie likes pottery"]);
    const melanie = store.session({ agent: "Melanie" });
    await melanie.remember({ type: "message", text: "I painted a lake" });
    await embedding.done();
    expect(letters.documents.slice(1).sort()).toEqual(["I painted a lake", "likes pottery"]);
    await pal.semanticSearch("What does melanie like?");
    expect(letters.asked.at(-1)).toEqual({ kind: "query", texts: ["What does like?"] });
  });

  it("Y121 names from where a reader does not see change nothing that the reader gets", async () => {
    const letters = new Letters();
    const { store, pal, embedding } = await open(letters);
    await pal.remember({ id: "note", type: "note", text: "Melanie likes pottery" });
    const melanie = store.session({ agent: "Melanie", home: "agent/Melanie" });
    await melanie.remember({ type: "message", text: "I painted a lake" });
    const hidden = store.session({ agent: "Melanie" });
    await hidden.remember({ type: "message", text: "psst", sensitivity: "confidential" });
    await embedding.done();
    expect(letters.documents).toContain("Melanie likes pottery");
    await pal.semanticSearch("Who told Melanie?");
    expect(letters.asked.at(-1)!.texts).toEqual(["Who told Melanie?"]);
    await melanie.semanticSearch("Who told Melanie?");
    expect(letters.asked.at(-1)!.texts).toEqual(["Who told?"]);
  });
});

describe("semanticSearch", () => {
  it("Y130 gives id, similarity and memory, most alike first: 10 of at least 0.5 by default", async () => {
    const { pal, embedding } = await open();
    for (let n = 0; n < 30; n++)
      await pal.remember({ id: `id-${n}`, text: "a".repeat(1 + n) + "b".repeat(30 - n) });
    await embedding.done();
    const { hits, status, missing, model } = await pal.semanticSearch("aaaa");
    expect([hits.length, status, missing, model]).toEqual([10, "complete", 0, "letters/v1"]);
    expect(hits[0]).toMatchObject({ id: "id-29", memory: { id: "id-29", text: `${"a".repeat(30)}b` } });
    const similarities = hits.map(({ similarity }) => similarity);
    expect(similarities).toEqual([...similarities].sort((a, b) => b - a));
    const all = await pal.semanticSearch("aaaa", { limit: 99 });
    expect(all.hits.length).toBeLessThan(30);
    expect(Math.min(...all.hits.map(({ similarity }) => similarity))).toBeGreaterThanOrEqual(0.5);
    expect((await pal.semanticSearch("aaaa", { limit: 99, minSimilarity: -1 })).hits).toHaveLength(30);
    expect((await pal.semanticSearch("aaaa", { limit: 0 })).hits).toEqual([]);
  });

  it("Y131 shows only what the session sees and what has not expired", async () => {
    let now = Date.parse("2026-03-01T12:00:00Z");
    const store = await openStore(memoryStorage(), {
      clock: () => now,
      embedder: new Letters(),
      gate: ALIKE,
    });
    stores.push(store);
    const all = store.session({ agent: "op", scopes: ["*"], clearance: "confidential" });
    await all.remember({ id: "seen", text: "aaaa" });
    await all.remember({ id: "foreign", text: "aaaa", scope: "user/7" });
    await all.remember({ id: "secret", text: "aaaa", sensitivity: "confidential" });
    await all.remember({ id: "brief", text: "aaaa", ttl: 1000 });
    await (await store.embedding()).done();
    const pal = store.session({ agent: "orion" });
    const ids = async () => (await pal.semanticSearch("aaaa")).hits.map(({ id }) => id).sort();
    expect(await ids()).toEqual(["brief", "seen"]);
    now += 2000;
    expect(await ids()).toEqual(["seen"]);
    expect((await all.semanticSearch("aaaa")).hits).toHaveLength(3);
    const control = await store.embedding();
    await pal.remember({ id: "less", text: "aaaab" });
    for (let n = 0; n < 12; n++) await all.remember({ text: `aaaa ${n}`, scope: "user/7" });
    await control.done();
    control.pause();
    await all.remember({ text: "not embedded", scope: "user/7" });
    // What is hidden takes no place among the ten and counts for nothing.
    const answer = await pal.semanticSearch("aaaa");
    expect(answer).toMatchObject({ missing: 0, status: "complete" });
    expect(answer.hits.map(({ id }) => id).sort()).toEqual(["less", "seen"]);
  });

  it("Y132 nothing to ask gives no vector and no hits; the same question is embedded once", async () => {
    const letters = new Letters();
    const { pal, embedding } = await open(letters);
    await pal.remember("x");
    await embedding.done();
    for (const blank of ["", "  \n"]) expect((await pal.semanticSearch(blank)).hits).toEqual([]);
    expect(await embedding.query(" ")).toBeUndefined();
    await pal.semanticSearch("what?");
    await pal.semanticSearch("what?");
    expect(letters.asked.filter(({ kind }) => kind === "query")).toHaveLength(1);
  });

  it("Y133 the answer says what cannot be compared: no embedder, a failing one, memories without a vector yet", async () => {
    const none = await open("none");
    await none.pal.remember("x");
    expect(await none.pal.semanticSearch("x")).toMatchObject({ hits: [], status: "unavailable" });
    expect(none.embedding.state().phase).toBe("off");
    const letters = new Letters();
    letters.fails = (_, kind) => kind === "query";
    const failing = await open(letters);
    await failing.pal.remember("x");
    expect(await failing.pal.semanticSearch("x")).toMatchObject({
      status: "unavailable",
      reason: "It fails as told.",
    });
    letters.fails = (_, kind) => kind === "document";
    expect(await failing.pal.semanticSearch("x")).toMatchObject({ status: "partial", missing: 1, hits: [] });
  });

  it("Y163 a model that fails while it is asked what a name leaves open leaves the answer to words", async () => {
    const letters = new Letters();
    const { pal, embedding } = await open(letters);
    await pal.remember("Tom is allergic to peanuts");
    await embedding.done();
    letters.fails = ([text], kind) => kind === "query" && !text?.includes("Tom");
    const question = "What is the phone number of Tom?";
    expect(await pal.search(question, { mode: "hybrid" })).toMatchObject({ mode: "hybrid", abstain: true });
    expect(letters.asked.filter(({ kind }) => kind === "query").length).toBeGreaterThan(1);
  });

  it("Y134 waits for memories without a vector as long as the caller allows", async () => {
    const { pal } = await open();
    await pal.rememberMany(texts(40));
    expect(await pal.semanticSearch("memory number", { waitMs: 30_000 })).toMatchObject({
      status: "complete",
      missing: 0,
    });
  });

  it("Y135 EMBED embeds before the call returns, alone and in bulk; a failure then is no failure of the write", async () => {
    const letters = new Letters();
    const { pal } = await open(letters);
    const attributes = { EMBED: "t" };
    await pal.remember({ id: "one", type: "headline", text: "first", attributes });
    expect(letters.documents).toEqual(["first"]);
    expect(await pal.vectors("one")).toHaveLength(1);
    await pal.rememberMany([{ type: "headline", text: "second", attributes }]);
    expect(letters.documents).toContain("second");
    letters.fails = () => true;
    expect(await pal.remember({ id: "bad", type: "headline", text: "third", attributes })).toMatchObject({
      verdict: "accepted",
    });
    expect(await pal.vectors("bad")).toEqual([]);
  });

  it("Y135 EMBED on a headline of a document embeds it before the ingest returns, and again when it has changed", async () => {
    const letters = new Letters();
    const { pal, embedding } = await open(letters);
    // What does not ask for it waits.
    embedding.pause();
    const folder = await mkdtemp(join(tmpdir(), "embed-"));
    const file = join(folder, "notes.org");
    const note = (text: string) =>
      `* Harbour\n:PROPERTIES:\n:ID: harbour\n:EMBED: t\n:END:\n${text}\n* Other\n`;
    await writeFile(file, note("The boat lies in Kiel."));
    await pal.ingest(file);
    expect(letters.documents).toEqual([expect.stringContaining("Kiel")]);
    expect(await pal.vectors("harbour")).toHaveLength(1);
    await pal.ingest(file, { dryRun: true });
    await pal.ingest(file);
    expect(letters.documents).toHaveLength(1);
    await writeFile(file, note("The boat lies in Lübeck."));
    await pal.ingest(file);
    expect(letters.documents[1]).toContain("Lübeck");
    await rm(folder, { recursive: true });
  });
});

describe("with the default model", () => {
  const { make } = testMiniLm();

  it("Y136 finds by meaning what shares no word with the question", async () => {
    const embedder = make();
    const store = await openStore(memoryStorage(), { embedder, gate: ALIKE });
    stores.push(store);
    const pal = store.session({ agent: "orion" });
    await pal.remember({ id: "allergy", text: "My daughter cannot eat peanuts." });
    await pal.remember({ id: "deploy", text: "Deployments happen every Tuesday." });
    await pal.remember({ id: "cat", text: "She adopted a second cat in March." });
    const { hits } = await pal.semanticSearch("Which food is dangerous for the child?", {
      waitMs: 60_000,
      minSimilarity: 0.2,
    });
    expect(hits[0]).toMatchObject({ id: "allergy" });
    const [vector] = await pal.vectors("allergy");
    const [expected] = await embedder.embed(["My daughter cannot eat peanuts."], "document");
    expect(cosineSimilarity(vector, expected)).toBeGreaterThan(0.9995);
    await embedder.close();
  });

  it("MI62 where vectors are in use, a persona is found by meaning: no word of the context is its own", async () => {
    const embedder = make();
    const store = await openStore(memoryStorage(), { embedder });
    stores.push(store);
    const pal = store.session({ agent: "orion" });
    await pal.createBranch("kitchen", { persona: "Chef", purpose: "Recipes, cooking and menus" });
    await pal.createBranch("law", { persona: "Lawyer", purpose: "Contracts, claims and courts" });
    const asked = "How long should I roast potatoes and onions in the oven for dinner?";
    expect(await pal.maybeSwitchPersona(asked)).toMatchObject({ branch: "main", switched: false });
    await pal.remember("Bread comes on Tuesdays");
    await pal.semanticSearch("bread", { waitMs: 60_000 });
    expect(await pal.maybeSwitchPersona(asked)).toMatchObject({ branch: "kitchen", switched: true });
    expect(
      await pal.maybeSwitchPersona("My landlord sued me over the lease, must I answer the judge?"),
    ).toMatchObject({ branch: "law", switched: true });
    expect(await pal.maybeSwitchPersona("The trains to Vienna were late again this morning")).toMatchObject({
      branch: "law",
      switched: false,
    });
    await embedder.close();
  });
});
