import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PalimpsestError } from "../../core/base/errors.js";
import type { Hash } from "../../core/base/hash.js";
import { forged, type ImageHeader } from "../../index/_forged-image.js";
import { View } from "../../index/view.js";
import { memoryStorage, openStore, type Session, type Storage, type Store } from "../../session/index.js";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "pal-views-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const images = () => readdirSync(directory).filter((name) => name.endsWith(".img"));
const many = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => ({
    id: `memory-${from + at}`,
    text: `Number ${from + at} likes ${["tea", "coffee", "water"][at % 3]} in room ${at % 7}`,
    tags: [`t${at % 5}`],
  }));

/** What a session answers from its view, without what differs from call to call. */
async function answers(pal: Session, at?: string): Promise<unknown> {
  const when = at === undefined ? {} : { at };
  // The head is looked at once per turn of the event loop.
  await new Promise((resume) => setImmediate(resume));
  return [
    await pal.list(when),
    await pal.list({ type: "note", ...when }),
    await pal.list({ tag: "t1", limit: 3, ...when }),
    (await pal.search("tea in a room", when)).hits,
    (await pal.search("type:fact coffee tag:t2", when)).hits,
    await pal.stats(when),
    (await pal.view({ max: 5, ...when })).items,
    await pal.get("mory-00", when).catch((error) => error.code),
  ];
}

const action = fc.record({
  kind: fc.constantFrom("add", "change", "forget", "undo", "again", "late"),
  id: fc.nat(8),
  word: fc.constantFrom("tea", "coffee", "room"),
});

