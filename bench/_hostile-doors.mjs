// The doors of hostile.mjs, in a thread of their own: each is given one text and says how long it took and how it ended.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { parentPort } from "node:worker_threads";
import { root } from "./_bundle.mjs";

const {
  detectRecall,
  IMPORT_FORMATS,
  memoryStorage,
  memoryHandlers,
  openDoor,
  openStore,
  PalimpsestError,
  readEnvelopes,
  run,
  serveOverHttp,
  serveOverStdio,
  runHook,
  withoutEnvelopes,
} = await import(join(root, ".bench", "hostile.mjs"));

const place = mkdtempSync(join(tmpdir(), "pal-hostile-"));
process.once("exit", () => rmSync(place, { recursive: true, force: true }));

/** A store in memory with something in it, new for every call. */
const opened = async () => (await openedStore()).session;

async function openedStore() {
  const store = await openStore(memoryStorage(), { embedder: "none" });
  const session = store.session({ agent: "bench", sessionId: "one" });
  await session.rememberMany([
    "Ann lives in Lisbon",
    "The office is in the harbour",
    { text: "x ".repeat(2000), type: "note" },
  ]);
  return { store, session };
}

const fileOf = (name, text) => {
  const path = join(place, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text.toWellFormed());
  return path;
};

/** What is prepared is not measured: a door gives the work that is. */
const withSession = (work) => async (text) => {
  const session = await opened();
  return () => work(session, text);
};
const withFile = (name, work) => async (text) => {
  const session = await opened();
  const path = fileOf(name, text);
  return () => work(session, path, text);
};
/** What fits into a field that holds one line. */
const line = (text, most) =>
  text
    .replace(/[\s\p{Cc}]+/gu, " ")
    .slice(0, most)
    .trim() || "x";
const message = (content) => [{ role: "user", content }];

/** The command line as a program runs it, on a store of its own. */
async function pal(argv, stdin = "") {
  const home = mkdtempSync(join(place, "cli-"));
  const said = [];
  const io = {
    stdin: { isTTY: false, open: () => Readable.from([Buffer.from(stdin)]) },
    stdout: { isTTY: true, columns: 100, write: async (text) => void said.push(text) },
    stderr: { isTTY: true, columns: 100, write: async (text) => void said.push(text) },
    ...{
      env: { PAL_HOME: join(home, "store"), PAL_EMBEDDER: "none" },
      cwd: home,
      user: () => "bench",
      onInterrupt: () => () => {},
    },
  };
  return async () => {
    if ((await run(argv, io)) > 3 || /Something unexpected/.test(said.join("")))
      throw new Error(said.join(""));
  };
}

/** A live MCP server on one end of pipes: what it is sent, it answers before the work has ended. */
async function served(lines) {
  const { store } = await openedStore();
  const door = await openDoor(store, doorOptions);
  const input = new PassThrough();
  const pipes = { input, write: async () => {}, onEnd: () => {} };
  const ended = serveOverStdio(door, pipes);
  return async () => {
    for (const message of [...HELLO, ...lines]) input.write(`${message}\n`);
    input.end();
    await ended;
    await door.close();
  };
}

/** The same over HTTP, one request a line. */
async function servedOverHttp(lines) {
  const { store } = await openedStore();
  const door = await openDoor(store, doorOptions);
  const server = await serveOverHttp(door, { port: 0, token: () => TOKEN });
  return async () => {
    const headers = {
      authorization: `Bearer ${TOKEN}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    for (const body of [HELLO[0], ...lines])
      await fetch(server.url, { method: "POST", headers, body }).then((answer) => answer.text());
    await server.close();
    await door.close();
  };
}

const TOKEN = "a".repeat(43);
const doorOptions = {
  globals: {},
  io: { env: {}, cwd: place, user: () => "bench" },
  ...{ version: "1", tools: "full", layers: [], clearance: "normal", log: () => {} },
};
const rpc = (method, params, id) =>
  JSON.stringify({ jsonrpc: "2.0", method, params, ...(id !== undefined && { id }) });
const HELLO = [
  rpc(
    "initialize",
    { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "b", version: "1" } },
    1,
  ),
  rpc("notifications/initialized"),
];
const callsOf = (text) => [
  rpc("tools/call", { name: "memory_add", arguments: { text } }, 2),
  rpc("tools/call", { name: "memory_search", arguments: { query: text } }, 3),
  rpc("tools/call", { name: text, arguments: { [text]: text } }, 4),
  rpc("resources/read", { uri: text }, 5),
  rpc(text, { text }, 6),
];
/** So deep that a reader that calls itself has no stack left. */
const DEEP = 400_000;
const deepCalls = (text) => {
  const unit = text.slice(0, 1) === "[" ? ["[", "]"] : ['{"a":', "}"];
  const deep = unit[0].repeat(DEEP) + 1 + unit[1].repeat(DEEP);
  return [
    `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"memory_add","arguments":{"text":${deep}}}}`,
    `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":${deep}}`,
    unit[0].repeat(DEEP),
    text,
  ];
};

