import { type BranchName, parseBranch } from "../../core/base/index.js";
import { fold, isSingleValued, read } from "../../gate/index.js";
import { type Branch, branches, historyVerbs } from "../../history/index.js";
import { facet, frequencyOf, Scene, select, termsOf } from "../../index/index.js";
import { requireStaged } from "../../memories/index.js";
import type { Access, At, Context, Engine } from "../../repo/index.js";
import { acceptReview, propose } from "../../review/index.js";
import { Vectors } from "../../search/index.js";
import { type Message, parseMessages } from "../facts.js";
import type { Belief, Finding } from "../findings.js";

export interface PersonaAnswer extends PersonaChoice {
  /** Where the making of a new persona waits to be accepted. */
  readonly proposal?: string;
}

/** What was said last counts; a long conversation would fit everybody. */
const LAST = 4;

export const contextText = (given: string | readonly Message[]): string =>
  typeof given === "string"
    ? given
    : parseMessages(given)
        .filter(({ role }) => role === "user")
        .slice(-LAST)
        .map(({ content }) => content)
        .join("\n");

/** Who should answer here? Making somebody new is proposed, never done. */
export async function choosePersonaFor(
  { context, now }: At,
  given: string | readonly Message[],
): Promise<PersonaAnswer> {
  const { engine } = context;
  const text = contextText(given);
  const words = contentOf(text);
  const open = (await branches(context, engine.storage)).filter(
    ({ status }) => status !== "merged" && status !== "abandoned",
  );
  const known = new Map<string, Set<string>>();
  for (const { name } of open) {
    const tip = await engine.head(name as BranchName);
    const held = await context.views.use(name as BranchName, tip, (view) => {
      const scene = new Scene(view, context.sight, Date.parse(now));
      return [...words]
        .filter(([, word]) => frequencyOf(scene, termsOf(text)(word)) > 0)
        .map(([stem]) => stem);
    });
    known.set(name, new Set(held));
  }
  // What everybody remembers tells nobody apart.
  const common = [...words.keys()].filter((word) => open.every(({ name }) => known.get(name)?.has(word)));
  const near = await nearness(engine, text, open);
  const personas = open.map(({ name, persona, purpose }): Persona => {
    const own = known.get(name) ?? new Set();
    for (const word of common) own.delete(word);
    return { branch: name, persona, purpose, knows: own, nearness: near.get(name) };
  });
  const choice = choosePersona(text, context.branch, personaScores(text, personas));
  if (!choice.wanted || open.some(({ name }) => name === choice.wanted?.name)) return choice;
  const { id } = await propose(context, "persona", undefined, {
    reason: choice.reason,
    data: { persona: choice.wanted },
  });
  return { ...choice, ...(id !== undefined && { proposal: id }) };
}

/** Makes the persona that was proposed. What asks for something else is left to wait. */
export async function acceptPersona(access: Access, id: string): Promise<Branch> {
  const { note } = await requireStaged(access.context, id);
  const { name = "", purpose } = (note.data?.persona ?? {}) as Partial<NonNullable<PersonaChoice["wanted"]>>;
  const branch = parseBranch(name);
  await acceptReview(access.context, id);
  return historyVerbs.createBranch.bind(access, "createBranch")(
    branch,
    purpose === undefined ? {} : { purpose },
  );
}

/** Cosines of the context with what branches say of themselves; only where vectors are in use anyway. */
async function nearness(
  engine: Engine,
  text: string,
  open: readonly { readonly name: string; readonly persona?: string; readonly purpose?: string }[],
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  const vectors = engine.companion(Vectors);
  if (!vectors.inUse) return found;
  const embedding = await vectors.embedding();
  const asked = await embedding.query(text);
  if (!asked) return found;
  const near = async (own: string): Promise<number> =>
    (await embedding.query(own))?.reduce((sum, value, at) => sum + value * (asked[at] ?? 0), 0) ?? 0;
  for (const { name, persona = "", purpose = "" } of open) {
    // Of several fields a context belongs to one: the whole, and what is nearest of it.
    const fields = [persona, ...purpose.split(FIELDS)].map((one) => one.trim()).filter((one) => one !== "");
    const parts = await Promise.all(fields.slice(0, MOST_FIELDS).map(near));
    const whole = await near([persona, purpose].filter((one) => one !== "").join(". ") || name);
    found.set(name, (whole + Math.max(whole, ...parts)) / 2);
  }
  return found;
}

const FIELDS = /[,;.]|\s(?:and|or|und|oder|et|ou|y|o|e)\s|[、，；和]/u;
const MOST_FIELDS = 8;

/** A branch as somebody to be: what it says of itself, and which of the words asked about its memories hold. */
interface Persona {
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

interface PersonaChoice {
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
/** … and another has to be this much better than the present one, so that personas do not flicker. */
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

const contentOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    [...read(text).content].filter(([stem, word]) => !EMPTY.has(word) && !EMPTY.has(stem) && stem.length > 2),
  );

/** How well each persona fits a context: the part of its words that they share, the rarer the more. */
function personaScores(context: string, personas: readonly Persona[]): PersonaScore[] {
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
function choosePersona(context: string, current: string, scores: readonly PersonaScore[]): PersonaChoice {
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

/** Beyond this many personas or slots nobody compares by hand any more. */
const MOST_BRANCHES = 20;
const MOST_SLOTS = 2_000;

/** Where other personas hold another value of something that has one at a time. */
export async function personaFindings(
  context: Context,
  beliefs: readonly Belief[],
  now: string,
): Promise<Finding[]> {
  const { engine } = context;
  const others = (await branches(context, engine.storage)).filter(
    ({ name, status }) => name !== context.branch && status !== "merged",
  );
  const own = beliefs
    .filter(({ triple }) => triple && isSingleValued(triple.predicate, context.rules))
    .slice(-MOST_SLOTS);
  const found: Finding[] = [];
  if (own.length === 0) return found;
  for (const { name } of others.slice(0, MOST_BRANCHES)) {
    const tip = await engine.head(name as BranchName);
    const hashes = await context.views.use(name as BranchName, tip, (view) =>
      own.map(({ scope, triple }) => {
        const scene = new Scene(view, context.sight, Date.parse(now), scope as never);
        return select(scene, [facet.bySlot(triple!.subject, triple!.predicate)]).map(
          (doc) => view.doc(doc).hash,
        );
      }),
    );
    const records = await engine.reader.values("memory", hashes.flat());
    for (const [at, { id, scope, text, triple }] of own.entries())
      for (const hash of hashes[at]!) {
        const other = records.get(hash);
        if (!other?.triple || fold(other.triple.object) === fold(triple!.object)) continue;
        const why = `On the branch ${name} it is: ${other.text}`;
        found.push({ kind: "persona", ids: [id], scope, text, why, proposes: "decide" });
      }
  }
  return found;
}