describe("Q: views of a store", () => {
  it("Q10 after any writes, one's own and others', the view answers as one made anew, now and at any commit", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 14 }), fc.nat(), async (actions, pick) => {
        const storage = memoryStorage();
        let now = Date.UTC(2026, 0, 1);
        const options = { clock: () => now };
        const stores = [await openStore(storage, options), await openStore(storage, options)];
        const sessions = stores.map((store) => store.session({ agent: "a", scopes: ["shared", "agent/a"] }));
        const commits: string[] = [];
        for (const [at, { kind, id, word }] of actions.entries()) {
          const pal = sessions[at % 2]!;
          now += 10;
          const name = `memory-0${id}`;
          const scope = id % 2 === 0 ? "shared" : "agent/a";
          const text = `${word} number ${id} in the room`;
          const verdict = await {
            add: () => pal.remember(text, { id: name, scope, tags: [`t${id % 3}`] }),
            change: () => pal.update(name, `${text}, changed`, { scope }),
            forget: () => pal.forget(name, { scope }),
            undo: () => pal.undo(),
            again: () => pal.remember("tea number 1 in the room", { id: name, scope }),
            late: () => pal.remember(text, { id: name, scope, type: "note", ttl: 40 }),
          }
            [kind]()
            .catch(() => undefined);
          if (verdict && "commit" in verdict && verdict.commit) commits.push(verdict.commit);
          await sessions[0]!.search("tea");
          if (at % 3 === 0) await answers(sessions[1]!, commits[pick % commits.length]);
        }
        const fresh = (await openStore(storage, options)).session({
          agent: "a",
          scopes: ["shared", "agent/a"],
        });
        const at = commits[pick % commits.length];
        for (const pal of sessions) {
          if (at !== undefined) expect(await answers(pal, at)).toEqual(await answers(fresh, at));
          expect(await answers(pal)).toEqual(await answers(fresh));
        }
      }),
      { numRuns: 25 },
    );
  });

  it("Q11 a get, or writing a document by its whole id, makes no view: it reads a few objects, whatever the store holds", async () => {
    const storage = memoryStorage();
    const writer = await openStore(storage);
    await writer.session({ agent: "a" }).rememberMany(many(2000));
    await writer.settle();
    let read = 0;
    const counting = new Proxy(storage, {
      get(target, name, receiver) {
        const value = Reflect.get(target, name, receiver);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          if (name === "getMany") read += (args[0] as unknown[]).length;
          if (name === "touchSince" || name === "scan") read += 1000;
          return value.apply(target, args);
        };
      },
    }) as Storage;
    const pal = (await openStore(counting)).session({ agent: "b" });
    expect((await pal.get("memory-77"))?.text).toContain("Number 77");
    await pal.remember({ type: "note", text: "One more", id: "one-more" });
    await pal.update("one-more", "Changed");
    await pal.forget("memory-78");
    expect(read).toBeLessThan(200);
    expect((await pal.search("Changed")).hits).toHaveLength(1);
    expect(read).toBeGreaterThan(2000);
  });

  it("A33 once there is a view, a belief is judged by reading a few objects, whatever the store holds", async () => {
    const storage = memoryStorage();
    const pal = (await openStore(storage)).session({ agent: "a" });
    await pal.rememberMany(many(2000));
    let read = 0;
    const getMany = storage.getMany.bind(storage);
    storage.getMany = (hashes) => {
      read += hashes.length;
      return getMany(hashes);
    };
    const again = many(2000)[1234] as { text: string };
    expect(await pal.remember(`${again.text}!`)).toMatchObject({ verdict: "duplicate", of: "memory-1234" });
    for (let at = 0; at < 20; at++) await pal.remember(`Crate ${at} holds ${at * 3} lamps`);
    expect(read).toBeLessThan(400);
  });

  it("A33 the rarest word alone does not decide where to look", async () => {
    const pal = (await openStore(memoryStorage())).session({ agent: "a" });
    await pal.remember("The garden fence needs green paint before winter", { id: "fence" });
    await pal.remember("Zanzibar exports cloves");
    await pal.remember("Green paint was left over from the school before the winter holidays");
    await pal.remember("Whoever needs a garden builds a fence");
    expect(
      await pal.remember("The garden fence no longer needs green paint before winter, zanzibar"),
    ).toMatchObject({ verdict: "accepted", against: "fence" });
  });

  it("A33 what has no words to be found by is found word for word", async () => {
    const pal = (await openStore(memoryStorage())).session({ agent: "a" });
    const { id } = await pal.remember("👍🎉");
    expect(await pal.remember("👍🎉")).toMatchObject({ verdict: "duplicate", of: id });
  });

  it("Q10 so many memories that they are read as they were written, and commits that are read at once: the same answers", async () => {
    const store = await openStore(directory);
    const pal = store.session({ agent: "ada" });
    await pal.rememberMany(many(700).map((item) => ({ ...item, type: "note" })));
    const other = await openStore(directory);
    await other.session({ agent: "ada" }).list({ limit: 1 });
    await pal.forget("memory-3");
    await pal.undo();
    for (let at = 10; at < 25; at++) await pal.update(`memory-${at}`, `Number ${at} likes tea by now`);
    await pal.forget("memory-12");
    const expected = await answers(pal);
    expect(await answers(other.session({ agent: "ada" }))).toEqual(expected);
    await other.close();
    await store.close();
    for (const name of images()) rmSync(join(directory, name));
    const anew = await openStore(directory);
    expect(await answers(anew.session({ agent: "ada" }))).toEqual(expected);
    await anew.close();
  });

  it("Q12 closing saves an image, the next process starts from it and follows what came after", async () => {
    let store = await openStore(directory);
    await store.session({ agent: "a" }).rememberMany(many(400));
    await store.session({ agent: "a" }).search("tea");
    await store.close();
    const [image] = images();
    expect(images()).toHaveLength(1);
    store = await openStore(directory);
    const pal = store.session({ agent: "a" });
    await pal.remember("Kea likes mate", { id: "kea" });
    await pal.forget("memory-3");
    expect((await pal.search("mate")).hits.map(({ id }) => id)).toEqual(["kea"]);
    expect(await pal.list()).toHaveLength(400);
    await store.close();
    // Two changes are not worth a new file.
    expect(images()).toEqual([image]);
  });

  it("Q13 a damaged, cut, missing or exchanged image is noticed and made again; answers are the same", async () => {
    const make = async () => {
      const store = await openStore(directory);
      const found = await answersOf(store);
      await store.close();
      return found;
    };
    const store = await openStore(directory);
    await store.session({ agent: "a" }).rememberMany(many(300));
    await store.close();
    const truth = await make();
    let [last] = images();
    for (const harm of [
      (path: string) => writeFileSync(path, flipped(readFileSync(path), 5000)),
      (path: string) => writeFileSync(path, readFileSync(path).subarray(0, 9000)),
      (path: string) => writeFileSync(path, Buffer.from([...readFileSync(path)].with(7, 4))),
      (path: string) => writeFileSync(path, ""),
      (path: string) => rmSync(path),
      (path: string) => writeFileSync(path, Buffer.alloc(20_000, 7)),
    ]) {
      harm(join(directory, last!));
      expect(await make()).toEqual(truth);
      expect(images()).toHaveLength(1);
      expect(images()).not.toEqual([last]);
      [last] = images();
    }
    for (let part = 1; part < 10; part++) {
      const path = join(directory, images()[0]!);
      const whole = readFileSync(path);
      writeFileSync(path, flipped(whole, Math.floor((whole.length * part) / 10)));
      expect(await make(), `part ${part}`).toEqual(truth);
    }
  });

  it("Q145 an image with right checksums and wrong places changes no answer and is made again", async () => {
    const { storage, blob, blobs } = await imaged(300);
    const [image] = blobs.values();
    const store = await openStore(storage);
    const truth = await answersOf(store);
    await store.close();
    for (const section of [[-8, 1], [0, 1e9], [2 ** 40, 8], []]) {
      const [before] = blobs.keys();
      blobs.clear();
      const lie = ({ sections }: ImageHeader) => {
        sections.docs = section;
      };
      blobs.set(before!, forged(Buffer.from(image!), lie));
      const again = await openStore(storage);
      expect(await answersOf(again), `${section}`).toEqual(truth);
      await again.close();
      expect([...blobs.keys()]).not.toContain(before);
      expect(blob.opened).toBe(0);
    }
  });

  it("a question reads a part of the image; whoever goes on reads the rest and holds nothing open", async () => {
    const { storage, blob } = await imaged(5000);
    const store = await openStore(storage);
    await store.session({ agent: "a" }).search("tea");
    expect(blob.read).toBeGreaterThan(0);
    expect(blob.read).toBeLessThan(blob.size);
    expect(blob.isOpen).toBe(true);
    await vi.waitFor(() => expect(blob.isOpen).toBe(false), { timeout: 20_000 });
    expect(blob.read).toBeGreaterThanOrEqual(blob.size);
    await store.close();
  });

  it("closing lets go of the image, whatever was read of it", async () => {
    const { storage, blob } = await imaged(300);
    const store = await openStore(storage);
    await store.session({ agent: "a" }).search("tea");
    expect(blob.isOpen).toBe(true);
    await store.close();
    expect(blob.isOpen).toBe(false);
  });

  it("Q22 damage that is met late, by a question or a write, changes no answer", async () => {
    const { storage, blob } = await imaged(2000);
    const other = await openStore(storage);
    const truth = await answersOf(other);
    for (const writes of [false, true]) {
      blob.isDamaged = false;
      const store = await openStore(storage);
      const pal = store.session({ agent: "a" });
      await pal.search("tea");
      blob.isDamaged = true;
      if (writes) await pal.remember("Kea likes mate", { id: "kea" });
      else expect(await answersOf(store)).toEqual(truth);
      const [found, known] = await Promise.all(
        [pal, other.session({ agent: "a" })].map((one) => one.search("mate or coffee")),
      );
      expect(found!.hits).toEqual(known!.hits);
      await store.close();
    }
    await other.close();
  });

  it("Q146 an image that cannot be closed ends no process: the view is made again from the store", async () => {
    const { storage, blob } = await imaged(300);
    blob.isStuck = true;
    const store = await openStore(storage);
    const pal = store.session({ agent: "a" });
    const truth = (await pal.search("tea")).hits;
    await vi.waitFor(() => expect(blob.read).toBeGreaterThanOrEqual(blob.size), { timeout: 20_000 });
    // Whoever rejects and is waited for by nobody is found out at the end of a turn of the event loop.
    await new Promise((resume) => setImmediate(resume));
    expect((await pal.search("tea")).hits).toEqual(truth);
    await store.close();
  });

  it("Q146 a view whose parts cannot be joined is made again from the store, and closing ends well", async () => {
    const store = await openStore(memoryStorage());
    const pal = store.session({ agent: "a" });
    await pal.rememberMany(many(20));
    const truth = (await pal.search("tea")).hits;
    const isDue = vi.spyOn(View.prototype, "isDue", "get").mockReturnValue(true);
    // biome-ignore lint/correctness/useYield: it fails at its first step.
    const joining = vi.spyOn(View.prototype, "compacting").mockImplementation(function* () {
      throw new RangeError("Array buffer allocation failed");
    });
    await pal.remember("Kea keeps a parrot", { id: "kea" });
    await pal.forget("kea");
    await vi.waitFor(() => expect(joining).toHaveBeenCalled());
    await new Promise((resume) => setImmediate(resume));
    isDue.mockRestore();
    expect((await pal.search("tea")).hits).toEqual(truth);
    await store.close();
    joining.mockRestore();
  });

  it("Q103 an image that could not be written to its end leaves nothing behind", async () => {
    const { storage, blob, blobs } = await imaged(300);
    const before = [...blobs.keys()];
    blob.isFull = true;
    for (let round = 0; round < 3; round++) {
      const store = await openStore(storage);
      const pal = store.session({ agent: "a" });
      await pal.rememberMany(many(100, 300 + 100 * round).map((one) => ({ ...one, type: "note" })));
      await pal.search("tea");
      await store.close();
    }
    expect([...blobs.keys()]).toEqual(before);
  });

  it("Q104 a view that could not be made holds no image open, however often that is tried", async () => {
    const { storage, blob } = await imaged(300);
    const writing = await openStore(storage);
    const { commit } = await writing.session({ agent: "a" }).remember("Tea is here", { type: "note" });
    const { changeset } = JSON.parse(Buffer.from((await storage.get(commit as Hash))!).toString());
    const getMany = storage.getMany.bind(storage);
    Object.assign(storage, {
      getMany: async (hashes: readonly Hash[]) => {
        if (hashes.includes(changeset)) throw new PalimpsestError("STORE_IO", "The disk failed.");
        return getMany(hashes);
      },
    });
    const store = await openStore(storage);
    const pal = store.session({ agent: "a" });
    for (let round = 0; round < 3; round++)
      await expect(pal.search("tea")).rejects.toMatchObject({ code: "STORE_IO" });
    expect(blob.opened).toBeLessThanOrEqual(1);
    await store.close();
    expect(blob.opened).toBe(0);
  });

  it("Q14 of several that save at once one is published, and no file is left over", async () => {
    const first = await openStore(directory);
    await first.session({ agent: "a" }).rememberMany(many(300));
    const others = await Promise.all(Array.from({ length: 3 }, () => openStore(directory)));
    for (const store of [first, ...others]) await store.session({ agent: "a" }).search("tea");
    await Promise.all([first, ...others].map((store) => store.close()));
    expect(images()).toHaveLength(1);
    const again = await openStore(directory);
    expect((await again.session({ agent: "a" }).search("tea")).hits).toHaveLength(10);
    await again.close();
    expect(images()).toHaveLength(1);
  });

  it("Q15 what an erase took away is in no view and no image made before", async () => {
    const store = await openStore(directory);
    const pal = store.session({ agent: "a" });
    await pal.rememberMany(many(300));
    await pal.search("tea");
    await store.close();
    const [before] = images();
    const again = await openStore(directory);
    const storage = (await import("../../storage/index.js")).sqliteStorage(directory);
    const memory = await again.session({ agent: "a" }).get("memory-5");
    await again.session({ agent: "a" }).forget("memory-5");
    await storage.remove([memory!.hash]);
    await storage.close();
    expect((await again.session({ agent: "a" }).search("Number 5")).hits.map(({ id }) => id)).not.toContain(
      "memory-5",
    );
    await again.close();
    expect(images()).not.toEqual([before]);
    expect(readFileSync(join(directory, images()[0]!)).includes(Buffer.from("memory-5\0"))).toBe(false);
  });

  it("Q16 a search finds by word form, identifier and phrase, takes filters, and says why and where", async () => {
    const store = await openStore(memoryStorage());
    const pal = store.session({ agent: "a", trust: "user" });
    await pal.remember("Ann deployed getUserById to production", { id: "code", tags: ["Work"] });
    await pal.remember("The deploy of Monday failed", {
      id: "note",
      type: "note",
      attributes: { TITLE: "Incidents" },
    });
    await pal.remember({ id: "triple", triple: { subject: "Kim", predicate: "lives_in", object: "Porto" } });
    const ids = async (question: string, options = {}) =>
      (await pal.search(question, options)).hits.map(({ id }) => id);
    expect(new Set(await ids("deploying"))).toEqual(new Set(["code", "note"]));
    expect(await ids("user by id")).toEqual(["code"]);
    expect(await ids("getuserbyid")).toEqual(["code"]);
    expect(await ids('"deploy of monday"')).toEqual(["note"]);
    expect(await ids('"monday deploy"')).toEqual([]);
    expect(await ids("incidents")).toEqual(["note"]);
    expect(await ids("deploy type:note")).toEqual(["note"]);
    expect(await ids("deploy tag:work")).toEqual(["code"]);
    expect(await ids("subject:kim")).toEqual(["triple"]);
    expect(await ids("deploy", { attributes: { TITLE: "Incidents" } })).toEqual(["note"]);
    expect(await ids("deploy", { limit: 1 })).toHaveLength(1);
    expect(await ids("deploy before:2020-01-01")).toEqual([]);
    expect(await ids("deploy", { after: "2020-01-01" })).toHaveLength(2);
    expect(await ids("xylophone")).toEqual([]);
    const [hit] = (await pal.search("production deploy")).hits;
    expect(hit).toMatchObject({ id: "code", scope: "shared", type: "fact", version: 1 });
    expect(hit!.matches.map(([from, to]) => hit!.text.slice(from, to))).toEqual(["deployed", "production"]);
    expect(hit!.why.length).toBeGreaterThan(0);
    expect(hit!.why.reduce((sum, { points }) => sum + points, 0)).toBeCloseTo(hit!.score, 4);
    expect(hit!.commit).toMatch(/^[0-9a-f]{64}$/);
  });

  it("Q17 signs alone find nothing, and an empty question everything", async () => {
    const pal = (await openStore(memoryStorage())).session({ agent: "a" });
    await pal.remember("Tea is served at four", { type: "note", tags: ["tea"] });
    for (const signs of ["((((", ":::", "👍", "?"])
      expect(await pal.search(signs)).toMatchObject({ hits: [], answerable: 0, abstain: true });
    for (const open of ["", "  ", "tag:tea", "tag:tea ???"])
      expect((await pal.search(open)).hits).toHaveLength(1);
  });

  it("Q17 no question throws, and a text of a memory is found by its own words however they are put (B10)", async () => {
    const store = await openStore(memoryStorage());
    const pal = store.session({ agent: "a" });
    await pal.remember("The quokka sleeps", { id: "quokka" });
    const noise = fc.oneof(
      fc.string(),
      fc.string({ unit: "binary" }),
      fc.constantFrom('"', "type:", ":", "()", "*", "AND", "-", "'; DROP", "\u0000", "before:x"),
    );
    await fc.assert(
      fc.asyncProperty(noise, noise, async (before, after) => {
        await pal.search(before + after);
        const { hits } = await pal.search(
          `${before.replaceAll(/[\p{L}\p{N}\p{M}"“”„«»:_]/gu, "")} quokka ${after.replaceAll(/[\p{L}\p{N}\p{M}"“”„«»:_]/gu, "")}`,
        );
        expect(hits.map(({ id }) => id)).toEqual(["quokka"]);
      }),
      { numRuns: 200 },
    );
  });

  it("Q2 a view that follows across merges shows each memory once, with the version that is its last", async () => {
    const store = await openStore(memoryStorage(), { clock: tick() });
    const main = store.session({ agent: "a", branch: "main" });
    await main.remember("Zero", { id: "z" });
    await main.remember("One", { id: "a" });
    await main.createBranch("side");
    const side = store.session({ agent: "a", branch: "side" });
    const shown = async (session: Session) =>
      (await session.list()).map(({ id, version }) => `${id} ${version}`).sort();
    await main.remember("Three", { id: "a" });
    await side.update("a", { category: "one" });
    await side.remember("New", { id: "n" });
    expect(await shown(side)).toEqual(["a 2", "n 1", "z 1"]);
    await main.merge("side");
    expect(await shown(main)).toEqual(["a 3", "n 2", "z 1"]);
    await side.remember("Other", { id: "o" });
    await side.merge("main");
    // The merge had nothing to do for n, yet its last version is the one that main made of it.
    expect(await shown(side)).toEqual(["a 4", "n 2", "o 1", "z 1"]);
    for (const { id, version } of await side.list())
      expect((await side.history(id)).at(-1)).toMatchObject({ version });
  });

  it("Q10 a view made of many memories at once says of each what a look at it alone says, through merges and returns", async () => {
    const storage = memoryStorage();
    const store = await openStore(storage, { clock: tick() });
    const main = store.session({ agent: "a", scopes: ["shared", "project/b"] });
    const notes = (from: number, to: number, scope: string) =>
      Array.from({ length: to - from }, (_, at) => ({
        id: `n-${from + at}`,
        text: `Note ${from + at}`,
        type: "note",
        scope,
      }));
    await main.rememberMany(notes(0, 400, "shared"));
    await main.createBranch("side");
    const side = store.session({ agent: "b", branch: "side", scopes: ["shared", "project/b"] });
    await side.rememberMany(notes(400, 800, "project/b"));
    await side.update("n-7", { category: "side" });
    await main.remember("Main goes on", { id: "main", type: "note" });
    await main.merge("side");
    await main.forget("n-500", { scope: "project/b" });
    await main.remember("Note 500", { id: "n-500", type: "note", scope: "project/b" });
    for (const branch of ["main", "side"]) {
      const scopes = ["shared", "project/b"];
      const fresh = (await openStore(storage)).session({ agent: "a", branch, scopes });
      const all = await fresh.list({ type: "note", limit: 1000 });
      expect(all).toHaveLength(branch === "main" ? 801 : 800);
      for (const one of all.filter(({ id }, at) => at % 9 === 0 || ["n-7", "n-500", "main"].includes(id))) {
        const alone = (await openStore(storage)).session({ agent: "a", branch, scopes });
        expect(one).toEqual(await alone.get(one.id, { scope: one.scope, exact: true }));
      }
    }
  });

  it("Q18 the view shows canon, then topics, then the newest beliefs", async () => {
    const store = await openStore(memoryStorage(), { clock: tick() });
    const pal = store.session({ agent: "a", trust: "user" });
    await pal.remember("Older", { id: "older" });
    await pal.remember("Newer", { id: "newer" });
    await pal.remember("A note", { id: "note", type: "note" });
    await pal.remember("Tea", { topic: "drink" });
    await pal.remember("Be kind", { id: "rule", tier: "canon" });
    const view = await pal.view({ max: 3 });
    expect(view.items.map(({ text }) => text)).toEqual(["Be kind", "Tea", "Newer"]);
    expect(view).toMatchObject({ branch: "main", memories: 5, beliefs: 4 });
  });
});

