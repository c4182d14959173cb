import { hashValue, type MemoryId } from "../base/index.js";

/**
 * An id that follows from what the node is and where it hangs, never from the clock: every clone that reads the same
 * file gets the same one. Written as a UUID (version 8), because ids of this kind are written into Org files.
 */
export function derivedId(parent: string, type: string, text: string, occurrence: number): MemoryId {
  const hex = hashValue("id", ["node", parent, type, text, occurrence]);
  const variant = "89ab"[Number.parseInt(hex.charAt(16), 16) & 3];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}` as MemoryId;
}
