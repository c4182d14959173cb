import { type Lifetime, PalimpsestError, toName } from "../../session/index.js";
import type { Seen } from "./door.js";

/** What the one word "scope" of a tool call means here: an audience, a lifetime, or a category. */
export interface ScopeMeant {
  readonly scope?: string;
  readonly lifetime?: Lifetime;
  readonly category?: string;
}

const LIFETIMES: ReadonlySet<string> = new Set<Lifetime>(["permanent", "session", "temporary"]);
/** A name of these kinds is meant as an audience; to take it for a category would show the memory to others. */
const AUDIENCE = /^(?:agent|user|project|team)\//;

/**
 * memex is shared, `project` the present one, a bare agent name its own scope; permanent, session and temporary are
 * lifetimes. What is no visible scope is a category and never widens who sees a memory.
 */
export function scopeMeant(word: string | undefined, { sees, project }: Seen): ScopeMeant {
  if (word === undefined || word === "") return {};
  if (word === "memex") return { scope: "shared" };
  if (LIFETIMES.has(word)) return { lifetime: word as Lifetime };
  if (word === "project") {
    if (project !== undefined) return { scope: `project/${project}` };
    throw new PalimpsestError("INVALID_SCOPE", "This server was not started inside a project.", {
      hint: "Leave scope out, or use shared.",
    });
  }
  if (sees(word) || AUDIENCE.test(word)) return { scope: word };
  const own = `agent/${toName(word)}`;
  return sees(own) ? { scope: own } : { category: word };
}
