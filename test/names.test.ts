import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  memoryStorage,
  openStore,
  type PalimpsestError,
  postgresStorage,
  type Session,
  type Storage,
  type Store,
  sqliteStorage,
} from "../src/index.js";
import { Shell } from "./_cli.js";
import { startPostgres, type TestServer } from "./_postgres.mjs";
import { PATIENCE, ROOT, TORTURE } from "./_processes.js";

type Use = (pal: Session, name: string) => Promise<unknown>;

/** Every verb that changes, proves or takes away what it is told the name of. */
const CHANGES: Readonly<Record<string, Use>> = {
  update: (pal, name) => pal.update(name, "Something else"),
  forget: (pal, name) => pal.forget(name),
  forgetMany: (pal, name) => pal.forgetMany([name]).then(refusedOf),
  move: (pal, name) => pal.move(name, "agent/ada"),
  observe: (pal, name) => pal.observe(name, { confidence: 0.9 }),
  confirm: (pal, name) => pal.confirm(name),
  resolve: (pal, name) => pal.resolve(name, "text", { take: 1 }),
  promoteToCanon: (pal, name) => pal.promoteToCanon(name),
  moveInPalace: (pal, name) => pal.moveInPalace(name, "room"),
  erase: (pal, name) => pal.erase(name),
  "erase of several": (pal, name) => pal.erase({ ids: [name], derived: true }),
  "erase by whoever may only ask": (pal, name) => weak(pal).erase(name),
  "transaction: update": (pal, name) => pal.transaction((tx) => tx.update(name, "Something else")),
  "transaction: forget": (pal, name) => pal.transaction((tx) => tx.forget(name)),
  "transaction: observe": (pal, name) => pal.transaction((tx) => tx.observe(name)),
  "propose: forget": (pal, name) => pal.propose("idea", (tx) => tx.forget(name)),
};

/** They take a name too, and answer about it: a part may do, but never where it was the whole name of another. */
const READS: Readonly<Record<string, Use>> = {
  get: (pal, name) => pal.get(name),
  vectors: async (pal, name) => ((await pal.vectors(name)).length === 0 ? undefined : "found"),
  history: (pal, name) => pal.history(name),
  blame: (pal, name) => pal.blame(name),
  taint: (pal, name) => pal.taint(name),
  links: (pal, name) => pal.links(name),
  source: (pal, name) => pal.source(name),
  changesBelow: async (pal, name) => pal.changesBelow(name, { from: (await pal.log()).at(-1)!.commit }),
};

/** What takes no name of a memory, or names it in its own tests below. */
const OTHERS = new Set(
  `prove transaction propose acceptReview rejectReview reviewItem
  acceptPersona addScratch addStep bisect branchContext branches checkout cherryPick clearScratch close commit
  conflicts consolidate createBranch createPlace deleteBranch deleteTag describeBranch describePlace diff export figures
  fileTree findConsolidationCandidates gccFiles graph guarded handOver health heartbeat identity import ingest ingestAst
  isRecall knowledgeGraph layOut list log maybeSwitchPersona merge mindCosts newId onLog ops palaceConfig playbooks
  processConversation promote promptContext proposeDeletions proveConsistency recall reflect remember rememberMany renameBranch renamePlace
  review revert rollback rooms scratch search searchScratch semanticSearch setIdentity setPalaceConfig snapshot snapshots
  stats syncPalace tag tags takeOver trace undo vaultStats view wakeUp why`.split(/\s+/),
);

/** What a class has besides. */
const INNER = new Set(["constructor"]);

const weak = (pal: Session): Session => weaker.get(pal) as Session;
const weaker = new WeakMap<Session, Session>();

function refusedOf([verdict]: readonly { readonly verdict: string; readonly code?: string }[]): unknown {
  if (verdict?.verdict === "rejected") throw Object.assign(new Error("refused"), { code: verdict.code });
  return verdict;
}

