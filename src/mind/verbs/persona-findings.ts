import type { BranchName } from "../../core/base/index.js";
import { fold, isSingleValued } from "../../gate/index.js";
import { branches } from "../../history/index.js";
import { facet, Scene, select } from "../../index/index.js";
import type { Context } from "../../repo/index.js";
import type { Belief, Finding } from "../findings.js";

/** Beyond this many personas or slots nobody compares by hand any more. */
const MOST_BRANCHES = 20;
const MOST_SLOTS = 2_000;

/** Where other personas hold another value of something that has one at a time. */
export async function personaFindings(
  context: Context,
  beliefs: readonly Belief[],
  now: string,
): Promise<Finding[]> {
  const { engine } = context;
  const others = (await branches(context, engine.storage)).filter(
    ({ name, status }) => name !== context.branch && status !== "merged",
  );
  const own = beliefs
    .filter(({ triple }) => triple && isSingleValued(triple.predicate, context.rules))
    .slice(-MOST_SLOTS);
  const found: Finding[] = [];
  if (own.length === 0) return found;
  for (const { name } of others.slice(0, MOST_BRANCHES)) {
    const tip = await engine.head(name as BranchName);
    const hashes = await context.views.use(name as BranchName, tip, (view) =>
      own.map(({ scope, triple }) => {
        const scene = new Scene(view, context.sight, Date.parse(now), scope as never);
        return select(scene, [facet.bySlot(triple!.subject, triple!.predicate)]).map(
          (doc) => view.doc(doc).hash,
        );
      }),
    );
    const records = await engine.reader.values("memory", hashes.flat());
    for (const [at, { id, scope, text, triple }] of own.entries())
      for (const hash of hashes[at]!) {
        const other = records.get(hash);
        if (!other?.triple || fold(other.triple.object) === fold(triple!.object)) continue;
        const why = `On the branch ${name} it is: ${other.text}`;
        found.push({ kind: "persona", ids: [id], scope, text, why, proposes: "decide" });
      }
  }
  return found;
}
