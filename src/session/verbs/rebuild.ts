import type { RebuildOptions, RebuildReport } from "../../care/index.js";
import type { Engine } from "../engine.js";
import { NOTE, removeImages } from "../view-image.js";

/** Everything derived is made again; whoever has the store open goes on with what is new. */
export async function rebuild(engine: Engine, options: RebuildOptions): Promise<RebuildReport> {
  const { rebuildStore } = await import("../../care/index.js");
  await engine.settle();
  const report = await rebuildStore(engine.storage, options);
  await engine.storage.setSide(NOTE, null);
  await removeImages(engine.storage);
  engine.forgetHeads();
  await engine.reader.version();
  return report;
}
