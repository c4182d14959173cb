import { byAge } from "./age.js";
import type { Run } from "./parts.js";
import type { Scene } from "./scene.js";
import type { View } from "./view.js";

/** One facet, or several of which a memory holds at most one, such as parents: then any of them will do. */
export type Wanted = string | readonly string[];

/** The memories seen that hold every one of the facets, oldest first, at most `limit`. */
export function select(
  scene: Scene,
  facets: readonly Wanted[],
  limit = Number.POSITIVE_INFINITY,
  accepts: (doc: number) => boolean = () => true,
): number[] {
  const { view } = scene;
  const lists = facets.map((wanted) =>
    (typeof wanted === "string" ? [wanted] : wanted).flatMap((facet) =>
      view.runs(facet, scene.seesPartition),
    ),
  );
  const [first, ...others] = lists.sort((a, b) => amount(a) - amount(b));
  const holdsAll = others.length === 0 ? accepts : both(heldByAll(view, others), accepts);
  const stretches = first
    ? first.map((run) => ({ docs: scene.holders(run), sorted: run.partition !== undefined }))
    : scene.stretches();
  const found: number[][] = [];
  for (const { docs, sorted } of stretches) {
    const kept: number[] = [];
    for (const doc of docs) {
      if (sorted && kept.length >= limit) break;
      if (holdsAll(doc)) kept.push(doc);
    }
    if (kept.length > 0) found.push(sorted ? kept : kept.sort(byAge(view)));
  }
  const all = found.length === 1 ? found[0]! : found.flat().sort(byAge(view));
  return limit < all.length ? all.slice(0, limit) : all;
}

const amount = (runs: readonly Run[]): number => runs.reduce((sum, { from, to }) => sum + to - from, 0);
const both =
  (a: (doc: number) => boolean, b: (doc: number) => boolean) =>
  (doc: number): boolean =>
    a(doc) && b(doc);

function heldByAll(view: View, lists: readonly (readonly Run[])[]): (doc: number) => boolean {
  const held = new Uint8Array(view.size);
  for (const runs of lists)
    for (const { docs, from, to } of runs) for (let at = from; at < to; at++) held[docs[at]!]!++;
  return (doc) => held[doc] === lists.length;
}
