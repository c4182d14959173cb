// Loads the documents of a question set as the messages they are.
import { messageOf } from "./_sets.mjs";

/** Whoever speaks writes in a session of their own, within the conversation; what nobody says is a note. */
export async function loadConversation(store, docs) {
  const groups = new Map();
  docs.forEach((doc, turn) => {
    const { text, session, speaker, role, time } = messageOf(doc);
    const key = JSON.stringify(speaker === undefined ? null : [speaker, session]);
    const memory = {
      id: `doc-${doc.id}`,
      text,
      type: speaker === undefined ? "note" : "message",
      turn,
      ...(role && { attributes: { role } }),
      ...(time !== undefined && { valid: { from: new Date(time).toISOString() } }),
    };
    groups.set(key, [...(groups.get(key) ?? []), memory]);
  });
  let refused = 0;
  for (const [key, memories] of groups) {
    const [agent, sessionId] = JSON.parse(key) ?? ["library"];
    const writer = store.session({ agent, ...(sessionId && { sessionId }), trust: "user" });
    for (const { verdict, reason } of await writer.rememberMany(memories))
      if (verdict === "rejected" || verdict === "quarantined") {
        refused++;
        if (refused < 4) console.error(`${verdict}: ${reason}`);
      }
  }
  return refused;
}
