import type { MemoryId, Scope } from "../core/base/index.js";
import {
  flag,
  type Given,
  listOf,
  number,
  optional,
  progress,
  quantity,
  shape,
  text,
  texts,
} from "../repo/index.js";

/** How far long work has come; the total is undefined while it is not known. A listener that throws ends the work. */
const amount = () => progress<[done: number, total: number | undefined]>();

export const ERASE_TARGET = {
  ids: texts.as("memories by whole id or topic"),
  memories: listOf<{ readonly scope: Scope; readonly id: MemoryId }>(
    shape({ id: text, scope: optional(text) }),
    "memories by id and scope",
  ).as("memories by id and scope"),
  containing: text.as(
    "every memory whose text, in any version, contains this, and messages, scratchpads and purposes that do; where else it stands is named",
    "text",
  ),
  scope: text.as("only in this scope", "scope"),
  derived: flag.as("also what was made from them"),
};
export const ERASE = {
  ...ERASE_TARGET,
  dryRun: flag.as("say what would go, and erase nothing; a part of an id is enough for that"),
};
export type EraseTarget = Given<typeof ERASE_TARGET>;
export type EraseOptions = Given<typeof ERASE>;

export const HEALTH = {
  budgetMs: number.as(
    "how long files and indexes may be looked at; 1,000 unless given, Infinity looks at everything",
  ),
};
export type HealthOptions = Given<typeof HEALTH>;

export const BACKUP = {
  overwrite: flag.as("replace a file that is there"),
  onProgress: amount().as("may throw to end it, and then there is no file"),
};
export type BackupOptions = Given<typeof BACKUP>;

export const RESTORE = {
  tombstones: text.as("a store or a later backup: what was erased there does not come back", "path"),
  onProgress: amount().as("may throw to end it, and then nothing is restored"),
};
export type RestoreOptions = Given<typeof RESTORE>;

export const LOAD = {
  onProgress: progress<[done: number]>().as(
    "called every thousand objects; may throw to end it, and nothing is loaded",
  ),
};
export type LoadOptions = Given<typeof LOAD>;

export const GC = {
  graceDays: quantity.as(
    "keep what was moved in the last so many days, so that it can be undone; 30 unless given",
    "days",
  ),
  dryRun: flag.as("say what would go, and drop nothing"),
  /** While it looks for what may go, `dropped` is undefined; then it tells how much of that is gone. */
  onProgress: progress<[done: number, total: number | undefined, dropped?: number]>().as(
    "may throw to end it, with nothing lost",
  ),
};
export type GcOptions = Given<typeof GC>;

export const COMPACT = {
  dropOld: flag.as("also drop the store as it was before an upgrade"),
  onProgress: amount().as("in bytes, as far as that can be told; may throw to end it, with nothing lost"),
};
export type CompactOptions = Given<typeof COMPACT>;

export const REBUILD = {
  keepNodes: flag.as(
    "keep what is stored of nodes: a state that cannot be folded any more may still be read from them",
  ),
  onProgress: amount(),
};
export type RebuildOptions = Given<typeof REBUILD>;

export const VERIFY = {
  since: text.as(
    "the whole commit you kept must still be in the history; a root shows only that this state was there",
    "commit",
  ),
  onProgress: amount(),
};
export type VerifyOptions = Given<typeof VERIFY>;

export const USAGE = {
  objects: flag.as("count what is stored by kind: reads everything"),
  onProgress: progress().as("may throw to end it"),
};
export type UsageOptions = Given<typeof USAGE>;
