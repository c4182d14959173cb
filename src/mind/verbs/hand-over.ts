import {
  type Hash,
  hashValue,
  type JsonObject,
  PalimpsestError,
  type Timestamp,
} from "../../core/base/index.js";
import type { MemoryInput } from "../../gate/index.js";
import { branches } from "../../history/index.js";
import type { Memory } from "../../memories/index.js";
import { list, view } from "../../memories/index.js";
import type { At, Context } from "../../repo/index.js";
import { type Proposed, propose } from "../../review/index.js";
import type { HandOverOptions } from "../options.js";

/** A session as one value, for another agent or another store. */
export interface HandOver {
  readonly format: "palimpsest-hand-over";
  readonly v: 1;
  readonly time: Timestamp;
  readonly from: { readonly agent: string; readonly session?: string; readonly branch: string };
  /** The state it was taken from, to be proved there. */
  readonly commit: Hash;
  readonly root: Hash;
  readonly persona?: string;
  readonly purpose?: string;
  /** In words, for the agent that goes on. */
  readonly message?: string;
  /** What lives for the session: its scratchpad and what it noted. */
  readonly session: readonly MemoryInput[];
  /** What is believed: canon, topics, the newest. */
  readonly beliefs: readonly MemoryInput[];
  /** Of everything above; what was changed on the way is found. */
  readonly digest: string;
}

export async function handOver(at: At, { message, max = 50 }: HandOverOptions): Promise<HandOver> {
  const { context, tip, now } = at;
  const { engine } = at.context;
  const { sessionId, agent, branch } = context;
  const own = sessionId === undefined ? [] : await list(at, { session: sessionId });
  const { items } = await view(at, { max });
  const mine = new Set(own.map(({ hash }) => hash));
  const current = (await branches(context, engine.storage)).find(({ name }) => name === branch);
  const value = {
    ...{ format: "palimpsest-hand-over" as const, v: 1 as const, time: now },
    from: { agent, ...(sessionId !== undefined && { session: sessionId }), branch },
    ...{ commit: tip.hash, root: tip.commit.root },
    ...(current?.persona !== undefined && { persona: current.persona }),
    ...(current?.purpose !== undefined && { purpose: current.purpose }),
    ...(message !== undefined && { message }),
    session: own.map(inputOf),
    beliefs: items.filter(({ hash }) => !mine.has(hash)).map(inputOf),
  };
  return { ...value, digest: digestOf(value as unknown as JsonObject) };
}

function inputOf(memory: Memory): MemoryInput {
  const { text, type, triple, attributes, category, tags, topic, confidence, sensitivity, origin } = memory;
  return JSON.parse(
    JSON.stringify({
      ...{ text, type, triple, category, topic, confidence, sensitivity, evidence: origin.evidence },
      ...(tags?.length && { tags }),
      ...(attributes && Object.keys(attributes).length > 0 && { attributes }),
    }),
  ) as MemoryInput;
}

const digestOf = (value: JsonObject): string => hashValue("content", value);

/** Checks a file that was handed over. Nothing in it is believed beyond its shape. */
export function parseHandOver(given: string): HandOver {
  let value: Partial<HandOver>;
  try {
    value = JSON.parse(given) as Partial<HandOver>;
  } catch (cause) {
    throw new PalimpsestError("INVALID_FILE", "The file handed over is no JSON.", { cause });
  }
  const { digest, ...rest } = value ?? {};
  if (
    rest.format !== "palimpsest-hand-over" ||
    rest.v !== 1 ||
    !Array.isArray(rest.session) ||
    !Array.isArray(rest.beliefs)
  )
    throw new PalimpsestError("INVALID_FILE", "This is no session that was handed over.");
  if (digestOf(rest as unknown as JsonObject) !== digest)
    throw new PalimpsestError("INVALID_FILE", "The file was changed after it was handed over.");
  return value as HandOver;
}

export interface TakenOver {
  readonly from: HandOver["from"];
  readonly message?: string;
  readonly proposal?: string;
  readonly offered: number;
  readonly verdicts: Proposed<unknown>["verdicts"];
}

/** Takes over a session: everything in it comes from outside, so it waits for somebody to accept it. */
export async function takeOver(context: Context, given: string): Promise<TakenOver> {
  const { from, message, session, beliefs } = parseHandOver(given);
  const kept = context.sessionId === undefined ? {} : { lifetime: "session" as const };
  const items = [...session.map((input) => ({ ...input, ...kept })), ...beliefs].map(
    ({ topic: _, ...input }) => ({
      ...input,
      source: "import",
    }),
  );
  const { id, verdicts } = await propose(
    context,
    "hand-over",
    async (tx) => {
      for (const item of items) await tx.remember(item);
    },
    {
      reason: `Handed over by ${from.agent}.${message === undefined ? "" : ` ${message}`}`,
      data: { from: { ...from } },
    },
  );
  return {
    ...{ from, offered: items.length, verdicts },
    ...(message !== undefined && { message }),
    ...(id !== undefined && { proposal: id }),
  };
}
