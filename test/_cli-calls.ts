import { keysIn, type Names } from "./_calls.js";

export type Argv = readonly string[];

const WORDS = [
  "gate",
  "Quebec",
  "The launch code of the north gate is 4711 Quebec",
  "spare key mat",
  "tag:place",
];
const IDS = [
  "gate",
  "code-1",
  "codes",
  "code-",
  "key-1",
  "keys",
  "zero-1",
  "gone-1",
  "erased-1",
  "dark-1",
  "own-1",
  "pii-1",
  "nothing-1",
];
const POINTS = ["early", "start", "work", "dark", "2026-01-10T03:00:00Z", "HEAD~1", "nowhere"];
const at = (...argv: Argv): Argv[] => [argv, ...POINTS.map((point) => [...argv, "--at", point])];
const ofIds = (command: string, ...more: Argv): Argv[] => IDS.map((id) => [command, id, ...more]);
const ofWords = (command: string, ...more: Argv): Argv[] => WORDS.map((word) => [command, word, ...more]);
/** Why a command is in no world: it asks nothing of memories, or it is of the whole store, which is decided as told. */
const NONE = () => [];

/** How every command is called; each that changes something on its own copy of the store. */
export const COMMAND_READS: Readonly<Record<string, (names: Names) => readonly Argv[]>> = {
  status: () => at("status"),
  get: () => [...ofIds("get"), ...ofIds("get", "--at", "start")],
  list: () => [
    ...at("list"),
    ["list", "--tag", "place"],
    ["list", "--topic", "codes"],
    ["list", "--limit", "2"],
    ["list", "--scope", "agent/bob"],
  ],
  search: () => [...ofWords("search"), ...at("search", "gate"), ["search", "code", "--mode", "hybrid"]],
  recall: () => ofWords("recall"),
  why: () => [...ofWords("why"), ...ofIds("why")],
  "wake-up": () => [...at("wake-up"), ["wake-up", "--about", "Quebec"]],
  view: () => at("view"),
  history: () => ofIds("history"),
  log: () => [
    ...at("log"),
    ["log", "--events"],
    ["log", "--oneline", "-n", "3"],
    ["log", "--graph"],
    ...POINTS.map((point) => ["log", point]),
  ],
  diff: () => [...POINTS.map((from) => ["diff", from]), ...POINTS.map((to) => ["diff", "early", to])],
  blame: () => ofIds("blame"),
  graph: () => [...at("graph"), ["graph", "--format", "timeline"]],
  branches: () => at("branches"),
  conflicts: () => at("conflicts"),
  taint: () => ofIds("taint"),
  tags: () => at("tags"),
  snapshots: () => at("snapshots"),
  context: () => [
    ...at("context"),
    ["context", "--briefing"],
    ["context", "--query", "launch code gate"],
    ["context", "--branch", "dark"],
  ],
  bisect: () => [
    ["bisect", "--query", "gate", "--expect", "green"],
    ["bisect", "--query", "launch code", "--expect", "Quebec"],
  ],
  ops: () => at("ops"),
  playbooks: () => [["playbooks", "open the gate"]],
  links: () => ofIds("links"),
  stats: () => at("stats"),
  prove: () => [
    ["prove", "gate"],
    ["prove", "key-1"],
    ["prove", "nothing-1"],
  ],
  complete: () =>
    ["get", "checkout", "rollback", "review"].map((command) => ["complete", "--", "pal", command, ""]),
};

