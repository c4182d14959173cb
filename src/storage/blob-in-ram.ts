import type { OpenBlob } from "./port.js";

/** Bytes that are all there, read as if they were not. */
export const blobInRam = (bytes: Uint8Array): OpenBlob => ({
  size: bytes.length,
  read: (from, to) => bytes.slice(from, to),
  close: () => undefined,
});
