import type { Session } from "../src/index.js";
import type { Call } from "./_calls.js";
import type { World } from "./_twins.js";

/** What a call throws itself. */
export const ON_PURPOSE = "on purpose";

/** What somebody is told by a call: its answer or its error, whole, as plain data. */
export async function toldBy(world: World, session: Session, verb: string, call: Call): Promise<unknown> {
  // Every call has its own moment and randomness, the same in both worlds whatever was read before it.
  world.clock.now += 1_000;
  world.clock.seed = 99;
  try {
    const run = (session as unknown as Record<string, (...args: unknown[]) => unknown>)[verb];
    const answer = typeof call === "function" ? await call(session) : await run!.apply(session, [...call]);
    return await plain(answer);
  } catch (error) {
    const { name, code, message, hint, data } = error as Error & {
      code?: string;
      hint?: string;
      data?: unknown;
    };
    // A call that is no call of the verb tells nothing about it.
    if ((code === undefined && message !== ON_PURPOSE) || /has no option/.test(message))
      throw new Error(`The table calls ${verb} wrongly: ${message}`, { cause: error });
    return { name, code, message, hint, data: await plain(data) };
  }
}

async function plain(value: unknown): Promise<unknown> {
  if (value instanceof Map) return [...value];
  if (value instanceof Float32Array) return [...value];
  if (Array.isArray(value)) return Promise.all(value.map(plain));
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return value ?? null;
  if (Symbol.asyncIterator in value) {
    const parts: string[] = [];
    for await (const part of value as AsyncIterable<string>) parts.push(part);
    return parts.join("");
  }
  const fields: [string, unknown][] = [];
  for (const [key, field] of Object.entries(value))
    if (field !== undefined) fields.push([key, await plain(field)]);
  return Object.fromEntries(fields);
}

/** Figures of the whole store, and how long a thing took: decided as told in docs/threats.md. */
const WHOLE = new Set(["took", "ms", "bytes", "files", "pieces"]);

/**
 * Hashes that name states, commits and operations are opaque. A hash of a version of a memory is not: it is kept wherever the
 * world without the hidden things has it too.
 */
export function withoutTokens(answer: unknown, known: ReadonlySet<string>): unknown {
  const short = new Set([...known].map((hash) => hash.slice(0, 12)));
  return JSON.parse(
    JSON.stringify(answer ?? null, (key, value: unknown) => {
      if (WHOLE.has(key)) return "*";
      // What stands beside a memory in its scope, as hashes of what the scope holds.
      if (key === "path" && Array.isArray(value)) return "#";
      return typeof value === "string"
        ? value
            .replace(/\\?"path\\?":\[[^\]]*\]/g, "#")
            .replace(/\b(?:[0-9a-f]{64}|[0-9a-f]{12})\b/g, (hash) =>
              known.has(hash) || short.has(hash) ? hash : "#",
            )
        : value;
    }),
  );
}

/** The hashes of all versions of memories in a world. */
export async function versionsIn({ store }: World): Promise<Set<string>> {
  const all = store.session({ agent: "all", scopes: ["*"], clearance: "confidential", branch: "main" });
  const log = await all.log({ limit: 10_000, events: true });
  const hashes = new Set<string>();
  for (const { events = [] } of log)
    for (const event of events) if ("hash" in event && typeof event.hash === "string") hashes.add(event.hash);
  for (const { hash } of await all.list()) hashes.add(hash);
  return hashes;
}

/** The lines that only one of two answers has. */
export function difference(whole: unknown, reduced: unknown): string {
  const [a, b] = [whole, reduced].map((one) => JSON.stringify(one, null, 1).split("\n")) as [
    string[],
    string[],
  ];
  const only = (these: string[], those: string[]) =>
    these.filter((line) => !those.includes(line)).slice(0, 8);
  return `with: ${only(a, b).join(" ")} without: ${only(b, a).join(" ")}`;
}
