import { list } from "../../memories/index.js";
import type { At } from "../../repo/index.js";
import type { Message } from "../facts.js";

/** Messages that one heartbeat reads at most. */
const MOST = 2_000;

/** What was said since then, as far as it was kept as messages, by session; "" where nobody said which. */
export async function recentMessages(at: At, since: string): Promise<Map<string, Message[]>> {
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
