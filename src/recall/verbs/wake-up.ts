import type { Tip } from "../../core/ledger/index.js";
import { conflicts, milestonesOf } from "../../history/index.js";
import type { Memory } from "../../memories/index.js";
import { get, roomsAt, saysNothing } from "../../memories/index.js";
import type { ScratchEntry } from "../../palace/index.js";
import { identity, scratchText } from "../../palace/index.js";
import type { Context, Engine } from "../../repo/index.js";
import type { ReviewItem } from "../../review/index.js";
import { search } from "../../search/index.js";
import { envelope } from "../envelope.js";
import { type Loaded, wakeUpSections } from "../wake-up.js";
import { always, newest, newestPages } from "./context.js";

export interface WakeUpOptions {
  /** What the session is going to be about; without it, what holds a topic counts as active. */
  readonly about?: string;
  /** At most so many tokens; default 900. */
  readonly budget?: number;
  /** What a session would have been told at a commit, branch, tag, snapshot or time. */
  readonly at?: string;
}

export interface WakeUp {
  /** Framed as data. */
  readonly text: string;
  readonly tokens: number;
  /** What is in it, and why. */
  readonly loaded: readonly Loaded[];
  readonly branch: string;
  /** To be kept by who wants to check the past later. */
  readonly commit: string;
  /** How much waits: contested fields and what is to be reviewed. */
  readonly open: number;
}

const BUDGET = 900;
const ACTIVE = 5;
/** Where so little is believed, notes tell what was learnt. */
const FEW = 5;

/** What somebody who begins a session should know: who they are, where the work stands, what is open. */
export async function wakeUp(
  context: Context,
  engine: Engine,
  tip: Tip,
  now: string,
  { about, budget = BUDGET }: WakeUpOptions,
  {
    scratch,
    reviews,
  }: { readonly scratch: readonly ScratchEntry[]; readonly reviews: readonly ReviewItem[] },
): Promise<WakeUp> {
  const { reader } = engine;
  const asked = [context, engine, tip, now] as const;
  const beliefs = await newest(...asked);
  const recent = beliefs.length < FEW ? [...beliefs, ...(await newestPages(...asked))] : beliefs;
  const own = await identity(context, reader, tip, now, undefined);
  const others = recent.filter(({ id }) => id !== own?.id);
  const active = about === undefined ? await topics(asked) : await found(asked, about);
  const shown = new Set(active.slice(0, ACTIVE).map(({ id }) => id));
  const promoted = others.filter(({ id, origin }) => origin.source === "promotion" && !shown.has(id));
  const rest = others.filter((memory) => !shown.has(memory.id) && !promoted.includes(memory));
  const contested = await conflicts(context, reader, tip, now);
  const sections = wakeUpSections({
    identity: own,
    stopped: (await milestonesOf(context, reader, tip, now, context.branch)).toReversed(),
    active,
    rooms: (await roomsAt(context, reader, tip, now)).map(({ id, name, entries, drawers }) => ({
      id,
      name,
      entries: drawers.reduce((sum, drawer) => sum + drawer.entries, entries),
    })),
    learned: [...promoted, ...rest],
    scratch: scratch.map(({ key, value, time }) => ({ key, text: scratchText(value), time })),
    conflicts: contested,
    reviews: reviews.map(
      ({ id, kind, reason, changes }) => `review ${id} (${kind}): ${reason ?? changes[0]?.text ?? ""}`,
    ),
    branch: context.branch,
  });
  const { text, tokens, items } = envelope(sections, { title: "Wake-up", budget, random: context.random });
  const ids = new Set(items.map(({ id }) => id));
  context.served.note([...(own ? [own] : []), ...active, ...others].filter(({ id }) => ids.has(id)));
  return {
    ...{ text, tokens, loaded: items.map(({ loaded }) => loaded) },
    ...{ branch: context.branch, commit: tip.hash, open: contested.length + reviews.length },
  };
}

type Asked = readonly [Context, Engine, Tip, string];

/** What holds a topic, that changed last first. */
const topics = async (asked: Asked): Promise<Memory[]> =>
  (await always(...asked))
    .filter(({ topic }) => topic !== undefined)
    .sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : 0));

async function found([context, engine, tip, now]: Asked, about: string): Promise<Memory[]> {
  // Words only: whoever starts does not wait for a model.
  const { hits } = await search(context, engine, tip, now, about, { limit: ACTIVE, mode: "lexical" });
  const memories = await Promise.all(
    hits.map(({ id, scope }) => get(context, engine.reader, tip, now, id, scope)),
  );
  return memories.filter((memory) => memory !== undefined).filter((memory) => !saysNothing(memory));
}
