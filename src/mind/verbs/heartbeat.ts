import { list } from "../../memories/index.js";
import { type Access, type At, type Engine, rowSight } from "../../repo/index.js";
import { acquireLease } from "../../storage/index.js";
import type { Message } from "../facts.js";
import type { HeartbeatOptions } from "../options.js";
import { type ConsolidationReport, consolidate } from "./consolidate.js";
import { processConversation } from "./process-conversation.js";

export interface Heartbeat<T> {
  readonly ran: boolean;
  readonly why: string;
  readonly report?: T;
}

const NOTE = "mind/heartbeat";
const PAGE = 1_000;

/** Only before the last end of a comment: where none follows, every beginning would be looked on from to the end. */
function withoutComments(text: string): string {
  const end = text.lastIndexOf("-->") + 3;
  return end < 3 ? text : text.slice(0, end).replace(/<!--[\s\S]*?-->/g, "") + text.slice(end);
}

/** Lines that ask for something: not headings, comments, rules, empty boxes or finished ones. */
export function hasTask(text: string): boolean {
  const lines = withoutComments(text).split("\n");
  return lines.some((line) => {
    const entry = line.trim();
    return (
      entry !== "" && !/^(?:#|---|\*\*\*|\[\/\/\]|[-*+]\s*\[x\]|[-*+]\s*(?!\s)(?:\[\s?\]\s*)?$)/i.test(entry)
    );
  });
}

/** One consolidation for all servers of a store, and only if anything that the session sees changed since the last. */
export async function heartbeat(
  access: Access,
  { tasks }: HeartbeatOptions,
): Promise<Heartbeat<ConsolidationReport>> {
  const sees = rowSight(access.context);
  const { storage, clock } = access.context.engine;
  if (tasks !== undefined && !hasTask(tasks)) return { ran: false, why: "HEARTBEAT.md holds no task." };
  if (!(await storage.exists())) return { ran: false, why: "There is no store yet." };
  const isUnchanged = async () => {
    const { seq } = await storage.version();
    for (let { seq: after } = await last(storage); after < seq; ) {
      const page = await storage.touchSince(Math.max(after, 0), PAGE);
      for (const row of page.touch) if (await sees(row)) return false;
      if (page.seq <= after) break;
      after = page.seq;
    }
    return true;
  };
  if (await isUnchanged()) return { ran: false, why: "Nothing changed since the last time." };
  const lease = await acquireLease(storage, "mind/heartbeat");
  if (!lease) return { ran: false, why: "Another process does it." };
  try {
    if (await isUnchanged()) return { ran: false, why: "Another process did it." };
    const started = new Date(clock()).toISOString();
    await readMessages(access, (await last(storage)).time);
    const report = await access.read(undefined, (at) => consolidate(at, {}));
    const { seq } = await storage.version();
    if (lease.isHeld) await storage.setSide(NOTE, JSON.stringify({ seq, time: started }));
    return { ran: true, why: "Something changed since the last time.", report };
  } finally {
    await lease.release();
  }
}

/** Reads what people said since then for facts. */
async function readMessages(access: Access, since: string): Promise<void> {
  const sessions = await access.look(undefined, (at) => recentMessages(at, since));
  for (const [session, messages] of sessions)
    await processConversation(access, messages, session === "" ? {} : { session });
}

/** The store as the last heartbeat left it, and when that was. */
async function last(storage: Engine["storage"]): Promise<{ readonly seq: number; readonly time: string }> {
  const none = { seq: -1, time: "" };
  try {
    return { ...none, ...(JSON.parse((await storage.side(NOTE)) ?? "{}") as object) };
  } catch {
    return none;
  }
}

/** Messages that one heartbeat reads at most. */
const MOST = 2_000;

/** What was said since then, as far as it was kept as messages, by session; "" where nobody said which. */
async function recentMessages(at: At, since: string): Promise<Map<string, Message[]>> {
  const kept = await list(at, { type: "message" });
  const sessions = new Map<string, Message[]>();
  for (const { text, origin, attributes } of kept.filter(({ createdAt }) => createdAt > since).slice(-MOST)) {
    const role = attributes?.role;
    if (role !== "user" && role !== "assistant") continue;
    const key = origin.session ?? "";
    const said = sessions.get(key) ?? [];
    said.push({ role, content: text });
    sessions.set(key, said);
  }
  return sessions;
}
