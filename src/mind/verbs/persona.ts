import { type BranchName, parseBranch } from "../../core/base/index.js";
import { type Branch, branches, historyVerbs } from "../../history/index.js";
import { frequencyOf, Scene, termsOf } from "../../index/index.js";
import { requireStaged } from "../../memories/index.js";
import type { Access, At, Engine } from "../../repo/index.js";
import { acceptReview, propose } from "../../review/index.js";
import { Vectors } from "../../search/index.js";
import { type Message, parseMessages } from "../message.js";
import { choosePersona, contentOf, type Persona, type PersonaChoice, personaScores } from "../persona.js";

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