export const COMMAND_WRITES: Readonly<Record<string, (names: Names) => readonly Argv[]>> = {
  remember: () => [
    ...ofWords("remember"),
    ...ofWords("remember", "--dry-run"),
    ["remember", "Of a topic elsewhere", "--topic", "keys"],
    ["remember", "Not mine", "--scope", "agent/bob"],
  ],
  update: () => [...ofIds("update", "Other words", "--dry-run"), ["update", "gate", "The gate is grey"]],
  forget: () => [...ofIds("forget", "--dry-run"), ["forget", "code-1", "nothing-1", "gate"]],
  move: () => ofIds("move", "agent/low", "--dry-run"),
  observe: () => [...WORDS.slice(1, 4).map((word) => ["observe", word]), ["observe", "code-1"]],
  confirm: () => ofIds("confirm"),
  extract: () => [["extract", "-", "--rules"]],
  scratch: () => [
    ["scratch", "list"],
    ["scratch", "list", "--session", "high-1"],
    ["scratch", "search", "Quebec"],
    ["scratch", "add", "k", "v"],
  ],
  promote: () => [
    ["promote", "plan", "What is planned", "--reason", "Asked", "--in", "cellar", "--session", "bob-1"],
  ],
  identity: () => [["identity"], ["identity", "--scope", "agent/bob"], ["identity", "I am low"]],
  "create-branch": () => [
    ["create-branch", "fresh", "--from", "dark"],
    ["create-branch", "dark"],
  ],
  checkout: () => [
    ["checkout", "dark"],
    ["checkout", "nowhere"],
  ],
  "rename-branch": () => [["rename-branch", "work", "job"]],
  "delete-branch": () => [
    ["delete-branch", "mixed"],
    ["delete-branch", "nowhere"],
  ],
  merge: () => [
    ["merge", "work", "--dry-run"],
    ["merge", "nowhere"],
    ["merge", "work"],
  ],
  resolve: () => [
    ["resolve", "code-1", "text", "--take", "1"],
    ["resolve", "quay", "text", "--take", "1"],
  ],
  review: (names) => [
    ["review"],
    ["review", "accept", names.get("proposal") ?? "x"],
    ["review", "show", names.get("proposal") ?? "x"],
    ["review", "reject", "0123456789"],
  ],
  "cherry-pick": () => [
    ["cherry-pick", "work"],
    ["cherry-pick", "nowhere"],
  ],
  revert: () => [
    ["revert", "HEAD"],
    ["revert", "start"],
  ],
  tag: () => [
    ["tag", "late"],
    ["tag", "early"],
  ],
  snapshot: () => [["snapshot"], ["snapshot", "mine"]],
  rollback: () => [
    ["rollback", "nowhere"],
    ["rollback", "start"],
    ["rollback", "early"],
  ],
  commit: () => [["commit", "A milestone"]],
  trace: () => [
    ["trace", "list"],
    ["trace", "list", "--branch", "dark"],
    ["trace", "add", "A step"],
  ],
  consolidate: () => [["consolidate", "--dry-run"], ["consolidate"]],
  reflect: () => [["reflect", "--rules"]],
  persona: () => [
    ["persona", "Let us paint the gate"],
    ["persona", "bread"],
  ],
  "hand-over": () => [["hand-over", "-"]],
  undo: (names) => [["undo"], ["undo", names.get("op") ?? "0".repeat(64)]],
  palace: () => [
    ["palace"],
    ["palace", "show", "cellar"],
    ["palace", "show", "nowhere"],
    ["palace", "new", "cellar", "--scope", "agent/bob"],
    ["palace", "rooms", "--scope", "agent/bob"],
  ],
  ingest: () => [["ingest", "none.md"]],
  export: () => [
    ["export", "-o", "-"],
    ["export", "--history", "-o", "-"],
    ["export", "--format", "markdown", "--history", "-o", "-"],
    ["export", "code-1", "-o", "-"],
    ["export", "nothing-1", "-o", "-"],
  ],
  import: () => [["import", "none.json"]],
  erase: (names) => [
    ...keysIn(names)
      .slice(0, 12)
      .map((id) => ["erase", id, "--dry-run"]),
    ["erase", "--containing", "Quebec", "--dry-run"],
    ["erase", "--containing", "gate", "--dry-run", "--derived"],
  ],
  hook: () => [["hook", "SessionStart", "--agent", "claude"]],
  verify: NONE,
  doctor: NONE,
  embed: NONE,
  gc: NONE,
  compact: NONE,
  rebuild: NONE,
  repair: NONE,
  backup: NONE,
  restore: NONE,
  "verify-proof": NONE,
  mcp: NONE,
  connect: NONE,
  config: NONE,
  completion: NONE,
  docs: NONE,
  tour: NONE,
};
