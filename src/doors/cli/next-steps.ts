/** Something a person should look at, and the command for it. */
export interface Attention {
  readonly what: string;
  readonly command: string;
}

export interface Step {
  readonly command: string;
  readonly does: string;
}

/** Where nothing is yet. */
export const FIRST_STEPS: readonly Step[] = [
  { command: 'pal remember "Likes tea"', does: "the first memory makes the store" },
  { command: "pal import <file>", does: "bring what another system remembers" },
  { command: "pal tour", does: "see it all on a store that goes away again" },
];

/** Three things to do next, what needs attention first; several findings may have one command. */
export function nextSteps(memories: number, attention: readonly Attention[]): readonly Step[] {
  const first = [...new Set(attention.map(({ command }) => command))];
  const usual = [
    memories === 0
      ? { command: 'pal remember "Likes tea"', does: "add a memory" }
      : { command: "pal search <question>", does: "find what is known" },
    { command: "pal connect <agent>", does: "give it to an agent" },
    { command: "pal log --graph", does: "see how it came about" },
  ];
  return [...first.map((command) => ({ command, does: LOOKS[command] ?? "" })), ...usual].slice(0, 3);
}

/** What each is good for; what it is about was said with the finding. */
const LOOKS: Readonly<Record<string, string>> = {
  "pal conflicts": "see both sides and settle it",
  "pal review": "accept, edit or reject what waits",
  "pal doctor": "see what stands in the way, and what mends it",
  "pal verify": "see what is damaged",
};