let server: TestServer;
let directory: string;
let stores = 0;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.remove());

const STORAGES: Readonly<Record<string, () => Storage>> = {
  memory: () => memoryStorage(),
  SQLite: () => sqliteStorage(directory),
  PostgreSQL: () => postgresStorage(server.url(`names-${stores++}`)),
};

let store: Store;
afterEach(async () => {
  await store?.close();
  if (directory) rmSync(directory, { recursive: true, force: true });
});

async function open(storage: string): Promise<Session> {
  directory = mkdtempSync(join(tmpdir(), "pal-names-"));
  store = await openStore((STORAGES[storage] as () => Storage)(), { embedder: "none" });
  const pal = store.session({ agent: "ada", trust: "user", clearance: "confidential" });
  weaker.set(pal, store.session({ agent: "bob" }));
  return pal;
}

const note = (pal: Session, id: string, more = {}) =>
  pal.remember({ text: `What ${id} says`, id, type: "note", ...more });

/** How a name came to mean nothing here. */
const FATES: Readonly<Record<string, (pal: Session) => Promise<unknown>>> = {
  "never was": async () => undefined,
  "was forgotten": async (pal) => [await note(pal, "task-1"), await pal.forget("task-1")],
  "was erased": async (pal) => [await note(pal, "task-1"), await pal.erase("task-1")],
  "is on another branch": async (pal) => {
    await pal.createBranch("side");
    await note(store.session({ agent: "ada", trust: "user", branch: "side" }), "task-1");
  },
  "was a topic that was forgotten": async (pal) => [
    await pal.remember("Tea", { topic: "task-1" }),
    await pal.forget("task-1"),
  ],
};

const stateOf = async (pal: Session) => ({
  here: await pal.list(),
  waiting: (await pal.review()).length,
  commits: (await pal.log({ limit: 1_000 })).map(({ commit }) => commit),
});

const outcome = (done: Promise<unknown>): Promise<string> =>
  done.then(
    (value) => (value === undefined ? "undefined" : "done"),
    ({ code }) => String(code),
  );

