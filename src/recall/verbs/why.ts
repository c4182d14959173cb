import {
  type Hash,
  type MemoryId,
  PalimpsestError,
  type Scope,
  shortHash,
  type Timestamp,
} from "../../core/base/index.js";
import type { Author } from "../../core/ledger/index.js";
import { read, relationOf, tellsAnother } from "../../gate/index.js";
import { blame } from "../../history/index.js";
import { get, type Memory, saysNothing } from "../../memories/index.js";
import { type At, wholeId } from "../../repo/index.js";
import { taint } from "../../review/index.js";
import { search } from "../../search/index.js";
import { coverage } from "../by-words.js";
import { sidesOf } from "../disagree.js";

/** A memory that something said rests on: who brought it in, how, and when. */
export interface Support {
  readonly id: MemoryId;
  readonly scope: Scope;
  readonly text: string;
  /** Which share of what was said it holds, 0 to 1. */
  readonly score: number;
  /** The commit that made us believe this text, and whose it is. */
  readonly commit: Hash;
  readonly author: Author;
  readonly time: Timestamp;
  readonly source: string;
  readonly channel: string;
  readonly trust: string;
  readonly speaker?: string;
  readonly session?: string;
  readonly turn?: number;
  readonly uri?: string;
  readonly evidence?: string;
  /** What the other sides say, where it is contested. */
  readonly contested?: readonly string[];
  /** Hashes of the records it was made from. */
  readonly from?: readonly Hash[];
}

/** A memory that was made from another. */
export interface Derived {
  readonly id: MemoryId;
  readonly scope: Scope;
  readonly text: string;
  readonly from: MemoryId;
}

export interface Why {
  readonly said: string;
  /** What it rests on, most first; empty when nothing in memory says so. */
  readonly supports: readonly Support[];
  /** Memories that say otherwise. */
  readonly against: readonly Support[];
  /** Everything that was made from what it rests on, directly or through others. */
  readonly derived: readonly Derived[];
  readonly commands: WhyCommands;
}

const LOOKED_AT = 10;
const SUPPORTS = 3;
/** Less of a sentence than this may be shared by chance. */
const SHARE = 0.4;
/** Beside the best, what holds much less of it is something else. */
const BESIDE = 0.6;

/** From a sentence that was said, or a memory, back to where it came from, and on to what came of it. */
export async function why(at: At, said: string): Promise<Why> {
  if (typeof said !== "string" || said.trim() === "")
    throw new PalimpsestError("INVALID_TEXT", "Give a sentence, or the id of a memory.");
  const { supports: found, against } = await grounds(at, said.trim());
  const supports = await Promise.all(found.map((one) => supportOf(at, one)));
  const derived = await derivedFrom(
    at,
    found.map(({ memory }) => memory),
  );
  return {
    said,
    supports,
    against: await Promise.all(against.map((one) => supportOf(at, one))),
    derived,
    commands: commandsFor(supports, derived),
  };
}

interface Ground {
  readonly memory: Memory;
  readonly score: number;
}

async function grounds(at: At, said: string): Promise<{ supports: Ground[]; against: Ground[] }> {
  const id = /\s/.test(said) ? undefined : wholeId(said);
  const named = id && (await get(at, id));
  if (named) return { supports: [{ memory: named, score: 1 }], against: [] };
  const { hits } = await search(at, said, { limit: LOOKED_AT });
  const near: Ground[] = [];
  for (const { id, scope, text } of hits) {
    if (coverage(said, [text]) < SHARE) continue;
    const memory = await get(at, id, scope);
    if (!memory || saysNothing(memory)) continue;
    const score = Math.max(...[text, ...sidesOf(memory)].map((side) => coverage(said, [side])));
    near.push({ memory, score });
  }
  const isAgainst = ({ memory }: Ground): boolean =>
    relationOf(read(memory.text), read(said)) !== "free" ||
    [memory.text, ...sidesOf(memory)].every((side) => tellsAnother(read(side), read(said)));
  const supports = near.filter((one) => !isAgainst(one)).sort((a, b) => b.score - a.score);
  const least = BESIDE * (supports[0]?.score ?? 0);
  return {
    supports: supports.filter(({ score }) => score >= least).slice(0, SUPPORTS),
    against: near.filter(isAgainst).slice(0, SUPPORTS),
  };
}

async function supportOf(at: At, { memory, score }: Ground): Promise<Support> {
  const { id, scope, text, origin } = memory;
  const set = (await blame(at, id, scope)).find(({ field }) => field === "text");
  const others = sidesOf(memory).filter((side) => side !== text);
  const { actor, session, turn, uri, evidence, derivedFrom: from } = origin;
  return {
    ...{ id, scope, text, score: Math.round(score * 1_000) / 1_000 },
    commit: set?.commit ?? memory.commit,
    author: set?.author ?? memory.author,
    time: set?.time ?? memory.updatedAt,
    ...{ source: origin.source, channel: origin.channel, trust: origin.trust },
    ...(actor !== undefined && { speaker: actor }),
    ...(session !== undefined && { session }),
    ...(turn !== undefined && { turn }),
    ...(uri !== undefined && { uri }),
    ...(evidence !== undefined && { evidence }),
    ...(others.length > 0 && { contested: others }),
    ...(from?.length && { from }),
  };
}

/** What is there now that was made from any of these, directly or through others. */
async function derivedFrom(at: At, memories: readonly Memory[]): Promise<Derived[]> {
  const seen = new Set(memories.map(keyOf));
  const found: Derived[] = [];
  for (const memory of memories)
    for (const one of await taint(at, memory)) {
      if (!one.live || seen.has(keyOf(one))) continue;
      seen.add(keyOf(one));
      found.push({ id: one.id, scope: one.scope, text: one.text, from: one.via });
    }
  return found;
}

const keyOf = ({ id, scope }: { readonly id: MemoryId; readonly scope: Scope }): string => `${scope}\n${id}`;

/** The exact commands that set something right. */
export interface WhyCommands {
  /** Say it better, or take it away. */
  readonly fix: readonly string[];
  /** Undo the commits that brought it in. */
  readonly revert: readonly string[];
  /** See everything that was made from it, and take that away too, the last made first. */
  readonly taint: readonly string[];
}

function commandsFor(
  supports: readonly { readonly id: MemoryId; readonly commit: Hash }[],
  derived: readonly { readonly id: MemoryId; readonly from: MemoryId }[],
): WhyCommands {
  const forget = (id: string, reason: string) => `pal forget ${word(id)} --reason ${word(reason)}`;
  return {
    fix: supports.flatMap(({ id }) => [`pal update ${word(id)} "…"`, forget(id, "it is wrong")]),
    revert: [...new Set(supports.map(({ commit }) => `pal revert ${shortHash(commit)}`))],
    taint: [
      ...supports.map(({ id }) => `pal taint ${word(id)}`),
      ...derived.toReversed().map(({ id, from }) => forget(id, `made from ${from}`)),
    ],
  };
}

/** As a shell takes it: nothing in it is expanded. */
const word = (text: string): string =>
  /^[\w./:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
