/** How the help and the documentation sort the commands; what is not named here stands under the last heading. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  Remember: [
    "remember",
    "update",
    "forget",
    "move",
    "observe",
    "confirm",
    "extract",
    "scratch",
    "promote",
    "identity",
  ],
  Find: ["search", "recall", "why", "get", "list", "view", "context", "wake-up", "links", "playbooks"],
  History: ["log", "history", "diff", "blame", "bisect", "graph"],
  Branches: [
    ...["branches", "create-branch", "checkout", "rename-branch", "delete-branch", "merge", "cherry-pick"],
    ...["conflicts", "resolve", "persona"],
  ],
  "Ways back": ["undo", "ops", "revert", "snapshot", "snapshots", "rollback", "tag", "tags"],
  "Files and other systems": ["ingest", "export", "import", "palace", "sync"],
  Work: ["commit", "trace", "consolidate", "reflect", "review", "taint", "hand-over"],
  Care: [
    ...["status", "stats", "verify", "prove", "verify-proof", "doctor", "repair", "rebuild", "embed"],
    ...["gc", "compact", "erase", "backup", "restore"],
  ],
  "Agents and set-up": ["mcp", "connect", "hook", "serve", "config", "completion", "tour", "help"],
  More: [],
};

export const HEADINGS: readonly string[] = Object.keys(GROUPS);

export const headingOf = (name: string): string =>
  HEADINGS.find((heading) => GROUPS[heading]?.includes(name)) ?? "More";

/** Commands in the order in which they are shown. */
export function inOrder<T extends { readonly name: string }>(commands: readonly T[]): T[] {
  const order = Object.values(GROUPS).flat();
  const rank = ({ name }: T): number => (order.includes(name) ? order.indexOf(name) : order.length);
  return commands.toSorted((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
}
