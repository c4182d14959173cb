import { Readable } from "node:stream";
import type { Call } from "./command.js";
import type { Io } from "./io.js";
import { plural } from "./show.js";

/** Something a person should look at, and how. */
export interface Attention {
  readonly what: string;
  readonly command: string;
}

/** Commands that answer with a list of what waits for somebody, and what its items are called. */
const WAITING = [["review", "item"]] as const;

/** What waits for a person, asked of the commands that know. */
export async function attentionOf(call: Call): Promise<Attention[]> {
  const found: Attention[] = [];
  for (const [name, noun] of WAITING) {
    if (!call.commands.includes(name)) continue;
    const list = await listed(call, name);
    if (list > 0)
      found.push({
        what: `${plural(list, noun)} ${list === 1 ? "waits" : "wait"} for a person`,
        command: `pal ${name}`,
      });
  }
  return found;
}

async function listed({ globals, io, run }: Call, name: string): Promise<number> {
  const parts: string[] = [];
  const mute = { isTTY: false, columns: undefined, write: async () => {} };
  const quiet: Io = {
    ...io,
    stdin: { isTTY: io.stdin.isTTY, open: () => Readable.from([]) },
    stdout: { ...mute, write: async (part) => void parts.push(part) },
    stderr: mute,
  };
  const said = Object.entries({ store: globals.store, branch: globals.branch, agent: globals.agent }).flatMap(
    ([option, value]) => (value === undefined ? [] : [`--${option}`, value]),
  );
  const scopes = globals.scopes ? ["--scopes", globals.scopes.join(",")] : [];
  const clearance = globals.clearance ? ["--clearance", globals.clearance] : [];
  await run([name, "--json", ...said, ...scopes, ...clearance], quiet);
  try {
    const value = JSON.parse(parts.join("")) as unknown;
    return Array.isArray(value) ? value.length : 0;
  } catch {
    return 0;
  }
}
