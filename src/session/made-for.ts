import type { Tip } from "../core/ledger/index.js";
import { history } from "../history/index.js";
import type { Memory } from "../memories/index.js";
import type { Context, Reader } from "../repo/index.js";

/**
 * Those of some memories that this agent had live for its session. Agents may go by one session id: whoever gave a memory the
 * end it has now, with the first of the versions since then, is whose session it is.
 */
export async function madeFor(
  context: Context,
  reader: Reader,
  tip: Tip,
  memories: readonly Memory[],
): Promise<Memory[]> {
  const mine: Memory[] = [];
  for (const memory of memories) {
    let agent: string | undefined;
    for (const { hash, author } of (
      await history(context, reader, tip, memory.id, memory.scope)
    ).toReversed()) {
      const record = hash === undefined ? undefined : await reader.record(hash);
      if (record?.session !== context.sessionId || record?.lifetime !== "session") break;
      agent = author.id;
    }
    if (agent === context.agent) mine.push(memory);
  }
  return mine;
}
