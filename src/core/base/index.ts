/** core/base: what everything else stands on. */

export { ERRORS, type ErrorCode, PalimpsestError, quote } from "./errors.js";
export {
  type Hash,
  type HashKind,
  hashBytes,
  hashCanonical,
  hashFromBytes,
  hashToBytes,
  hashValue,
  isHash,
  shortHash,
  writeHash,
} from "./hash.js";
export { grown, grownBuffer, HashList, HashSet } from "./hash-set.js";
export {
  canonical,
  canonicalText,
  copyJson,
  type Json,
  type JsonObject,
  parseFrozen,
  sameJson,
  unreadable,
} from "./json.js";
export {
  type BranchName,
  idKey,
  isBlank,
  isCompleteId,
  isGeneratedId,
  isShortIdOf,
  latePattern,
  MAIN,
  type MemoryId,
  mayBeShortId,
  parseBranch,
  parseId,
  parseName,
  parseScope,
  type Scope,
  SHARED,
  scopeKey,
  shortId,
  toName,
  topicId,
} from "./names.js";
export { bootTime, type Clock, idGenerator, type Random, systemClock, systemRandom } from "./ports.js";
export { resolveHash, resolveId } from "./resolve.js";
export { millisecondsOf, parseTime, type Timestamp, timestamp } from "./time.js";
export { isDeepYaml } from "./yaml-depth.js";
