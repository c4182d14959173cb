import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openStore, type Session } from "../session/index.js";
import { memoryStorage } from "../storage/index.js";

const home = mkdtempSync(join(tmpdir(), "pal-import-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const NOW = Date.parse("2026-03-01T12:00:00Z");
const open = async (options: { scopes?: string[] } = {}): Promise<Session> =>
  (await openStore(memoryStorage(), { clock: () => NOW })).session({
    agent: "orion",
    trust: "operator",
    ...options,
  });

let folders = 0;
function folder(files: Record<string, string>): string {
  const path = join(home, `f${folders++}`);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return path;
}
const file = (name: string, text: string): string => join(folder({ [name]: text }), name);
const rows = (...values: unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join("");

async function joined(parts: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const part of parts) text += part;
  return text;
}

/** Whatever is imported twice changes nothing the second time. */
async function importTwice(pal: Session, path: string, options: Parameters<Session["import"]>[1] = {}) {
  const first = await pal.import(path, options);
  const before = await pal.list();
  const again = await pal.import(path, options);
  expect(again).toMatchObject({ accepted: 0, updated: 0, forgotten: 0 });
  expect(await pal.list()).toEqual(before);
  return first;
}

describe("D60 vault.jsonl", () => {
  const VAULT = rows(
    {
      id: "aaaaaaaaaaaa",
      text: "Mission: explore",
      scope: "shared",
      category: "mission",
      tags: ["m"],
      version: 1,
      created_at: "2026-01-01T00:00:00-06:00",
    },
    {
      id: "bbbbbbbbbbbb",
      text: "Projects: a",
      scope: "shared",
      category: "project",
      tier: "register",
      topic_id: "current_projects",
      version: 1,
      source: "chat",
      created_at: "2026-01-01",
    },
    {
      id: "bbbbbbbbbbbb",
      text: "Projects: a, b",
      scope: "shared",
      category: "project",
      tier: "register",
      topic_id: "current_projects",
      version: 2,
      updated_at: "2026-01-02",
    },
    {
      id: "cccccccccccc",
      text: "Gone",
      scope: "shared",
      category: "other",
      version: 1,
      created_at: "2026-01-01",
    },
    {
      id: "cccccccccccc",
      text: "Gone",
      scope: "shared",
      category: "other",
      version: 2,
      deleted_at: "2026-01-03",
    },
    {
      id: "dddddddddddd",
      text: "Orion's own",
      scope: "orion",
      category: "bio",
      version: 1,
      created_at: "2026-01-01",
    },
    {
      id: "eeeeeeeeeeee",
      text: "Elysia's own",
      scope: "elysia",
      category: "bio",
      version: 1,
      created_at: "2026-01-01",
    },
  );

  it("D60 the highest version counts, tombstones are gone, no tier is canon, names are scopes of agents", async () => {
    const pal = await open();
    const report = await importTwice(pal, file("vault.jsonl", VAULT), { trusted: true });
    expect(report).toMatchObject({ format: "vault", accepted: 3, rejected: 1, lowered: 0 });
    expect(await pal.get("aaaaaaaaaaaa")).toMatchObject({
      text: "Mission: explore",
      tier: "canon",
      category: "mission",
      tags: ["m"],
    });
    expect(await pal.get("bbbbbbbbbbbb")).toMatchObject({
      text: "Projects: a, b",
      tier: "register",
      topic: "current_projects",
    });
    expect(await pal.get("cccccccccccc")).toBeUndefined();
    expect((await pal.get("dddddddddddd"))?.scope).toBe("agent/orion");
    expect(await pal.get("eeeeeeeeeeee")).toBeUndefined();
    expect((await pal.get("bbbbbbbbbbbb"))?.attributes.imported).toMatchObject({ from: "vault", version: 2 });
  });

  it("D61 only beliefs have a tier, so no document is counted as lowered", async () => {
    const pal = await open();
    const path = file(
      "mixed.jsonl",
      `${JSON.stringify({ id: "head-1", text: "A heading", type: "headline", tier: "canon" })}\n${JSON.stringify({ id: "fact-1", text: "Drinks tea", tier: "canon" })}\n`,
    );
    expect(await pal.import(path, { dryRun: true })).toMatchObject({ accepted: 2, lowered: 1 });
    expect(await pal.import(path)).toMatchObject({ accepted: 2, lowered: 1 });
  });

  it("D61 without somebody's word canon is register and the trust that of something from outside", async () => {
    const pal = await open();
    expect(await pal.import(file("vault.jsonl", VAULT))).toMatchObject({ lowered: 3 });
    expect(await pal.get("aaaaaaaaaaaa")).toMatchObject({
      tier: "register",
      origin: { source: "import", trust: "external" },
    });
  });

  it("D60 a cut-off last line, a second register of a topic and equal versions lose nothing else", async () => {
    const pal = await open();
    const report = await pal.import(
      file(
        "vault.jsonl",
        `${rows(
          {
            id: "1",
            text: "old words",
            scope: "shared",
            tier: "register",
            topic_id: "t",
            version: 1,
            created_at: "2026-01-01",
          },
          {
            id: "1",
            text: "same version, later line",
            scope: "shared",
            tier: "register",
            topic_id: "t",
            version: 1,
            created_at: "2026-01-01",
          },
          {
            id: "2",
            text: "the other register of t",
            scope: "shared",
            tier: "register",
            topic_id: "t",
            version: 1,
            created_at: "2026-01-09",
          },
        )}{"id":"3","te`,
      ),
    );
    expect(report).toMatchObject({ accepted: 2, rejected: 0, problems: [{ where: "line 4" }] });
    expect((await pal.get("1"))?.text).toBe("same version, later line");
    expect(await pal.list({ topic: "t" })).toMatchObject([{ id: "2" }]);
  });

  it("D60 a deletion that came later is followed", async () => {
    const pal = await open();
    const line = { id: "aaaaaaaaaaaa", text: "Here", scope: "shared", version: 1, created_at: "2026-01-01" };
    await pal.import(file("vault.jsonl", rows(line)));
    const report = await pal.import(
      file("vault.jsonl", rows(line, { ...line, version: 2, deleted_at: "2026-02-01" })),
    );
    expect(report.forgotten).toBe(1);
    expect(await pal.get("aaaaaaaaaaaa")).toBeUndefined();
  });
});

describe("D62 memory.snap", () => {
  const object = (id: string, rest: string) =>
    `("${id}" . #S(PASSEPARTOUT::MEMORY-OBJECT :ID "${id}" ${rest}))`;
  const SNAP = `;; OpenCortex Memory Snapshot
;; Created: 3987000000

(:MEMORY (${object("root", ':TYPE :HEADLINE :ATTRIBUTES (:ID "root" :TITLE "Töp" :TAGS ("a" "b") :TODO "APPROVED") :CONTENT "Töp\n" :VECTOR NIL :PARENT-ID NIL :CHILDREN ("b" "a") :VERSION 3987000000 :LAST-SYNC 3987000000 :HASH "x" :SCOPE :MEMEX')}
 ${object("a", ':TYPE :PARAGRAPH :ATTRIBUTES NIL :CONTENT "second \\"quoted\\"" :PARENT-ID "root" :CHILDREN NIL :VERSION 1')}
 ${object("b", ':TYPE :HEADLINE :ATTRIBUTES (:TITLE "first") :CONTENT NIL :PARENT-ID "root" :CHILDREN NIL :VERSION 1 :SCOPE :PROJECT')}
 ${object("c", ':TYPE :PROPERTY_DRAWER :ATTRIBUTES (:FOO NIL) :CONTENT NIL :PARENT-ID "b" :CHILDREN NIL :VERSION 1')}
 ("junk" . 1))
 :HISTORY-STORE NIL)`;

  it("D62 objects come in with attributes, tree and order; those without a scope are shared", async () => {
    const pal = await open();
    expect(await importTwice(pal, file("memory.snap", SNAP))).toMatchObject({
      format: "snap",
      accepted: 4,
      problems: [{ where: "object 5" }],
    });
    const root = await pal.get("root");
    expect(root).toMatchObject({
      type: "headline",
      scope: "shared",
      text: "Töp\n",
      children: ["b", "a"],
      attributes: {
        TITLE: "Töp",
        TAGS: ["a", "b"],
        TODO: "APPROVED",
        imported: { time: "2026-05-05T20:00:00.000Z" },
      },
    });
    expect(await pal.get("a")).toMatchObject({ type: "paragraph", text: 'second "quoted"' });
    expect(await pal.get("b")).toMatchObject({ text: "first", category: "project" });
    const bare = await pal.get("c");
    expect([bare?.text, Object.keys(bare?.attributes ?? {})]).toEqual(["", ["imported"]]);
    expect(await pal.list({ attributes: { TODO: "APPROVED" } })).toHaveLength(1);
  });

  it("D62 a file that asks to be evaluated is refused and nothing is written", async () => {
    const pal = await open();
    await pal.remember({ id: "kept", text: "Kept." });
    for (const bad of [
      '(:memory (("a" . #.(run-program "rm"))))',
      "(:other 1)",
      "(:memory (",
      "plainly not lisp (",
    ])
      await expect(pal.import(file("memory.snap", bad))).rejects.toMatchObject({ code: "INVALID_FILE" });
    expect((await pal.list()).map(({ id }) => id)).toEqual(["kept"]);
  });
});

describe("D63 nanobot", () => {
  const event = (id: string, event_type: string, object: string, rest: object = {}) =>
    [
      id,
      {
        id,
        event_type,
        subject: "user",
        predicate: "prefers_backend",
        object,
        scope: "work/technical",
        confidence: 0.9,
        source: "chat",
        timestamp: `2026-02-0${id}T00:00:00`,
        ...rest,
      },
    ] as const;
  const EVENTS = [
    event("1", "add", "Python"),
    event("2", "add", "tea", {
      predicate: "likes",
      scope: "permanent",
      sensitivity: "private",
      evidence: "said so",
    }),
    event("3", "modify", "Rust"),
    event("4", "add", "wrong", { predicate: "hates" }),
    event("5", "forget", "wrong", { predicate: "hates", scope: "permanent" }),
  ];
  const commits = {
    c1: { events: ["1", "2"], parent_id: null },
    c2: { events: ["3", "4", "5", "6"], parent_id: "c1" },
  };
  const layout = (events: string, commitFolder: string, extra: Record<string, string>) =>
    folder({
      ...Object.fromEntries(EVENTS.map(([id, value]) => [`${events}/${id}.json`, JSON.stringify(value)])),
      ...Object.fromEntries(
        Object.entries(commits).map(([id, value]) => [`${commitFolder}/${id}.json`, JSON.stringify(value)]),
      ),
      HEAD: "main\n",
      ...extra,
    });

  it.each([
    [
      "as documented",
      layout("events", "commits", { "branches.json": JSON.stringify([{ name: "main", head: "c2" }]) }),
    ],
    [
      "as built",
      layout("ledger/events", "ledger/commits", {
        "branches/main.json": JSON.stringify({ name: "main", head: "c2" }),
      }),
    ],
  ])(
    "D63 %s: what lives at the head of the current branch, and what is missing is named",
    async (_, path) => {
      const pal = await open();
      const report = await importTwice(pal, path);
      expect(report).toMatchObject({
        format: "nanobot",
        accepted: 2,
        problems: [{ where: "events/6.json" }],
      });
      const facts = await pal.list({ type: "fact" });
      expect(facts.map(({ triple }) => triple?.object).sort()).toEqual(["Rust", "tea"]);
      expect(facts.find(({ triple }) => triple?.object === "Rust")).toMatchObject({
        category: "work/technical",
        confidence: 0.9,
        text: "user prefers backend Rust",
      });
      expect(facts.find(({ triple }) => triple?.object === "tea")).toMatchObject({
        sensitivity: "private",
        origin: { evidence: "said so" },
      });
    },
  );

  it("PA34 MEMORY.md and a page for each day become drawers of the palace", async () => {
    const pal = await open();
    const path = folder({
      "MEMORY.md": "# Long term\n\nPrefers tea.\n",
      "memory/2026-03-01.md": "Moved the shop.\n",
      "memory/2026-03-01-rent.md": "The rent of the shop is fixed.\n",
      "memory/2026-13-01.md": "No such day.\n",
      "memory/notes.md": "Something else.\n",
    });
    expect(await importTwice(pal, path)).toMatchObject({
      format: "daily",
      accepted: 6,
      passedOver: 1,
      problems: [{ where: "memory/2026-13-01.md" }],
    });
    expect((await pal.rooms()).map(({ name, drawers }) => [name, drawers.map((one) => one.name)])).toEqual([
      ["memory", ["long-term"]],
      ["days", ["2026-03-01-rent", "2026-03-01"]],
    ]);
  });

  it("PA77 files beside the pages of days are counted, where the pages lie and nowhere else", async () => {
    const pal = await open();
    const page = { "memory/2026-03-01.md": "Moved the shop.\n" };
    const beside = { "memory/heartbeat.json": "{}", "memory/people/ann.md": "Ann\n", "memory/.cache": "x" };
    const elsewhere = {
      "MEMORY.md": "Prefers tea.\n",
      "AGENTS.md": "Be kind\n",
      "src/main.c": "int main;\n",
    };
    const of = async (files: Record<string, string>) => (await pal.import(folder(files))).passedOver;
    expect(await of({ ...page, ...elsewhere })).toBeUndefined();
    expect(await of({ ...page, ...elsewhere, ...beside })).toBe(2);
    expect(await of({ "2026-03-01.md": "Moved.\n", "people.md": "Ann\n" })).toBe(1);
  });
  it("D63 an old MEMORY.md is read where there is nothing else", async () => {
    const pal = await open();
    expect(await importTwice(pal, folder({ "MEMORY.md": "# Old\nnotes\n" }))).toMatchObject({ accepted: 1 });
  });
});

describe("D64 the palace and the scratchpad", () => {
  it("D64 rooms hold drawers, and identity is identity", async () => {
    const pal = await open();
    const path = folder({
      "identity.txt": "I am Timmy.",
      "rooms/projects/timmy-config.md": "# Config\nUses YAML.\n",
      "rooms/people/alexander.md": "Likes trains.\n",
      "config/mempalace.yaml": "rooms: 2\n",
    });
    expect(await importTwice(pal, path)).toMatchObject({ format: "mempalace", accepted: 7 });
    expect(await pal.get("palace/identity")).toMatchObject({ type: "identity", text: "I am Timmy." });
    expect((await pal.get("palace/projects"))?.children).toEqual(["palace/projects/timmy-config"]);
    expect(await pal.get("palace/people/alexander")).toMatchObject({
      type: "drawer",
      text: "Likes trains.\n",
    });
  });

  it("D65 entries of a scratchpad live as long as they would have, and no longer", async () => {
    const pal = await open();
    const path = folder({
      "s1.json": JSON.stringify({
        session_id: "s1",
        created: "2026-03-01T11:30:00Z",
        ttl: 3600,
        entries: [
          { key: "a", value: "still here", tool_origin: "grep", timestamp: "2026-03-01T11:30:00Z" },
          { key: "b", value: "expired", timestamp: "2026-03-01T10:00:00Z" },
        ],
      }),
      "s2.json": JSON.stringify({ "../../etc": { value: { n: 1 }, written_at: "2026-03-01T11:59:00Z" } }),
    });
    expect(await importTwice(pal, path)).toMatchObject({
      format: "scratchpad",
      accepted: 2,
      problems: [{ reason: "It had expired." }],
    });
    expect(await pal.get("scratch/s1/1")).toMatchObject({
      text: "still here",
      lifetime: "temporary",
      expiresAt: "2026-03-01T12:30:00.000Z",
      attributes: { tool: "grep" },
    });
    expect(await pal.get("scratch/s2/1")).toMatchObject({ text: '{"n":1}' });
  });
});

describe("D66 exports are read back", () => {
  it("U63 a memory that has ended since it was exported is taken as history", async () => {
    const pal = await open();
    const path = file(
      "ended.json",
      JSON.stringify([
        { id: "ended", text: "It was so once", lifetime: "temporary", expiresAt: "2001-01-01T00:00:00.000Z" },
      ]),
    );
    expect(await pal.import(path)).toMatchObject({ accepted: 1 });
    expect(await pal.get("ended")).toBeUndefined();
    expect(await pal.history("ended")).toMatchObject([{ text: "It was so once" }]);
  });
  it.each(["json", "jsonl"] as const)(
    "D66 %s: every memory says the same in another store",
    async (format) => {
      const pal = await open();
      await pal.remember({ id: "room", type: "room", text: "Räum", attributes: { a: [1, { b: null }] } });
      await pal.remember({ id: "child", type: "note", text: "one\ntwo", parent: "room", tags: ["x", "y"] });
      await pal.remember("Ann works at Initech", {
        id: "f",
        triple: { subject: "Ann", predicate: "works_at", object: "Initech" },
        confidence: 0.4,
        evidence: "e",
      });
      await pal.remember("Canon", { id: "c", tier: "canon", topic: "t" });
      await pal.remember("Soon gone", { id: "s", ttl: 60_000, sensitivity: "private", scope: "agent/orion" });
      const { count, parts } = await pal.export({ format });
      expect(count).toBe(5);
      const other = await open();
      await importTwice(other, file(`memories.${format}`, await joined(parts)), { trusted: true });
      const plain = async (session: Session) =>
        (await session.list()).map(
          ({ content, tier, parent, confidence, sensitivity, expiresAt, topic, scope }) => ({
            content,
            tier,
            parent,
            confidence,
            sensitivity,
            expiresAt,
            topic,
            scope,
          }),
        );
      expect(await plain(other)).toEqual(await plain(pal));
    },
  );

  it("D67 JSON has exported_at, current_branch, branches, memories and, if asked, history; Markdown groups by subject", async () => {
    const pal = await open();
    await pal.remember({
      triple: { subject: "user", predicate: "prefers backend", object: "Python" },
      confidence: 0.9,
    });
    const json = JSON.parse(await joined((await pal.export({ history: true })).parts));
    expect(json).toMatchObject({
      exported_at: "2026-03-01T12:00:00.000Z",
      current_branch: "main",
      branches: [{ name: "main", persona: "default" }],
      memories: [
        {
          subject: "user",
          predicate: "prefers backend",
          object: "Python",
          confidence: 0.9,
          timestamp: "2026-03-01T12:00:00.000Z",
        },
      ],
    });
    expect(json.history).toHaveLength(1);
    const markdown = await joined((await pal.export({ format: "markdown", history: true })).parts);
    expect(markdown).toContain("### user\n\n- prefers backend: **Python** [90%]\n");
    expect(markdown).toContain("## History");
    const org = await joined((await pal.export({ format: "org" })).parts);
    expect(org).toMatch(/^\* user prefers backend Python\n:PROPERTIES:\n:ID: mem-/m);
  });

  it("D68 a dry run says what would happen and writes nothing; an unknown file is INVALID_FILE", async () => {
    const pal = await open();
    const path = file("x.jsonl", rows({ id: "a", text: "A" }, { text: "B" }, { no: 1 }));
    expect(await pal.import(path, { dryRun: true })).toMatchObject({
      accepted: 2,
      problems: [{ where: "line 3" }],
    });
    expect(await pal.list()).toEqual([]);
    await expect(pal.import(file("x.bin", "what is this"))).rejects.toMatchObject({ code: "INVALID_FILE" });
    await expect(pal.import(join(home, "nowhere"))).rejects.toMatchObject({ code: "INVALID_FILE" });
  });
});
