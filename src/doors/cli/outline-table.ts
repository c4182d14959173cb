import type { Outline } from "./outlines.js";

/** Written by `npm run docs`. */
export const OUTLINES: readonly Outline[] = [
  {
    name: "status",
    summary: "where the store is, what is in it, what needs attention, what to do next (also `pal` alone)",
  },
  {
    name: "remember",
    summary: "add a memory, or renew the one with its id or topic; --jsonl for many",
    args: [{ name: "[text]", description: "what to remember; - reads stdin; not needed with a triple" }],
  },
  {
    name: "update",
    summary: "change a memory; only what is named changes",
    args: [
      {
        name: "<id>",
        description:
          "its whole id as it is shown, or its topic; with --part 6 or more first or last characters",
      },
      { name: "[text]", description: "the new text; - reads stdin" },
    ],
  },
  {
    name: "forget",
    summary: "forget memories: gone from now on, still in history",
    args: [
      {
        name: "<id...>",
        description: "whole ids as they are shown, or topics; with --part 6 or more first or last characters",
      },
    ],
  },
  {
    name: "move",
    summary: "take a memory to another scope, so that others see it",
    args: [
      {
        name: "<id>",
        description:
          "its whole id as it is shown, or its topic; with --part 6 or more first or last characters",
      },
      { name: "<scope>", description: "where it goes: shared, agent/orion, project/site, …" },
    ],
  },
  {
    name: "observe",
    summary: "add evidence to a memory, or note something seen once",
    args: [
      {
        name: "<id or text>",
        description: "a memory that becomes more certain, by its whole id or topic, or a text; - reads stdin",
      },
    ],
  },
  {
    name: "confirm",
    summary: "a memory proved right: it becomes more certain, once for each session",
    args: [
      {
        name: "<id>",
        description:
          "its whole id as it is shown, or its topic; with --part 6 or more first or last characters",
      },
    ],
  },
  {
    name: "get",
    summary: "show one memory",
    args: [
      { name: "<id>", description: "its id or topic, or 6 or more of the id's first or last characters" },
    ],
  },
  { name: "list", summary: "list memories, oldest first" },
  {
    name: "search",
    summary: "find memories by what they say, best first",
    args: [
      { name: "<question>", description: 'words, "quoted phrases", subject: type: tag: before: after:' },
    ],
  },
  {
    name: "recall",
    summary: "ask memory layer by layer: quotations with their sources, or honestly nothing",
    args: [{ name: "<question>", description: "what is to be known" }],
  },
  {
    name: "why",
    summary: "which memories a sentence rests on, who said them where, and how to set them right",
    args: [{ name: "<sentence-or-id>", description: "what was said, or the id of a memory" }],
  },
  {
    name: "wake-up",
    summary: "what a new session should know: who it is, where the work stands, what is open",
  },
  { name: "view", summary: "what is believed now: canon, topics, then the newest" },
  {
    name: "history",
    summary: "every version of one memory, newest last",
    args: [
      {
        name: "<id>",
        description: "its id or topic, or 6 or more of the id's first or last characters; forgotten ones too",
      },
    ],
  },
  {
    name: "log",
    summary: "commits that changed what you see, newest first",
    args: [
      { name: "[point]", description: "begin at a commit, branch, tag, snapshot or time, HEAD~2; as --at" },
    ],
  },
  {
    name: "diff",
    summary: "what came, went and changed between two points, word by word",
    args: [
      { name: "<from>", description: "a commit, branch, tag, snapshot or time, HEAD, HEAD~1" },
      {
        name: "[to]",
        description: "a commit, branch, tag, snapshot or time, HEAD, HEAD~1; default the present",
      },
    ],
  },
  {
    name: "blame",
    summary: "who made us believe each field of a memory, and when",
    args: [
      { name: "<id>", description: "its id or topic, or 6 or more of the id's first or last characters" },
    ],
  },
  { name: "graph", summary: "a picture of all branches: Mermaid text, or a timeline" },
  { name: "branches", summary: "all branches, each a persona; * is the one you are on" },
  {
    name: "create-branch",
    summary: "make a branch: another persona, or a place to try things",
    args: [{ name: "<name>", description: "its name: letters, digits and . _ -" }],
  },
  {
    name: "checkout",
    summary: "work on another branch from now on; remembered for each agent",
    args: [{ name: "<name>", description: "the branch" }],
  },
  {
    name: "rename-branch",
    summary: "give a branch another name; whoever is on it comes along",
    args: [
      { name: "<name>", description: "the branch" },
      { name: "<new-name>", description: "a name that is free" },
    ],
  },
  {
    name: "delete-branch",
    summary: "delete a branch that nobody is on; main always stays",
    args: [{ name: "<name>", description: "the branch" }],
  },
  {
    name: "merge",
    summary: "bring another branch into yours; what collides is kept from both sides",
    args: [{ name: "<source>", description: "the branch to bring in" }],
  },
  { name: "conflicts", summary: "what merges left open: every contested field, who says what" },
  {
    name: "resolve",
    summary: "settle a contested field: take one side, or write a value",
    args: [
      {
        name: "<id>",
        description:
          "its whole id as it is shown, or its topic; with --part 6 or more first or last characters",
      },
      { name: "<field>", description: "as `pal conflicts` names it; '*' where one side forgot it" },
    ],
  },
  {
    name: "review",
    summary: "what waits for you: see it as a difference, then accept, edit or reject it",
    args: [
      { name: "[what]", description: "list (default), show, accept, edit or reject" },
      {
        name: "[id]",
        description: "which item: its whole id; with show or --part the first 7 or more characters of it",
      },
      { name: "[text]", description: "with edit: the better words; - reads stdin" },
    ],
  },
  {
    name: "taint",
    summary: "everything that was made from a memory, directly or through others, in any version",
    args: [
      { name: "<id>", description: "its id or topic, or 6 or more of the id's first or last characters" },
    ],
  },
  {
    name: "cherry-pick",
    summary: "bring what one commit changed into your branch, and nothing else",
    args: [
      { name: "<commit>", description: "a hash by 7 or more of its first digits, a branch, tag or snapshot" },
    ],
  },
  {
    name: "revert",
    summary: "take back what one commit changed, as a new commit; later work stays",
    args: [
      { name: "<commit>", description: "a hash by 7 or more of its first digits, a branch, tag or snapshot" },
    ],
  },
  {
    name: "tag",
    summary: "name a commit for good: an address for --at, diff and rollback",
    args: [
      { name: "<name>", description: "letters, digits and . _ -" },
      { name: "[point]", description: "a commit, branch, snapshot or time; default where you are" },
    ],
  },
  { name: "tags", summary: "all tags" },
  {
    name: "snapshot",
    summary: "mark the present state, to come back to it",
    args: [{ name: "[label]", description: "with a label it stays; without one the last 20 are kept" }],
  },
  { name: "snapshots", summary: "your snapshots and all labelled ones, newest first; 0 is the newest" },
  {
    name: "rollback",
    summary: "go back to a snapshot or any earlier state, as one new commit",
    args: [
      {
        name: "[point]",
        description:
          "a number, id or label of `pal snapshots`, a commit, tag or time; default 0, the newest snapshot",
      },
    ],
  },
  { name: "commit", summary: "record a milestone: what the branch is for, how far it is, what this adds" },
  {
    name: "trace",
    summary: "the steps of the work on a branch: what was observed, thought and done",
    args: [
      { name: "<what>", description: "add or list" },
      { name: "[text]", description: "with add: the step" },
    ],
  },
  {
    name: "context",
    summary: "a block for a prompt: what is always shown, what bears on a query, or where a branch stands",
  },
  { name: "bisect", summary: "which commit made a search return a text, or stop returning it" },
  {
    name: "extract",
    summary: "find facts in a conversation and propose them for review",
    args: [{ name: "<file>", description: "messages as JSON, JSON lines or `User: …` text; - reads stdin" }],
  },
  { name: "consolidate", summary: "look over everything believed and propose what to tidy; changes nothing" },
  {
    name: "reflect",
    summary: "propose summaries and insights that cite what they rest on; the originals stay",
  },
  {
    name: "persona",
    summary: "which persona (branch) a context belongs to; a new one is only proposed",
    args: [
      { name: "<context>", description: "what it is about; - reads stdin. With --accept: the proposal" },
    ],
  },
  {
    name: "hand-over",
    summary: "a session as one file for another agent or store, or --take one over",
    args: [
      {
        name: "[file]",
        description: "where it goes, or with --take where it comes from; default stdout or stdin",
      },
    ],
  },
  { name: "ops", summary: "the operation log: what moved which branch, newest first" },
  {
    name: "undo",
    summary: "take back your last operation on this branch, or any by its id, as a new operation",
    args: [
      {
        name: "[op]",
        description: "an operation of `pal ops`; your own last one on this branch if left out",
      },
    ],
  },
  { name: "doctor", summary: "how is everything? what stands in the way, and the command that mends it" },
  {
    name: "palace",
    summary:
      "rooms and drawers: see, make, describe, move and rename them, and sync them with Markdown files",
    args: [
      {
        name: "[what]",
        description: "rooms (default), show, new, init, describe, rename, move, sync or config",
      },
      { name: "[place]", description: "a room or room/drawer; with sync a folder; with move also an id" },
      { name: "[text]", description: "the description, the new name, the place to move to, or the value" },
    ],
  },
  {
    name: "identity",
    summary: "who the agent is: show it, or say it",
    args: [{ name: "[text]", description: "who it is and what it is for; - reads stdin" }],
  },
  {
    name: "scratch",
    summary: "the scratchpad of a session: notes that expire and are no memories",
    args: [
      { name: "<what>", description: "add (or set), get, list, search or clear" },
      { name: "[key]", description: "with add and get: the key; with search: the question" },
      { name: "[value]", description: "with add: JSON or text; - reads stdin" },
    ],
  },
  {
    name: "promote",
    summary: "take an entry of the scratchpad into the palace: summed up, and with a reason",
    args: [
      { name: "<key>", description: "the key of the entry" },
      { name: "[summary]", description: "what is worth remembering, in 5 to 500 words; - reads stdin" },
    ],
  },
  {
    name: "playbooks",
    summary: "documented ways to do a task, best first, from folders of Markdown files",
    args: [{ name: "<task>", description: "what is to be done" }],
  },
  {
    name: "ingest",
    summary: "read Org and Markdown files, or a folder of them, as trees of memories",
    args: [{ name: "<path...>", description: "files that end in .org or .md, or folders" }],
  },
  {
    name: "links",
    summary: "show which notes a note links to, and which link to it",
    args: [{ name: "<id>", description: "the note" }],
  },
  {
    name: "export",
    summary: "write memories to a file, or a document as the file it came from",
    args: [{ name: "[id]", description: "a document, or part of one; all memories if left out" }],
  },
  {
    name: "import",
    summary: "read an export, or the memories of another system, through the gate",
    args: [{ name: "[path]", description: "a file, or the folder of the other system" }],
  },
  {
    name: "stats",
    summary: "figures about what you see: counts, growth, room on the disk, index and vectors",
  },
  { name: "verify", summary: "is everything whole? reads and re-hashes the store" },
  {
    name: "erase",
    summary:
      "erase a memory for good: every version, on every branch, from the bytes of the store (agents only ask for it)",
    args: [
      {
        name: "[id]",
        description:
          "its whole id or its topic; else a text, as for --containing. What a part of an id may mean is shown, and asked about at a terminal",
      },
    ],
  },
  {
    name: "embed",
    summary: "make the vectors of all memories now, so that a search by meaning need not wait",
  },
  { name: "gc", summary: "drop what nothing leads to any more: deleted branches, items nobody reviewed" },
  { name: "compact", summary: "make the store smaller; history stays whole" },
  {
    name: "rebuild",
    summary: "make indexes and everything else that is derived again from what was written",
  },
  {
    name: "repair",
    summary: "save what can be saved of a damaged store into a new one; the old one stays as it is",
    args: [{ name: "<directory>", description: "where the new store is to be" }],
  },
  {
    name: "backup",
    summary: "write everything to one file, while others go on writing",
    args: [{ name: "<file>", description: "where to" }],
  },
  {
    name: "restore",
    summary: "fill an empty store from a backup, after checking all of it",
    args: [{ name: "<file>", description: "the backup, or an image" }],
  },
  {
    name: "prove",
    summary: "prove that a memory is, or is not, there; or that the past is the one you know",
    args: [
      {
        name: "<id>",
        description:
          "its whole id as it is shown, or its topic; for a proof of absence any id; with --part 6 or more first or last characters; with --consistency the whole commit you kept",
      },
      {
        name: "[head]",
        description: "with --consistency the later commit or branch; default the present head",
      },
    ],
  },
  {
    name: "verify-proof",
    summary: "check a proof, without any store",
    args: [{ name: "<file>", description: "a proof as written by `pal prove`; - reads stdin" }],
  },
  {
    name: "mcp",
    summary: "serve the memory to an agent over the Model Context Protocol (stdin and stdout, or --http)",
  },
  {
    name: "connect",
    summary: "give agents this memory: adds `pal mcp`, and hooks if asked, to their configurations",
    args: [{ name: "<agent...>", description: "claude, codex, cursor, opencode, gemini" }],
  },
  {
    name: "hook",
    summary: "answer an event of a coding agent (JSON on stdin and stdout)",
    args: [
      { name: "<event>", description: "SessionStart, UserPromptSubmit, PreCompact, SessionEnd or Stop" },
    ],
  },
  {
    name: "config",
    summary: "the settings of this memory: list, get, set or unset them",
    args: [
      { name: "[action]", description: "list (default), get, set or unset" },
      { name: "[key]", description: "such as memory.similarity_threshold" },
      { name: "[value]", description: "true or false, a number, a text, or words divided by commas" },
    ],
  },
  {
    name: "completion",
    summary: "print what makes a shell complete commands, options and names of branches",
    args: [{ name: "<shell>", description: "bash, zsh or fish" }],
  },
  {
    name: "complete",
    summary: "what could come next on a line; called by the scripts of `pal completion`",
    args: [{ name: "[words...]", description: "the line so far, after --" }],
    hidden: true,
  },
  { name: "docs", summary: "print the reference of all commands as Markdown", hidden: true },
  { name: "tour", summary: "see the product at work on a throw-away store, in seconds" },
];
