import type { MemoryId } from "../core/base/index.js";
import type { Scene } from "./scene.js";

/** The memories seen whose id begins or ends with a part, oldest first within each scope. */
export function byIdPart(scene: Scene, part: string): { readonly doc: number; readonly id: MemoryId }[] {
  const found: { doc: number; id: MemoryId }[] = [];
  for (const { docs } of scene.stretches())
    for (const doc of docs) {
      if (!scene.view.mayFit(doc, part)) continue;
      const id = scene.view.idOf(doc);
      if (id.startsWith(part) || id.endsWith(part)) found.push({ doc, id });
    }
  return found;
}
