import { conflicts, milestonesOf } from "../../history/index.js";
import type { Memory } from "../../memories/index.js";
import { get, roomsAt, saysNothing } from "../../memories/index.js";
import type { ScratchEntry } from "../../palace/index.js";
import { identity, scratchText } from "../../palace/index.js";
import type { At } from "../../repo/index.js";
import type { ReviewItem } from "../../review/index.js";
import { search } from "../../search/index.js";
import { envelope } from "../envelope.js";
import type { WakeUpOptions } from "../options.js";
import { type Loaded, wakeUpSections } from "../wake-up.js";
import { always, newest, newestPages } from "./context.js";

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
export async function wakeUp(at: At, options: WakeUpOptions): Promise<WakeUp> {
  const { context, tip } = at;
  const { about, budget = BUDGET } = options;
  // Notes and what waits for a person are of the present alone.
  const { notes, waiting } = options.at === undefined ? await openNow(at) : { notes: [], waiting: [] };
  const beliefs = await newest(at);
  const recent = beliefs.length < FEW ? [...beliefs, ...(await newestPages(at))] : beliefs;
  const own = await identity(at, undefined);
  const others = recent.filter(({ id }) => id !== own?.id);
  const active = about === undefined ? await topics(at) : await found(at, about);
  const shown = new Set(active.slice(0, ACTIVE).map(({ id }) => id));
  const promoted = others.filter(({ id, origin }) => origin.source === "promotion" && !shown.has(id));
  const rest = others.filter((memory) => !shown.has(memory.id) && !promoted.includes(memory));
  const contested = await conflicts(at);
  const sections = wakeUpSections({
    identity: own,
    stopped: (await milestonesOf(at, context.branch)).toReversed(),
    active,
    rooms: (await roomsAt(at)).map(({ id, name, entries, drawers }) => ({
      id,
      name,
      entries: drawers.reduce((sum, drawer) => sum + drawer.entries, entries),
    })),
    learned: [...promoted, ...rest],
    scratch: notes.map(({ key, value, time }) => ({ key, text: scratchText(value), time })),
    conflicts: contested,
    reviews: waiting.map(
      ({ id, kind, reason, changes }) => `review ${id} (${kind}): ${reason ?? changes[0]?.text ?? ""}`,
    ),
    branch: context.branch,
  });
  const { text, tokens, items } = envelope(sections, { title: "Wake-up", budget, random: context.random });
  const ids = new Set(items.map(({ id }) => id));
  context.served.note([...(own ? [own] : []), ...active, ...others].filter(({ id }) => ids.has(id)));
  return {
    ...{ text, tokens, loaded: items.map(({ loaded }) => loaded) },
    ...{ branch: context.branch, commit: tip.hash, open: contested.length + waiting.length },
  };
}

/** What the session noted for itself, and what waits for a person. */
async function openNow(at: At): Promise<{
  readonly notes: readonly ScratchEntry[];
  readonly waiting: readonly ReviewItem[];
}> {
  const { context } = at;
  const [{ scratch }, { review }] = await Promise.all([
    import("../../palace/verbs/scratch.js"),
    import("../../review/verbs/review.js"),
  ]);
  return {
    notes: context.sessionId === undefined ? [] : await scratch(context, {}),
    waiting: await review(at, {}),
  };
}

/** What holds a topic, that changed last first. */
const topics = async (at: At): Promise<Memory[]> =>
  (await always(at))
    .filter(({ topic }) => topic !== undefined)
    .sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : 0));

async function found(at: At, about: string): Promise<Memory[]> {
  // Words only: whoever starts does not wait for a model.
  const { hits } = await search(at, about, {
    limit: ACTIVE,
    mode: "lexical",
  });
  const memories = await Promise.all(hits.map(({ id, scope }) => get(at, id, scope)));
  return memories.filter((memory) => memory !== undefined).filter((memory) => !saysNothing(memory));
}
