/**
 * Freezes what a session answers with, all the way down: a value may be kept and answered again. What is frozen already
 * is whole, because callers here build from frozen parts, so a long list of memories costs a look at each.
 * Vectors, maps and the objects of classes are left as they are.
 */
export function answer<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  if (Array.isArray(value)) for (let at = 0; at < value.length; at++) answer(value[at]);
  else {
    const prototype = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) return value;
    for (const key in value) answer(value[key]);
  }
  return Object.freeze(value);
}
