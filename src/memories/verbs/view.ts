import type { BranchName, Hash } from "../../core/base/index.js";
import { facet, Scene, select } from "../../index/index.js";
import type { At } from "../../repo/index.js";
import { gather, memoriesOf } from "../memories.js";
import type { Memory } from "../memory.js";

export interface MemoryView {
  readonly branch: BranchName;
  readonly head: Hash;
  readonly root: Hash;
  /** How many memories of any kind the session sees. */
  readonly memories: number;
  /** How many of them are beliefs. */
  readonly beliefs: number;
  /** The beliefs: canon, then what holds a topic, both oldest first, then the others, newest first. */
  readonly items: readonly Memory[];
}

const MAX = 50;

/** What is believed now, or was at a commit. */
export async function view(
  { context, reader, tip, now }: At,
  { max = MAX }: { readonly max?: number },
): Promise<MemoryView> {
  const { views, branch, sight } = context;
  const time = Date.parse(now);
  const { gathered, ...figures } = await views.use(branch, tip, (live) => {
    const scene = new Scene(live, sight, time);
    const canon = select(scene, [facet.byTier("canon")]);
    const always = select(scene, [facet.ALWAYS]);
    const first = new Set([...canon, ...always]);
    // Most of what there is are beliefs: to put them in order only to count them would take longer than all else.
    const others = first.size < max ? select(scene, [facet.byLane("belief")]).reverse() : [];
    const shown = [...new Set([...first, ...others])].slice(0, max);
    return {
      memories: scene.totals.count,
      beliefs: scene.frequency(facet.byLane("belief")),
      gathered: gather(live, shown, context, time),
    };
  });
  // Not the time of the head: it may be that of a change the session does not see.
  const { root } = tip.commit;
  return { branch, head: tip.hash, root, ...figures, items: await memoriesOf(reader, gathered) };
}
