import type { Feature } from "./features.js";

/** Speak for a document whatever is asked. Set by hand, mild: they decide between equals and little more. */
export const PRIORS: readonly (Feature & { readonly weight: number })[] = [
  {
    name: "recent",
    meaning: "it is new",
    weight: 0.2,
    value: ({ matches, today }, doc) => {
      const { day } = matches.documents.get(doc)!;
      return today === undefined || day === undefined ? 0 : 0.5 ** (Math.max(0, today - day) / HALF_LIFE);
    },
  },
  {
    name: "unsure",
    meaning: "it is not held for sure",
    weight: -0.5,
    signed: true,
    value: ({ matches, useConfidence }, doc) =>
      useConfidence ? 1 - matches.documents.get(doc)!.confidence : 0,
  },
];

/** Days after which being new counts half. */
const HALF_LIFE = 90;