describe("a name that means nothing here", PATIENCE, () => {
  test("U600 every verb of a session is known to take a name or not, so that a new one is tried here", async () => {
    const pal = await open("memory");
    const verbs = new Set<string>();
    for (let at: object = pal; at !== Object.prototype; at = Object.getPrototypeOf(at) as object)
      for (const name of Object.getOwnPropertyNames(at))
        if (typeof Object.getOwnPropertyDescriptor(at, name)?.value === "function") verbs.add(name);
    const known = new Set([...Object.keys(CHANGES), ...Object.keys(READS), ...OTHERS, ...INNER]);
    expect([...verbs].filter((verb) => !known.has(verb))).toEqual([]);
    expect([...OTHERS, ...Object.keys(READS)].filter((verb) => !verbs.has(verb))).toEqual([]);
  });

  for (const storage of Object.keys(STORAGES))
    for (const [fate, happen] of Object.entries(FATES)) {
      test(`U600 U601 what ${fate} is no part of another id: every verb refuses it and changes nothing (${storage})`, async () => {
        const pal = await open(storage);
        await note(pal, "task-10");
        await note(pal, "task-1-backup", { topic: "backups" });
        await happen(pal);
        const isStored = !/never|erased/.test(fate);
        for (const [verb, use] of Object.entries(CHANGES)) {
          // What only left this branch is still stored, and may be erased.
          if (isStored && verb.startsWith("erase")) continue;
          const before = await stateOf(pal);
          expect([verb, await outcome(use(pal, "task-1"))]).toEqual([
            verb,
            fate === "never was" ? "AMBIGUOUS" : "NOT_FOUND",
          ]);
          expect([verb, await stateOf(pal)]).toEqual([verb, before]);
        }
        expect(await pal.prove("task-1")).toMatchObject({
          present: false,
          id: expect.not.stringMatching(/task-1./),
        });
        if (fate === "never was") return;
        const error = await pal.update("task-1", "x").catch((failure) => failure);
        expect(error.message).toMatch(/was forgotten|was erased|is not here now/);
        expect(JSON.stringify(error.data)).not.toContain("task-1");
        for (const [verb, use] of Object.entries(READS)) {
          if (verb === "history" || verb === "taint") continue;
          expect([verb, await outcome(use(pal, "task-1"))]).toEqual([
            verb,
            expect.stringMatching(/^(undefined|NOT_FOUND)$/),
          ]);
        }
        const said = (await pal.history("task-1").catch(() => [])).map(({ text }) => text);
        expect(JSON.stringify(said)).not.toMatch(/task-10|backup/);
        const { here } = await stateOf(pal);
        if (isStored) expect((await pal.erase("task-1")).memories).toHaveLength(1);
        expect(await pal.list()).toEqual(here);
      });
    }

  test("U600 a part that fits one chosen id is refused with that id, which a reader finds; a topic is a whole name", async () => {
    const pal = await open("memory");
    await note(pal, "user-name-backup", { topic: "who" });
    expect((await pal.get("user-name"))?.id).toBe("user-name-backup");
    for (const [verb, use] of Object.entries(CHANGES)) {
      const before = await stateOf(pal);
      const error = (await use(pal, "user-name").catch(
        (failure) => failure as PalimpsestError,
      )) as PalimpsestError;
      expect([verb, error.code]).toEqual([verb, "NOT_FOUND"]);
      if (verb !== "forgetMany")
        expect([verb, error.data]).toEqual([verb, { candidates: ["user-name-backup"] }]);
      expect([verb, await stateOf(pal)]).toEqual([verb, before]);
    }
    expect(await pal.update("who", "Known by its topic")).toMatchObject({ id: "user-name-backup" });
    expect(await pal.prove("user-name")).toMatchObject({ id: "user-name", present: false });
  });

  test("U600 the short form of an id that nobody chose is good for a change, not for an erasure, and only if it is no whole name", async () => {
    const pal = await open("memory");
    const { id } = await pal.remember("Likes green tea");
    const topic = await pal.remember("Lives in Oslo", { topic: "city" });
    const short = id!.slice(-8);
    expect(await pal.update(short, "Likes black tea")).toMatchObject({ id });
    expect(await pal.confirm(topic.id!.slice(0, 14))).toMatchObject({ id: topic.id });
    expect(await pal.prove(short)).toMatchObject({ id, present: true });
    expect(await outcome(pal.forget(id!.slice(-7)))).toBe("NOT_FOUND");
    expect(await outcome(pal.erase(short))).toBe("NOT_FOUND");
    expect((await pal.erase(short, { dryRun: true })).memories).toMatchObject([{ id, by: "part" }]);

    await note(pal, `note-${short}`);
    expect(await pal.update(short, "Likes white tea")).toMatchObject({ id });
    await note(pal, short);
    await pal.forget(short);
    expect(await outcome(pal.forget(short))).toBe("NOT_FOUND");
    expect((await pal.get(id!))?.text).toBe("Likes white tea");
  });

  test("U601 what a session may not know of changes nothing that it is told", async () => {
    const pal = await open("memory");
    const low = store.session({ agent: "bob" });
    const told = async () =>
      Promise.all(
        ["user-name", "other-name"].map(async (name) => [
          (await low.get(name))?.id.replace("user", "other"),
          await low
            .update(name, "x")
            .catch(({ code, message, hint, data }) =>
              JSON.stringify({ code, message, hint, data }).replaceAll("user", "other"),
            ),
        ]),
      );
    await note(low, "user-name-backup");
    await note(low, "other-name-backup");
    for (const more of [{ sensitivity: "confidential" }, { scope: "agent/ada" }]) {
      await note(pal, "user-name", more);
      const [hidden, none] = await told();
      expect(hidden).toEqual(none);
      await pal.forget("user-name");
      const [gone, never] = await told();
      expect(gone).toEqual(never);
      await pal.erase("user-name");
      const [erased, nothing] = await told();
      expect(erased).toEqual(nothing);
    }
  });

  test("U601 whoever sees by patterns is not led from a scope where nothing is left to another", async () => {
    await open("memory");
    const pal = store.session({ agent: "ada", trust: "user", clearance: "confidential", scopes: ["*"] });
    await note(pal, "task-10");
    await note(pal, "task-1", { scope: "project/site" });
    await pal.forget("task-1");
    expect(await pal.get("task-1")).toBeUndefined();
    expect(await outcome(pal.update("task-1", "x"))).toBe("NOT_FOUND");
    expect(await outcome(pal.links("task-1"))).toBe("NOT_FOUND");
  });

  /** How a memory leaves the scope in which its name is looked for first. */
  const DEPARTURES: Readonly<Record<string, (pal: Session) => Promise<unknown>>> = {
    "was forgotten": (pal) => pal.forget("task"),
    "was erased": (pal) => pal.erase({ ids: ["task"], scope: "agent/ada" }),
    "was undone": (pal) => pal.undo(),
    "was forgotten in its bulk": (pal) => pal.forgetMany(["task"]),
  };

  for (const storage of Object.keys(STORAGES))
    for (const [fate, happen] of Object.entries(DEPARTURES))
      for (const kind of ["id", "topic"] as const)
        test(`U790 an ${kind} that ${fate} in a nearer scope is not the one in a farther scope, for every verb that changes (${storage})`, async () => {
          const pal = await open(storage);
          const named = (text: string, scope: string) =>
            pal.remember({ text, type: "note", scope, [kind]: "task" });
          await named("The task of everybody", "shared");
          await named("The task of Ada", "agent/ada");
          await happen(pal);
          for (const [verb, use] of Object.entries(CHANGES)) {
            // Who sees no nearer scope means the only one there is.
            if (verb === "erase by whoever may only ask") continue;
            const before = await stateOf(pal);
            expect([verb, await outcome(use(pal, "task"))]).toEqual([
              verb,
              expect.stringMatching(verb.startsWith("erase") ? /^(NOT_FOUND|AMBIGUOUS)$/ : /^NOT_FOUND$/),
            ]);
            expect([verb, await stateOf(pal)]).toEqual([verb, before]);
          }
          const error = await pal.forget("task").catch((failure) => failure);
          expect(error).toMatchObject({
            message: expect.stringMatching(/was (forgotten|erased) in agent\/ada/),
            data: { fate: fate === "was erased" ? "erased" : "forgotten", scope: "shared" },
            hint: expect.stringContaining("shared"),
          });
          expect(await pal.forget("task", { scope: error.data.scope })).toMatchObject({
            verdict: "accepted",
          });
        });

  test("U791 what was forgotten here is no topic of another, whatever was done to it on another branch since", async () => {
    for (const scope of ["shared", "agent/ada"]) {
      const pal = await open("memory");
      await note(pal, "task", { scope });
      await pal.remember({ topic: "task", id: "other", text: "Everybody drinks tea at noon" });
      await pal.createBranch("side");
      await pal.forget("task");
      await store
        .session({ agent: "ada", trust: "user", branch: "side" })
        .update("task", { text: "Changed on the side" }, { scope });
      const error = await pal.forget("task").catch((failure) => failure);
      expect(error).toMatchObject({ code: "NOT_FOUND", data: { fate: "forgotten" } });
      for (const [verb, use] of Object.entries(CHANGES))
        if (!verb.startsWith("erase"))
          expect([verb, await outcome(use(pal, "task"))]).toEqual([verb, "NOT_FOUND"]);
      expect((await pal.get("other"))?.text).toContain("tea");
    }
  });

  test("U790 whoever sees by patterns is not led from a scope where nothing is left to another of that id", async () => {
    await open("memory");
    const pal = store.session({ agent: "ada", trust: "user", clearance: "confidential", scopes: ["*"] });
    await note(pal, "task", { scope: "agent/ada", text: "Whales sing" });
    await note(pal, "task", { scope: "agent/bob", text: "Bats hear" });
    await pal.forget("task");
    expect(await outcome(pal.forget("task"))).toBe("NOT_FOUND");
    expect(await outcome(pal.forget("task", { scope: "agent/bob" }))).toBe("done");
  });

  test("U790 twice in one call or one transaction hits nothing else either, and what moved is found where it is", async () => {
    const pal = await open("memory");
    await note(pal, "task");
    await note(pal, "task", { scope: "agent/ada", text: "The task of Ada" });
    const twice = await pal.forgetMany(["task", "task"]);
    expect(twice.map(({ verdict }) => verdict)).toEqual(["accepted", "rejected"]);
    await pal.transaction(async (tx) => {
      await tx.remember({ id: "other", text: "Everybody drinks tea at noon", scope: "shared", type: "note" });
      await tx.remember({ id: "other", text: "Ada has a dog", scope: "agent/ada", type: "note" });
      await tx.forget("other");
      expect(await outcome(tx.forget("other"))).toBe("NOT_FOUND");
    });
    expect((await pal.list()).map(({ id, scope }) => [id, scope])).toEqual([
      ["task", "shared"],
      ["other", "shared"],
    ]);
    await note(pal, "moving", { scope: "agent/ada", text: "Whales sing" });
    const wide = store.session({
      agent: "ada",
      trust: "user",
      scopes: ["agent/ada", "project/site", "shared"],
    });
    await wide.move("moving", "project/site");
    await wide.move("moving", "shared");
    expect(await outcome(wide.update("moving", "Whales sing at night"))).toBe("done");
    // Another of the same id, which has gone: now the name may mean either.
    await note(wide, "moving", { scope: "agent/ada", text: "Bats hear" });
    await wide.forget("moving");
    expect(await outcome(wide.forget("moving"))).toBe("NOT_FOUND");
  });

  test("U602 what waits is accepted and rejected by its whole id, and seen by the first characters of it too", async () => {
    const pal = await open("memory");
    await note(pal, "one");
    const { id } = await pal.propose("idea", (tx) => tx.forget("one"));
    const part = id!.slice(0, 8);
    expect(await outcome(pal.acceptReview(part))).toBe("NOT_FOUND");
    expect(await outcome(pal.rejectReview(part))).toBe("NOT_FOUND");
    expect((await pal.reviewItem(part)).id).toBe(id);
    expect(await pal.acceptReview(id!)).toMatchObject({ accepted: true });
    expect(await outcome(pal.acceptReview(id!))).toBe("NOT_FOUND");
  });
});