function tick(): () => number {
  let now = Date.UTC(2026, 0, 1);
  return () => now++;
}

/** A store with an image, of which is known what was read. */
async function imaged(count: number) {
  const blobs = new Map<string, Uint8Array>();
  const blob = {
    size: 0,
    read: 0,
    opened: 0,
    isOpen: false,
    isDamaged: false,
    isFull: false,
    isStuck: false,
  };
  const storage: Storage = Object.assign(memoryStorage(), {
    close: async () => undefined,
    blobs: {
      open: async (name: string) => {
        const bytes = blobs.get(name);
        if (!bytes) return undefined;
        Object.assign(blob, { size: bytes.length, read: 0, isOpen: true });
        let isOpen = true;
        blob.opened++;
        return {
          size: bytes.length,
          read: (from: number, to: number) => {
            blob.read += to - from;
            return blob.isDamaged ? new Uint8Array(to - from) : bytes.slice(from, to);
          },
          close: () => {
            if (blob.isStuck) throw new Error("The disk failed.");
            blob.isOpen = false;
            if (isOpen) blob.opened--;
            isOpen = false;
          },
        };
      },
      write: async (name: string, pieces: readonly Uint8Array[]) => {
        blobs.set(name, Buffer.concat(blob.isFull ? pieces.slice(0, 3) : pieces));
        if (blob.isFull) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
      },
      remove: async (name: string) => void blobs.delete(name),
      list: async () => [...blobs.keys()].map((name) => ({ name, ageMs: 0 })),
    },
  });
  const store = await openStore(storage);
  await store.session({ agent: "a" }).rememberMany(many(count).map((one) => ({ ...one, type: "note" })));
  await store.session({ agent: "a" }).search("tea");
  await store.close();
  return { storage, blob, blobs };
}

const flipped = (bytes: Buffer, at: number): Buffer => {
  bytes[at]! ^= 1;
  return bytes;
};

const answersOf = async (store: Store): Promise<unknown> => {
  const pal = store.session({ agent: "a" });
  return [await pal.list(), (await pal.search("water in room 5")).hits, await pal.stats()];
};
