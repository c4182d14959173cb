import { laneOf, type MemoryRecord } from "../core/ledger/index.js";
import { contestedIn, sidesOf } from "./disagree.js";
import type { Item, Section } from "./envelope.js";
import type { Citation, Disagreement } from "./layers.js";

/** What is known of a memory that goes into a block. */
export interface BlockMemory
  extends Pick<
    MemoryRecord,
    "id" | "scope" | "type" | "text" | "tags" | "tier" | "topic" | "category" | "origin" | "contested"
  > {
  readonly updatedAt: string;
  readonly author: { readonly id: string };
}

/** Who says so, how far that is trusted, and since when: a reader has to be able to judge it. */
export const itemOf = ({ id, scope, text, tags, topic, origin, author, updatedAt }: BlockMemory): Item => ({
  id,
  text,
  ...(tags?.length && { tags }),
  about: [
    scope,
    ...(topic === undefined ? [] : [`topic ${topic}`]),
    `by ${origin.actor ?? author.id}`,
    `trust ${origin.trust}`,
    updatedAt.slice(0, 10),
    `id ${id}`,
  ],
});

const section = (heading: string, memories: readonly BlockMemory[]): Section[] =>
  memories.length === 0 ? [] : [{ heading, items: memories.map(itemOf) }];

/** What is always shown: everything canon, then what holds a topic. */
export const briefingSections = (memories: readonly BlockMemory[]): Section[] => [
  ...section("Canon", memories.filter(isCanon)),
  ...section(
    "Active Registers",
    memories.filter((memory) => !isCanon(memory) && memory.topic !== undefined),
  ),
  ...disagreeing(contestedIn(memories.map(withSides))),
];

/**
 * What bears on a question: what is known to answer it, canon, beliefs, documents, and last what was only said.
 */
export const memorySections = (
  memories: readonly BlockMemory[],
  answers: readonly BlockMemory[] = [],
): Section[] => {
  const rest = memories.filter((one) => !answers.includes(one));
  const ofLane = (lane: string) => rest.filter((one) => laneOf(one.type) === lane && !isCanon(one));
  return [
    ...section(
      "Answers",
      answers.filter((one) => memories.includes(one)),
    ),
    ...section("Canon", rest.filter(isCanon)),
    ...section("Registers", ofLane("belief")),
    ...section("Documents", ofLane("document")),
    ...section("Said", ofLane("message")),
    ...disagreeing(contestedIn(memories.map(withSides))),
  ];
};

const withSides = (memory: BlockMemory) => ({ ...memory, contested: sidesOf(memory) });

/** What speaks against what was shown. */
const disagreeing = (found: readonly Disagreement[]): Section[] =>
  found.length === 0
    ? []
    : [
        {
          heading: "Disagreeing",
          items: found.map(({ about, says, source }) => ({
            id: "",
            text: says,
            about: [`against ${about}`, source],
          })),
        },
      ];

const isCanon = ({ tier }: BlockMemory): boolean => tier === "canon";

/** The quotations of an answer, and what speaks against them. */
export const citationSections = (
  citations: readonly Citation[],
  disagreements: readonly Disagreement[],
): Section[] => {
  const cited = citations.map(({ id, text, scope, speaker, author, trust, session, turn, ...of }) => ({
    id,
    text,
    about: [
      ...(scope === undefined ? [] : [scope]),
      ...(speaker === undefined ? [`by ${author?.id ?? "unknown"}`] : [`said by ${speaker}`]),
      ...(trust === undefined ? [] : [`trust ${trust}`]),
      ...(session === undefined ? [] : [`session ${session}`]),
      ...(turn === undefined ? [] : [`turn ${turn}`]),
      ...[(of.saidAt ?? of.updatedAt)?.slice(0, 10) ?? "undated"],
      `id ${id}`,
    ],
  }));
  return [{ heading: "Recalled", items: cited }, ...disagreeing(disagreements)];
};