describe("two processes at once", PATIENCE, () => {
  const start = async (place: string, deed: string, name: string) => {
    const child = spawn(process.execPath, [join(ROOT, "test/_namer.mjs"), place, deed, name]);
    let out = "";
    child.stdout.on("data", (data) => {
      out += data;
    });
    await once(child.stdout, "data");
    return { child, end: () => go(child, () => out) };
  };
  const go = async (child: ChildProcessWithoutNullStreams, out: () => string): Promise<string> => {
    const ended = once(child, "close");
    child.stdin.end("go\n");
    await ended;
    return JSON.parse(out().split("\n")[1] as string) as string;
  };

  for (const kind of ["SQLite", "PostgreSQL"])
    for (const deed of ["forget", "erase"])
      test(`U603 two that ${deed} one id at once, and one that tries again, touch no other memory (${kind})`, async () => {
        const place =
          kind === "SQLite" ? mkdtempSync(join(tmpdir(), "pal-at-once-")) : server.url(`at-once-${stores++}`);
        const made = kind === "SQLite" ? () => sqliteStorage(place) : () => postgresStorage(place);
        for (let round = 0; round < (TORTURE ? 50 : 3); round++) {
          const id = `job-${round}-001`;
          let own = await openStore(made());
          const pal = own.session({ agent: "ada", trust: "user" });
          await note(pal, id);
          await note(pal, `${id}1`);
          await note(pal, `old-${id}`);
          await own.close();
          const both = await Promise.all([start(place, deed, id), start(place, deed, id)]);
          const said = await Promise.all(both.map(({ end }) => end()));
          said.push(await (await start(place, deed, id)).end());
          expect(said.filter((one) => /accepted|^[1-9]\d* records/.test(one))).toHaveLength(1);
          expect(said.at(-1)).toBe("NOT_FOUND");
          own = await openStore(made());
          const left = (await own.session({ agent: "ada" }).list()).map((memory) => memory.id as string);
          expect(left.filter((one) => one.includes(id)).sort()).toEqual([`${id}1`, `old-${id}`].sort());
          await own.close();
        }
        if (kind === "SQLite") rmSync(place, { recursive: true, force: true });
      });
});