const DOORS = {
  "MCP over its pipe": async (text) => served(callsOf(text)),
  "MCP over HTTP": async (text) => servedOverHttp(callsOf(text)),
  "MCP over its pipe, deep": async (text) => served(deepCalls(text)),
  "MCP over HTTP, deep": async (text) => servedOverHttp(deepCalls(text)),
  remember: withSession((session, text) => session.remember(text)),
  "remember beside its like": async (text) => {
    const session = await opened();
    await session.remember(text.slice(0, 30_000));
    return () => session.remember(`${text.slice(0, 29_000)} x`);
  },
  "remember in fields": withSession((session, text) =>
    session.remember({
      ...{ text: "A fact", topic: line(text, 100), category: line(text, 100), tags: [line(text, 100)] },
      ...{ evidence: line(text, 2000), attributes: { note: text.slice(0, 16_000) } },
      triple: { subject: line(text, 200), predicate: "is", object: line(text, 200) },
    }),
  ),
  "remember a message in fields": withSession((session, text) =>
    session.remember({
      ...{ text: "Said", type: "message", speaker: line(text, 100), conversation: line(text, 100) },
      attributes: { [line(text, 60)]: { deep: [text.slice(0, 60_000)] } },
    }),
  ),
  "a message": withSession((session, text) => session.remember({ text, type: "message" })),
  names: withSession((session, text) => session.createBranch(text, { purpose: text, persona: text })),
  "what is said of names": withSession(async (session, text) => {
    await session.createBranch("a", { purpose: line(text, 500), persona: line(text, 100) });
    await session.snapshot(line(text, 100));
    return session.addScratch({ key: line(text, 100), value: text.slice(0, 30_000) });
  }),
  "a commit's message": withSession((session, text) =>
    session.commit(line(text, 500), { contribution: text.slice(0, 8000), decision: text.slice(0, 8000) }),
  ),
  update: withSession(async (session, text) => session.update((await session.list())[0].id, text)),
  conversation: withSession((session, text) => session.processConversation(message(text))),
  "conversation of many": withSession((session, text) =>
    session.processConversation(
      Array.from({ length: 64 }, (_, at) => ({
        role: at % 2 ? "assistant" : "user",
        content: text.slice(at * (text.length / 64), (at + 1) * (text.length / 64)),
      })),
    ),
  ),
  "ingest Markdown": withFile("a.md", (session, path) => session.ingest(path)),
  "ingest Org": withFile("a.org", (session, path) => session.ingest(path)),
  "ingest again": async (text) => {
    const session = await opened();
    const path = fileOf("again.org", text);
    await session.ingest(path).catch(() => {});
    writeFileSync(path, `${text}\nx`);
    return () => session.ingest(path);
  },
  ingestAst: withSession((session, text) =>
    session.ingestAst({
      type: "document",
      properties: { TITLE: text.slice(0, 5000) },
      contents: [{ type: line(text, 60), "raw-content": text }, text],
    }),
  ),
  "ingestAst of what has a type": withSession((session, text) =>
    session.ingestAst({
      type: "document",
      properties: { TITLE: line(text, 5000) },
      contents: [{ type: "section", "raw-content": text.slice(0, 60_000) }, text.slice(0, 60_000)],
    }),
  ),
  search: withSession((session, text) => session.search(text)),
  "search by words": withSession((session, text) => session.search(text, { mode: "lexical" })),
  recall: withSession((session, text) => session.recall(text)),
  detectRecall: async (text) => () => detectRecall(text),
  "is it recall": withSession((session, text) => session.isRecall(text)),
  "wake up": async (text) => {
    const session = await opened();
    await session.remember({ text: text.slice(0, 30_000), type: "note" });
    return () => session.wakeUp();
  },
  "recall of it": async (text) => {
    const session = await opened();
    await session.remember({ text: text.slice(0, 30_000), type: "note" });
    return () => session.recall("What do you know about Ann and the harbour?");
  },
  envelopes: async (text) => () => [readEnvelopes(text), withoutEnvelopes(text)],
  identity: withSession((session, text) => session.setIdentity(text)),
  scratch: withSession(async (session, text) => {
    await session.addScratch({ key: line(text, 100), value: text.slice(0, 60_000) });
    await session.searchScratch(text);
  }),
  "knowledge graph": withSession(async (session, text) => {
    const graph = await session.knowledgeGraph();
    return graph.createEntities([
      { name: line(text, 200), entityType: line(text, 100), observations: [text] },
    ]);
  }),
  "graph search": withSession(async (session, text) => (await session.knowledgeGraph()).search(text)),
  "mirror files": async (text) => {
    const session = await opened();
    const folder = mkdtempSync(join(place, "mirror-"));
    await session.syncPalace(folder);
    for (const name of ["identity.txt", "config.yaml", "rooms/a/b.md"]) {
      mkdirSync(join(folder, name, ".."), { recursive: true });
      writeFileSync(join(folder, name), text.toWellFormed());
    }
    return () => session.syncPalace(folder);
  },
  "memory tool": withSession(async (session, text) => {
    const files = memoryHandlers(session);
    await files.create({ path: "/memories/a.txt", file_text: `${text.slice(0, 60_000)}\nThe end` });
    await files.str_replace({ path: "/memories/a.txt", old_str: "\nThe end", new_str: text.slice(-4000) });
    await files.create({ path: "/memories/b.txt", file_text: text });
    await files.str_replace({ path: "/memories/b.txt", old_str: text.slice(-100), new_str: text });
  }),
  "hook: prompt": withSession((session, text) => runHook(session, "prompt", "claude", { prompt: text })),
  "hook: transcript": withFile("transcript.jsonl", (session, path, text) => {
    writeFileSync(
      path,
      `${JSON.stringify({ type: "user", uuid: "1", message: { role: "user", content: text } })}\n${text}`,
    );
    return runHook(session, "keep", "claude", { session: "s", transcript: path });
  }),
  ...Object.fromEntries(
    IMPORT_FORMATS.map((format) => [
      `import ${format}`,
      withFile(
        `import-${format}/${{ gcc: "main.md", obsidian: "a.md", "basic-memory": "a.md", nanobot: "MEMORY.md", mempalace: "identity.txt", daily: "2026-01-01.md" }[format] ?? "a"}`,
        (session, path) =>
          session.import(
            ["gcc", "obsidian", "basic-memory", "nanobot", "mempalace", "daily"].includes(format)
              ? join(path, "..")
              : path,
            { format },
          ),
      ),
    ]),
  ),
  "import rooms and branches": async (text) => {
    const session = await opened();
    for (const [name, body] of Object.entries({
      "palace/rooms/a/b.md": text,
      "palace/rooms/c.md": text,
      "palace/identity.txt": text,
      "gcc/main.md": text,
      "gcc/branches/a/commit.md": text,
      "gcc/branches/a/log.md": text,
    }))
      fileOf(name, body);
    return async () => {
      await session.import(join(place, "palace"), { format: "mempalace" });
      await session.import(join(place, "gcc"), { format: "gcc" });
    };
  },
  ...Object.fromEntries(
    ["json", "jsonl", "mem0", "vault", "snap", "mcp-memory", "scratchpad", "claude-code", "codex"].map(
      (format) => [
        `import ${format} that holds it`,
        withFile(`import-held/a`, (session, path, text) => {
          writeFileSync(path, HOLDING[format](text));
          return session.import(path, { format });
        }),
      ],
    ),
  ),
  "pal remember": (text) => pal(["remember", "-"], text),
  "pal with arguments": (text) => pal(["search", text, "--scope", text]),
  "pal with a wrong command": (text) => pal([text, `--${text}`]),
};

