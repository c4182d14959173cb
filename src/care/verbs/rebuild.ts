import type { Engine } from "../../repo/index.js";
import { NOTE, removeImages } from "../../repo/index.js";
import type { RebuildOptions } from "../options.js";
import type { RebuildReport } from "../rebuild.js";

/** Everything derived is made again; processes that have the store open go on with what is new. */
export async function rebuild(engine: Engine, options: RebuildOptions): Promise<RebuildReport> {
  const { rebuildStore } = await import("../rebuild.js");
  await engine.settle();
  const report = await rebuildStore(engine.storage, options);
  await engine.storage.setSide(NOTE, null);
  await removeImages(engine.storage);
  engine.forgetHeads();
  await engine.reader.version();
  return report;
}