describe("the command line", PATIENCE, () => {
  let shell: Shell;
  afterEach(() => shell.remove());

  /** One line for each command that changes or proves something by an id; ID stands for it. */
  const LINES = [
    "update ID Something-else",
    "forget ID",
    "move ID tester",
    "confirm ID",
    "observe ID",
    "resolve ID text --take 1",
    "palace move ID room",
    "prove ID",
  ];

  test("C600 a part of an id is refused with the whole one, and taken with --part, by every command that changes something", async () => {
    for (const line of LINES) {
      shell = new Shell();
      const pal = shell.with({ person: true });
      await pal("remember", "Called Ann", "--id", "user-name-backup", "--confidence", "0.5");
      const words = line.replace("ID", "user-name").split(" ");
      const before = (await pal("log", "--json")).json.length;
      const { code, err } = await pal(...words);
      if (line.startsWith("prove")) expect(err).toContain('"user-name" was ever seen here');
      else expect([line, code, err]).toEqual([line, 1, expect.stringContaining("user-name-backup")]);
      expect([line, (await pal("log", "--json")).json.length]).toEqual([line, before]);
      const marked = await pal(...words, "--part");
      expect([line, marked.err]).toEqual([line, expect.not.stringMatching(/NOT_FOUND|no memory/)]);
      if (!/^(resolve|prove)/.test(line))
        expect([line, (await pal("log", "--json")).json.length]).toEqual([line, before + 1]);
      if (line.startsWith("prove")) expect(marked.out).toContain("user-name-backup is in shared");
      shell.remove();
    }
  });

  test("C601 an erasure by a part shows what it may mean: a terminal is asked, anybody else is told the whole ids, also with --yes", async () => {
    shell = new Shell();
    const say = (answer: string) => shell.with({ person: true, stdin: answer });
    const pipe = shell.with({});
    await pipe("remember", "Called Ann, says user-name", "--id", "user-name-backup");
    const left = async () => (await pipe("list", "--json")).json.length;
    for (const args of [["user-name"], ["user-name", "--yes"], ["user-name", "--yes", "--json"]]) {
      const { code, out, err } = await pipe("--operator", "erase", ...args);
      expect([args, code, out + err]).toEqual([args, 2, expect.stringContaining("user-name-backup")]);
      expect(await left()).toBe(1);
    }
    for (const answer of ["", "\n", "no\n", "yessir\n"]) {
      const { code, out } = await say(answer)("erase", "user-name", "--yes");
      expect([answer, code, out]).toEqual([answer, 2, expect.stringContaining("Called Ann")]);
      expect(await left()).toBe(1);
    }
    expect((await say("yes\n")("erase", "user-name")).out).toContain("erased 1 memory");
    expect(await left()).toBe(0);
  });

  test("C601 an erasure that is tried again is no erasure of what begins like it, or says it, also with --yes", async () => {
    shell = new Shell();
    const pal = shell.with({});
    await pal("remember", "Called Ann", "--id", "user-name");
    await pal("remember", "A copy", "--id", "user-name-backup");
    await pal("remember", "It is kept in user-name", "--id", "hint");
    expect((await pal("--operator", "erase", "user-name")).out).toContain("erased 1 memory");
    for (const more of [[], ["--yes"]]) {
      const again = await pal("--operator", "erase", "user-name", ...more);
      expect([again.code, again.err]).toEqual([1, expect.stringContaining('"user-name" was erased')]);
    }
    expect((await pal("list", "--json")).json).toHaveLength(2);
  });

  test("C602 what is printed to accept what waits is a command that works: at a pipe and at a terminal, for a lone person", async () => {
    shell = new Shell();
    const pipe = shell.with({});
    const terminal = shell.with({ person: true });
    const operator = async (...args: string[]) => pipe("--operator", ...args);
    const printed = (text: string) =>
      // An erasure names both ways, the one for anywhere last.
      (
        [...text.matchAll(/pal ((?:--operator )?review (?:show|accept) [0-9a-f]{12})/g)].at(-1)?.[1] ?? ""
      ).split(" ");
    type Run = typeof pipe;
    /** Who writes, what they are held back for, and who then does as they are told. */
    const held: readonly (readonly [string, Run, (run: Run) => Promise<unknown>, readonly string[]])[] = [
      [
        "a contradiction",
        pipe,
        (run) => run("remember", "The server runs on port 8080"),
        ["remember", "The server does not run on port 8080"],
      ],
      [
        "a contradiction at a terminal",
        terminal,
        (run) => run("remember", "The lamp is always on at night"),
        ["remember", "The lamp is never on at night"],
      ],
      [
        "what a person wrote",
        pipe,
        () => terminal("remember", "Likes jam", "--id", "jam"),
        ["update", "jam", "Likes honey"],
      ],
      [
        "what a person wrote, to be forgotten",
        pipe,
        () => terminal("remember", "Likes figs", "--id", "figs"),
        ["forget", "figs"],
      ],
      [
        "what an operator wrote",
        terminal,
        () => operator("remember", "Backups at noon", "--id", "noon"),
        ["update", "noon", "Backups at one"],
      ],
      [
        "an erasure",
        pipe,
        () => terminal("remember", "Number of the flat", "--id", "flat"),
        ["erase", "flat"],
      ],
    ];
    for (const [what, run, prepare, line] of held) {
      await prepare(run);
      const first = await run(...line);
      expect([what, first.code]).toEqual([what, 1]);
      const [show, list] = [printed(first.out + first.err), await run("review")];
      expect([what, printed(list.out + list.err)]).toEqual([what, expect.arrayContaining(["accept"])]);
      const shown = show.includes("show") ? await run(...show) : first;
      const command = printed((shown.out + shown.err).replace(/pal review show/g, ""));
      const done = await run(...command);
      expect([what, command, done.code, done.err]).toEqual([what, command, 0, ""]);
      expect([what, (await run("review", "--json")).json]).toEqual([what, []]);
    }
  });

  test("C602 whoever accepts with too little trust is told the command that works", async () => {
    shell = new Shell();
    const pal = shell.with({});
    await pal("remember", "The server runs on port 8080");
    await pal("remember", "The server does not run on port 8080");
    const [{ id, needs }] = (await pal("review", "--json")).json;
    expect(needs).toBe("user");
    const refused = await pal("review", "accept", id);
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining(`pal --operator review accept ${id}`),
    ]);
    expect((await pal("--operator", "review", "accept", id)).code).toBe(0);
  });
});