/** Files as others write them, with the text where they keep theirs. */
const HOLDING = {
  json: (text) => JSON.stringify({ memories: [{ id: "a", text, topic: text, attributes: { a: text } }] }),
  jsonl: (text) => `${JSON.stringify({ text })}\n`,
  mem0: (text) => JSON.stringify({ results: [{ id: "a", memory: text, categories: [text] }] }),
  vault: (text) => `${JSON.stringify({ id: "a", content: text, created_at: text, topic_id: text })}\n`,
  snap: (text) => `(:memory (:id "a" :content ${JSON.stringify(text)}))`,
  "mcp-memory": (text) =>
    `${JSON.stringify({ type: "entity", name: text, entityType: text, observations: [text] })}\n`,
  scratchpad: (text) => JSON.stringify({ session_id: "s", entries: { [line(text, 100)]: { value: text } } }),
  "claude-code": (text) =>
    `${JSON.stringify({ type: "user", sessionId: "s", uuid: "1", message: { role: "user", content: text } })}\n`,
  codex: (text) =>
    `${JSON.stringify({ type: "response_item", payload: { type: "message", role: "user", content: [{ type: "input_text", text }] } })}\n`,
};

/** The longest that the event loop stood still, in CPU time: on a busy machine the time on the wall says nothing. */
async function longestHold(work) {
  let longest = 0;
  let before = process.cpuUsage();
  let isRunning = true;
  const look = () => {
    const { user, system } = process.cpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
    before = process.cpuUsage();
    if (isRunning) setImmediate(look);
  };
  setImmediate(look);
  let failure;
  await work().catch((error) => {
    failure = error;
  });
  isRunning = false;
  look();
  return { longest, failure };
}

parentPort.on("message", async ({ door, text }) => {
  // What is stored before may be refused as well.
  const work = await DOORS[door](text).catch((failure) => async () => {
    throw failure;
  });
  const { longest, failure } = await longestHold(async () => work());
  const isOurs = failure instanceof PalimpsestError || door === "memory tool";
  const end = failure === undefined ? "done" : isOurs ? (failure.code ?? "refused") : `throws ${failure}`;
  parentPort.postMessage({ took: longest, end });
});
parentPort.postMessage({ doors: Object.keys(DOORS) });
