import { keysIn, type Names, WORDS } from "./_calls.js";

export type ToolCall = Readonly<Record<string, unknown>>;

const ids = (names: Names): ToolCall[] => keysIn(names).map((id) => ({ id }));
const POINTS = ["early", "start", "work", "dark", "2026-01-10T03:00:00Z", "HEAD~1", "nowhere"];

/** How every tool is called; what changes something comes last. */
export const TOOL_CALLS: Readonly<Record<string, (names: Names) => readonly ToolCall[]>> = {
  memory_search: () => [
    {},
    ...WORDS.flatMap((query) => [{ query }, { query, limit: 1 }]),
    ...["agent/bob", "shared", "project/hidden"].map((scope) => ({ query: "gate", scope })),
    ...["Ann", "Bob", "Nobody"].map((subject) => ({ subject })),
  ],
  memory_recall: () => WORDS.map((question) => ({ question })),
  memory_wake_up: () => [{}, ...WORDS.map((about) => ({ about }))],
  memory_history: (names) => [{}, { limit: 1 }, { limit: 100, budget: 20_000 }, ...ids(names)],
  memory_why: (names) => [...WORDS, ...keysIn(names)].map((said) => ({ said })),
  semantic_search: () => WORDS.flatMap((query) => [{ query }, { query, min_similarity: -1, limit: 50 }]),
  memory_scratchpad: () => [
    ...["low-1", "high-1", "bob-1", "nobody"].flatMap((session) => [
      { action: "list", session },
      { action: "search", session, query: "Quebec plans" },
    ]),
    { action: "clear", session: "high-1" },
    { action: "add", session: "low-1", key: "k", value: "v" },
  ],
  memory_diff: () => [...POINTS.map((from) => ({ from })), ...POINTS.map((to) => ({ from: "early", to }))],
  memory_review: (names) => [
    {},
    { kind: "question" },
    ...["proposal", "proposal to forget"].flatMap((name) => [
      { id: names.get(name) },
      { id: names.get(name), decision: "reject" },
      { id: names.get(name), decision: "accept" },
    ]),
    { id: "0123456789", decision: "accept" },
  ],
  memory_blame: ids,
  memory_prove: (names) =>
    // That an id is taken in a scope is told: its absence is not proven.
    [
      ...ids(names).filter(({ id }) =>
        ["gate", "notes", "key-1", "nothing-1", "zero-1"].includes(id as string),
      ),
      { since: "early" },
      { since: "0".repeat(64) },
    ],
  memory_verify: () => [],
  memory_branch: () => [
    { action: "list" },
    { action: "create", name: "fresh" },
    { action: "create", name: "dark" },
    { action: "switch", name: "nowhere" },
    { action: "switch", name: "dark" },
    { action: "list" },
    { action: "switch", name: "main" },
  ],
  memory_consolidate: () => [{}],
  process_conversation: () => [
    {
      messages: [
        { role: "user", content: "I like black coffee. The launch code of the north gate is 4711 Quebec." },
      ],
      dry_run: true,
    },
    { messages: [{ role: "user", content: "My sister is called Mia." }] },
  ],
  memory_add: () => [
    { text: "The launch code of the north gate is 4711 Quebec" },
    { text: "The launch code of the north gate is 9999 Zulu" },
    { text: "Bob keeps a spare key under the mat", scope: "agent/bob" },
    { subject: "Ann", predicate: "likes", object: "black coffee" },
    { text: "Of a topic elsewhere", topic: "keys" },
  ],
  memory_update: (names) => [
    ...ids(names).map((call) => ({ ...call, confidence: 0.4, reason: "less sure" })),
    { id: "gate", text: "The gate is grey" },
  ],
  memory_forget: (names) => ids(names).filter(({ id }) => !["gate", "observed"].includes(id as string)),
  memory_promote: () =>
    ["bob-1", "high-1", "low-1"].map((session) => ({
      key: "plan",
      session,
      summary: "What is planned is not known",
      reason: "Asked",
      room: "cellar",
    })),
  memory_resolve: () => [
    {},
    { id: "code-1", field: "text", take: 1 },
    { id: "nothing-1", field: "text", take: 1 },
    { id: "quay", field: "text", take: 1 },
  ],
  memory_merge: () => [{ source: "work" }, { source: "nowhere" }],
  memory_rollback: () => [{ to: "nowhere" }, { to: 0 }, { to: "start", all_authors: true }],
};

export const RESOURCES = (names: Names): string[] => [
  ...keysIn(names).map((id) => `memory://memory/${encodeURIComponent(id)}`),
  ...["main", "work", "dark", "mixed", "nowhere"].map((name) => `memory://branch/${name}`),
  ...[
    "memory://wake-up",
    "memory://palace",
    "memory://palace/identity",
    "memory://palace/rooms",
    "memory://room/cellar",
    "memory://palace/harbour",
    "memory://palace/cellar",
  ],
];

export const PROMPTS: readonly (readonly [name: string, args: Readonly<Record<string, string>>])[] = [
  ...WORDS.map((about) => ["recall", { about }] as const),
  ["wake_up", {}],
  ["wake_up", { about: "Quebec" }],
  ["save_session", {}],
  ...["main", "dark", "mixed", "nowhere"].map((branch) => ["take_over", { branch }] as const),
];
