import { read } from "../gate/index.js";

/** A branch as somebody to be: what it says of itself, and which of the words asked about its memories hold. */
export interface Persona {
  readonly branch: string;
  readonly persona?: string | undefined;
  readonly purpose?: string | undefined;
  /** Which of these words stand in what it remembers and the others do not. */
  readonly knows: ReadonlySet<string>;
  /** How near what it says of itself is in meaning, where there are vectors. */
  readonly nearness?: number | undefined;
}

export interface PersonaScore {
  readonly branch: string;
  readonly score: number;
}

export interface PersonaChoice {
  /** Where to be from now on. */
  readonly branch: string;
  readonly switched: boolean;
  readonly scores: readonly PersonaScore[];
  readonly reason: string;
  /** Nobody fits: a persona that could be made. */
  readonly wanted?: { readonly name: string; readonly purpose: string };
}

/** What is said of a branch counts whole, what it happens to remember half. */
const KNOWN = 0.5;
/** From here on a context belongs to somebody … */
const ENOUGH = 0.18;
/** … and another has to be this much better than whoever is there, so that nobody flickers. */
const BETTER = 1.4;
const MARGIN = 0.08;
/** Texts that have nothing in common are about this near. */
const UNRELATED = 0.12;
/** Brings nearness to the scale of shared words. */
const MEANT = 0.11;
/** A context of fewer words says nothing about who should answer. */
const FEW = 3;

/** Words that every task has. */
const EMPTY = new Set(
  "help need want please make thing way question work use get tell know good new time today look find give try".split(
    " ",
  ),
);

export const contentOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    [...read(text).content].filter(([stem, word]) => !EMPTY.has(word) && !EMPTY.has(stem) && stem.length > 2),
  );

/** How well each persona fits a context: the part of its words that they share, the rarer the more. */
export function personaScores(context: string, personas: readonly Persona[]): PersonaScore[] {
  const words = [...contentOf(context).keys()];
  const spoken = personas.map(
    ({ branch, persona, purpose }) =>
      new Set(contentOf(`${branch.replace(/[-_/.]/g, " ")} ${persona ?? ""} ${purpose ?? ""}`).keys()),
  );
  const weightOf = (word: string): number => 1 / Math.max(1, spoken.filter((own) => own.has(word)).length);
  return personas
    .map(({ branch, knows, nearness }, at) => {
      let sum = 0;
      for (const word of words) sum += spoken[at]!.has(word) ? weightOf(word) : knows.has(word) ? KNOWN : 0;
      const score =
        words.length === 0 ? 0 : sum / Math.sqrt(words.length * Math.max(3, Math.min(words.length, 12)));
      // Short texts are never very near each other: that the others are farther tells as much.
      const others = personas.map((other) => (other.branch === branch ? 0 : (other.nearness ?? 0)));
      const apart = (nearness ?? 0) - Math.max(UNRELATED, ...others);
      const meant = (nearness ?? 0) + Math.max(0, apart) - MEANT;
      // A word in common that nothing else bears out may mean something else.
      const said = nearness !== undefined && apart <= 0 ? score / 2 : score;
      return { branch, score: Math.round(Math.max(said, meant) * 1e4) / 1e4 };
    })
    .sort((a, b) => b.score - a.score || (a.branch < b.branch ? -1 : 1));
}

/** Stays unless somebody else fits clearly better; where nobody fits, says who could. */
export function choosePersona(
  context: string,
  current: string,
  scores: readonly PersonaScore[],
): PersonaChoice {
  const words = [...contentOf(context)];
  const here = scores.find(({ branch }) => branch === current)?.score ?? 0;
  const stay = (reason: string, more: Partial<PersonaChoice> = {}): PersonaChoice => ({
    ...{ branch: current, switched: false, scores, reason },
    ...more,
  });
  if (words.length < FEW) return stay("The context says too little.");
  const [best] = scores;
  if (!best || best.score < ENOUGH) {
    if (here > 0 || words.length < 2 * FEW) return stay("No persona fits this context.");
    const name = words
      .slice(0, 2)
      .map(([, word]) => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ""))
      .join("-");
    return stay("No persona fits this context; one could be made.", {
      wanted: { name, purpose: context.trim().slice(0, 200).toWellFormed() },
    });
  }
  if (best.branch === current) return stay("The present persona fits best.");
  if (best.score < here * BETTER + MARGIN) return stay(`${best.branch} fits hardly better than ${current}.`);
  return { branch: best.branch, switched: true, scores, reason: `${best.branch} fits this context best.` };
}
