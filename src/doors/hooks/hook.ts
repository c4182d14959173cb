import {
  detectRecall,
  openPlain,
  promptBlock,
  type Session,
  systemRandom,
  withoutEnvelopes,
  withoutHostWords,
} from "../../session/index.js";
import { unquoted } from "../cli/input-text.js";
import type { AgentName, HookEvent, HookInput } from "./agents.js";
import { readTranscript, type Said } from "./transcript.js";

/** Hosts put this before every prompt, so that it has to be short. */
const PROMPT_TOKENS = 300;
/** Of what is found, so many are looked at for those that are told. */
const LOOKED_AT = 12;

/** What one event of a host is answered with: a context for the model, empty when there is nothing to say. */
export async function runHook(
  session: Session,
  event: HookEvent,
  agent: AgentName,
  input: HookInput,
  budget: number | undefined,
): Promise<string> {
  switch (event) {
    case "start":
      return begun(session, budget);
    case "prompt":
      return input.prompt === undefined ? "" : grounded(session, input.prompt, budget ?? PROMPT_TOKENS);
    case "keep":
      if (input.transcript !== undefined)
        await keepTranscript(session, agent, input.session ?? "unnamed", input.transcript);
      return "";
  }
}

/** A memory that holds nothing yet has nothing to say at every start. */
async function begun(session: Session, budget: number | undefined): Promise<string> {
  const { text, loaded } = await session.wakeUp(budget === undefined ? {} : { budget });
  return loaded.some(({ what, id }) => what !== "identity" || id !== undefined) ? text : "";
}

/**
 * Found by words: a hook is a process of its own and cannot wait for vectors. What is certain is told; where no judge can say
 * so, a prompt that asks for memory is told what is nearest, and that it is no more than that.
 */
async function grounded(session: Session, prompt: string, budget: number): Promise<string> {
  const asked = askedIn(prompt);
  if (!mayBeKnown(asked)) return "";
  const found = await session.recall(asked, { mode: "lexical", limit: LOOKED_AT });
  const mayBeTold = found.certainty === "certain" || (!found.judged && found.recall);
  if (!found.answered || !mayBeTold) return "";
  const isNoise = (text: string): boolean => withoutHostWords(text) === "";
  // The line that follows is paid for as well.
  const block = promptBlock(asked, found, {
    budget: budget - ANSWER_TOKENS,
    random: systemRandom(),
    isNoise,
  });
  return block === "" ? "" : `${block}\n${ANSWER}`;
}

/** What a person asked, in whatever their host wrapped it. */
const askedIn = (prompt: string): string => unquoted(withoutHostWords(prompt));

/** Most prompts ask nothing; for them no store has to be opened. */
export function mayBeKnown(prompt: string): boolean {
  const { recall, asks } = detectRecall(askedIn(prompt));
  return recall || asks;
}

const ANSWER = "Name the ids you rest on; if these do not answer it, say so.";
const ANSWER_TOKENS = 20;

/** Longer than this, a transcript is read from its end: what is older was kept by an earlier hook. */
const MOST_BYTES = 8_000_000;

/**
 * Keeps what a transcript holds as messages, through the gate. What was kept before is found by its id, from the end
 * backwards, so that a long conversation costs what is new in it. Our own blocks in it are no news and are left out.
 */
async function keepTranscript(session: Session, agent: string, name: string, path: string): Promise<number> {
  const said = readTranscript(await tailOf(path))
    .map((one) => ({ ...one, text: withoutEnvelopes(one.text).trim() }))
    .filter(({ text }) => text !== "");
  const idOf = ({ key }: Said): string => `said-${agent}-${name}-${key}`;
  let from = said.length;
  while (from > 0 && !(await session.get(idOf(said[from - 1]!), { exact: true }))) from--;
  const verdicts = await session.rememberMany(
    said.slice(from).map((one) => ({
      id: idOf(one),
      type: "message",
      text: one.text,
      turn: one.turn,
      speaker: one.role,
      attributes: { role: one.role },
      ...(isTime(one.time) && { valid: { from: new Date(one.time).toISOString() } }),
    })),
    { snapshot: false, message: "Kept from the conversation" },
  );
  return verdicts.filter(({ verdict }) => verdict === "accepted").length;
}

const isTime = (time: string | undefined): time is string =>
  time !== undefined && !Number.isNaN(Date.parse(time));

async function tailOf(path: string): Promise<string> {
  const file = await openPlain(path);
  try {
    const { size } = await file.stat();
    const from = Math.max(0, size - MOST_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
    const text = buffer.toString("utf8", 0, bytesRead);
    return from === 0 ? text : text.slice(text.indexOf("\n") + 1);
  } finally {
    await file.close();
  }
}
