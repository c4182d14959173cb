import { unreadable } from "../core/base/index.js";
import type { MemoryInput } from "../gate/index.js";
import type { WriteOptions } from "./options.js";
import { checkOptions, WRITING } from "./options.js";

/** What a caller gave, its fields read once: a getter may throw, or answer otherwise the next time. */
export function readOnce<T>(given: T): T {
  try {
    if (typeof given !== "object" || given === null) return given;
    return Array.isArray(given) ? ([...given] as T) : { ...given };
  } catch (error) {
    throw unreadable(error);
  }
}

/** Most inputs hold no options, and taking fields out of an object costs more than looking for them. */
export function withOptions(
  verb: string,
  given: MemoryInput & WriteOptions,
): {
  readonly options: WriteOptions;
  readonly rest: MemoryInput;
} {
  if (typeof given !== "object" || given === null) checkOptions<WriteOptions>(verb, given, WRITING);
  if (!("message" in given || "meta" in given || "dryRun" in given)) return { options: {}, rest: given };
  const { message, meta, dryRun, ...rest } = given;
  const options = { message, meta, dryRun };
  checkOptions(verb, options, WRITING);
  return { options, rest };
}
