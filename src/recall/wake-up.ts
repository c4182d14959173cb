import { shortId } from "../core/base/index.js";
import { cut, cutToTokens } from "../language/index.js";
import { type BlockMemory, itemOf } from "./blocks.js";
import type { Item, Section } from "./envelope.js";

/** Why something is in a wake-up. */
export interface Loaded {
  readonly what: string;
  readonly id?: string;
  readonly why: string;
}

/** What a session that begins could be told, best first in each list. */
export interface WakeUpParts {
  /** L0. */
  readonly identity: BlockMemory | undefined;
  /** The last milestones of the branch, newest first. */
  readonly stopped: readonly BlockMemory[];
  /** L1: what bears on the work at hand. */
  readonly active: readonly BlockMemory[];
  readonly rooms: readonly { readonly id: string; readonly name: string; readonly entries: number }[];
  /** L1.5: what was promoted or learnt last. */
  readonly learned: readonly BlockMemory[];
  /** L2: what survives of the scratchpad. */
  readonly scratch: readonly { readonly key: string; readonly text: string; readonly time: string }[];
  readonly conflicts: readonly {
    readonly id: string;
    readonly field: string;
    readonly terms: readonly { readonly value?: unknown }[];
  }[];
  readonly reviews: readonly string[];
  readonly branch: string;
}

interface WakeItem extends Item {
  readonly loaded: Loaded;
}

const MAIN = "main";
const IDENTITY_TOKENS = 200;
const LONGEST = 280;
const MOST = 5;
/** So many of what is open are told; there may be hundreds. */
const OPEN = 3;

/** The parts of a wake-up, who I am first and where I stand last. Selective: a palace is never dumped. */
export function wakeUpSections(parts: WakeUpParts): Section<WakeItem>[] {
  const { identity, stopped, active, rooms, learned, scratch, conflicts, reviews, branch } = parts;
  const memory = (what: string, why: string) => (one: BlockMemory) => {
    const item = itemOf(one);
    const about = item.about.map((part) => (part === `id ${one.id}` ? `id ${shortId(one.id)}` : part));
    return { ...item, about, text: cut(item.text, LONGEST), loaded: { what, id: one.id, why } };
  };
  const note = (
    what: string,
    text: string,
    why: string,
    about: readonly string[] = ["palimpsest"],
  ): WakeItem => ({
    id: "",
    text,
    about,
    loaded: { what, why },
  });
  const more = (count: number, what: string): WakeItem[] =>
    count > OPEN ? [note(what, `and ${count - OPEN} more ${what}s`, "the rest is only counted")] : [];
  const open = [
    ...conflicts
      .slice(0, OPEN)
      .map((one) => note("conflict", cut(contest(one), LONGEST), "it waits for a decision")),
    ...more(conflicts.length, "conflict"),
    ...reviews.slice(0, OPEN).map((reason) => note("review", cut(reason, LONGEST), "it waits for a person")),
    ...more(reviews.length, "review"),
  ];
  // Whatever goes without saying costs every session tokens.
  const state = branch === MAIN ? [] : [note("state", `On branch ${branch}.`, "what is said goes there")];
  const sections: readonly (readonly [heading: string, items: readonly WakeItem[]])[] = [
    [
      "Who I am",
      identity
        ? [
            {
              ...memory("identity", "L0: always")(identity),
              text: cutToTokens(identity.text, IDENTITY_TOKENS),
            },
          ]
        : [note("identity", "No identity is set.", "L0: always")],
    ],
    ["Where we stopped", stopped.slice(0, 2).map(memory("milestone", "the last milestones of the branch"))],
    ["What is active", active.slice(0, MOST).map(memory("memory", "L1: it bears on the work at hand"))],
    ["Rooms", roomNotes(rooms).map((text) => note("rooms", text, "L1: where more is to be found"))],
    ["What I learned last", learned.slice(0, MOST).map(memory("memory", "L1.5: promoted or learnt last"))],
    [
      "On the scratchpad",
      scratch
        .slice(-MOST)
        .map(({ key, text, time }) =>
          note("scratch", cut(`${key}: ${text}`, LONGEST), "L2: it has not expired", [time]),
        ),
    ],
    ["Open", open],
    ["Where I stand", state],
  ];
  return sections.filter(([, items]) => items.length > 0).map(([heading, items]) => ({ heading, items }));
}

const contest = ({ id, field, terms }: WakeUpParts["conflicts"][number]): string => {
  const sides = terms.map(({ value }) => (value === undefined ? "nothing" : cut(JSON.stringify(value), 90)));
  return `${id}: ${field} is contested: ${sides.join(" or ")}`;
};

const roomNotes = (rooms: WakeUpParts["rooms"]): string[] =>
  rooms.length === 0
    ? []
    : [
        rooms
          .toSorted((a, b) => b.entries - a.entries)
          .slice(0, MOST)
          .map(({ name, entries }) => `${cut(name, 60)} (${entries})`)
          .join(", "),
      ];
