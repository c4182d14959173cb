import { type Hash, hashBytes } from "../../core/base/index.js";

const KINDS = ["memory", "changeset", "commit", "note", "operation", "tombstone", "node"] as const;

/** A caller may name any hash: one of another kind is simply not what was asked for. */
export const isOtherKind = (hash: Hash, bytes: Uint8Array): boolean =>
  KINDS.some((kind) => hashBytes(kind, bytes) === hash);
