import { commitOf, type ProvenCommit } from "./proof-commit.js";
import { demand, type Fields, fieldsOf, hashOf, itemsOf, refusing } from "./proof-fields.js";

/**
 * That the newer of two heads rests on the older one: the commits on a way from the newer down along parents, each as
 * the canonical JSON that its hash is taken over. Nobody can write a commit that names a parent without having had it.
 */
export interface ConsistencyProof {
  v: 1;
  kind: "consistency";
  old: string;
  new: string;
  /** The first is the newer head, the last the older one. */
  commits: string[];
}

/** More than this lie on no way that is proven at once; a head kept between makes two proofs of it. */
export const MAX_COMMITS = 32_768;

/** Heads that were kept: the one from before, and the one that is said to have come of it. */
export interface ExpectedHeads {
  old?: string;
  new?: string;
}

export type ConsistencyVerdict =
  | {
      ok: true;
      old: string;
      new: string;
      /** Commits from the older to the newer on the way that was shown. */
      steps: number;
      /** Roots of the states of both. */
      oldState: string;
      newState: string;
      /** Were both heads given by who checks? A head that was not is one that anybody can invent. */
      kept: boolean;
    }
  | { ok: false; reason: string };

/** Never throws, whatever it is given. */
export function verifyConsistency(proof: unknown, expect: ExpectedHeads = {}): ConsistencyVerdict {
  return refusing(() =>
    verify(fieldsOf(proof, ["v", "kind", "old", "new", "commits"]), fieldsOf(expect, ["old", "new"])),
  );
}

function verify(proof: Fields, expect: Fields): ConsistencyVerdict {
  demand(proof.kind === "consistency", "the proof is not one of consistency");
  demand(proof.v === 1, "the proof is not of version 1");
  const older = hashOf(proof.old, "old");
  const newer = hashOf(proof.new, "new");
  for (const [name, head] of [
    ["old", older],
    ["new", newer],
  ] as const)
    if (expect[name] !== undefined)
      demand(
        hashOf(expect[name], `the expected ${name} head`) === head,
        `the proof is about another ${name} head than the expected one`,
      );

  const texts = itemsOf(proof.commits, MAX_COMMITS + 1, `a way is a list of at most ${MAX_COMMITS} commits`);
  demand(texts.length > 0, "a way without commits");
  const first = commitOf(texts[0]);
  let last = first;
  for (const text of texts.slice(1)) last = stepDown(last, commitOf(text));
  demand(first.hash === newer, "the first commit is not the newer head");
  demand(last.hash === older, "the last commit is not the older head");
  return {
    ok: true,
    old: older,
    new: newer,
    steps: texts.length - 1,
    oldState: last.root,
    newState: first.root,
    kept: expect.old !== undefined && expect.new !== undefined,
  };
}

function stepDown(child: ProvenCommit, parent: ProvenCommit): ProvenCommit {
  demand(child.parents.includes(parent.hash), "a commit does not name the next one as a parent");
  demand(child.generation > parent.generation, "a generation does not grow");
  demand(child.time >= parent.time, "a commit is older than its parent");
  return parent;
}
