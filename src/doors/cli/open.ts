import { resolve } from "node:path";
import type { Session, SessionOptions, Store } from "../../session/index.js";
import type { Call } from "./command.js";
import { configPath, gateOf, trustedConfig } from "./config-file.js";
import { line, oneLine } from "./line.js";
import { projectAround } from "./project.js";

/** A read, or a change of what exists, needs a store; only adding something makes one. */
export type Need = "existing" | "creatable";

/** Where the store is, by --store, $PAL_HOME or the platform: a directory, or the address of a database. */
export async function locationOf({ globals, io }: Pick<Call, "globals" | "io">): Promise<string> {
  const { defaultLocation, isPostgresUrl } = await import("../../session/opening.js");
  const named = globals.store ?? (io.env.PAL_HOME || undefined) ?? (await defaultLocation());
  return isPostgresUrl(named) ? named : resolve(io.cwd, named);
}

/** Opens the store for one command and lets go of it afterwards, whatever happened. */
export async function withStore<T>(call: Call, need: Need, use: (store: Store) => Promise<T>): Promise<T> {
  const { io, out, options } = call;
  const { openStore, PalimpsestError } = await import("../../session/opening.js");
  const location = await locationOf(call);
  const { values } = await trustedConfig(configPath(io, location));
  const embedder = io.env.PAL_EMBEDDER || (values.get("embedder") as string | undefined);
  const logged: Promise<void>[] = [];
  // Each command says what it did; the same again in the words of the log is for whoever asks for more.
  const log = (text: string) => logged.push(out.talk(line`${out.talkPaint.dim("·")} ${oneLine(text)}`));
  const store = await openStore(location, {
    gate: gateOf(values),
    ...(embedder !== undefined && { embedder }),
    ...(io.env.PAL_JUDGE && { judge: io.env.PAL_JUDGE }),
    ...(options.flag("verbose") && { log }),
  });
  try {
    if (need === "existing" && !(await store.exists()))
      throw new PalimpsestError("NO_STORE", `There is no store in ${store.location}.`);
    for (const warning of store.warnings) await out.talk(line`${out.talkPaint.yellow("!")} ${warning}`);
    return await use(store);
  } finally {
    const damaged = store.damaged.length;
    await store.close();
    await Promise.all(logged);
    if (damaged > 0)
      await out.talk(
        line`${out.talkPaint.yellow("!")} ${damaged} damaged ${damaged === 1 ? "object was" : "objects were"} left out; run \`pal verify\`.`,
      );
  }
}

export async function withSession<T>(
  call: Call,
  need: Need,
  use: (session: Session, store: Store) => Promise<T>,
): Promise<T> {
  const { toName } = await import("../../session/opening.js");
  // Not closed as a session: one with a name outlives this process.
  return withStore(call, need, (store) => use(store.session(sessionOptions(call, toName)), store));
}

/** Who is at the door, what they see, and how far they are trusted. */
export function sessionOptions(
  { globals, io }: Pick<Call, "globals" | "io">,
  toName: (text: string) => string,
): SessionOptions {
  const person = io.stdin.isTTY;
  const project = projectAround(io.cwd);
  const branch = globals.branch ?? (io.env.PAL_BRANCH || undefined);
  const sessionId = globals.session ?? (io.env.PAL_SESSION || undefined);
  return {
    agent: toName(globals.agent ?? (io.env.PAL_AGENT || io.user())),
    ...(globals.scopes && { scopes: globals.scopes }),
    ...(project !== undefined && { project: toName(project) }),
    clearance: globals.clearance ?? (person ? "confidential" : "private"),
    ...(branch !== undefined && { branch }),
    ...(sessionId !== undefined && { sessionId: toName(sessionId) }),
    channel: person ? "terminal" : "pipe",
    trust: globals.operator ? "operator" : person ? "user" : "agent",
  };
}
