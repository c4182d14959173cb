// Facts out of conversations, by rules alone and through the session: the code path of `pal extract --rules`.
import { readFileSync } from "node:fs";
import { memoryStorage, openStore } from "../dist/index.js";

const SMALL = new Set(["a", "an", "the", "is", "are", "has", "be"]);
const plain = (text) =>
  ` ${String(text ?? "")
    .normalize("NFKC")
    .toLowerCase()
    .replace(/_/g, " ")
    .split(/\s+/)
    .filter((word) => word !== "" && !SMALL.has(word))
    .join(" ")} `;

const newSession = async () => (await openStore(memoryStorage())).session({ agent: "bench" });

/** Expected operations found, operations given, and forbidden words that were kept. */
export async function measureExtraction(items) {
  const figures = { expected: 0, found: 0, given: 0, forbidden: 0, kept: 0 };
  const predictions = [];
  for (const { id, messages, expect, forbid } of items) {
    const { facts } = await (await newSession()).processConversation(messages, {
      model: "none",
      dryRun: true,
    });
    const ops = facts.map(({ op, triple, text }) => ({
      op: op === "modify" ? "update" : op,
      ...triple,
      text,
    }));
    predictions.push({ id, ops });
    figures.given += ops.length;
    figures.expected += expect.length;
    figures.forbidden += forbid.length;
    const used = new Set();
    for (const want of expect) {
      const at = ops.findIndex(
        (op, index) =>
          !used.has(index) &&
          (op.op === want.op || (want.op !== "forget" && op.op !== "forget")) &&
          plain(op.subject) === plain(want.subject) &&
          (want.object === null || plain(op.object).includes(plain(want.object).trim())),
      );
      if (at >= 0) {
        used.add(at);
        figures.found++;
      }
    }
    const stored = ops
      .filter(({ op }) => op !== "forget")
      .map(({ subject, predicate, object, text }) => plain(`${subject} ${predicate} ${object} ${text}`));
    for (const bad of forbid) if (stored.some((text) => text.includes(plain(bad).trim()))) figures.kept++;
  }
  return { figures, predictions };
}

/** What long chats leave in memory, session by session, and a seeded sample of it to be judged by hand. */
export async function measureChats(files, sample, seed) {
  const stored = [];
  let [messages, seconds, alike] = [0, 0, 0];
  for (const file of files) {
    const { convs } = JSON.parse(readFileSync(file, "utf8"));
    for (const { docs } of convs) {
      const session = await newSession();
      const all = docs.map(({ speaker, text }) => ({
        role: speaker === "assistant" ? "assistant" : "user",
        ...(speaker !== "user" && speaker !== "assistant" && { name: speaker }),
        content: text,
      }));
      messages += all.length;
      const cpu = process.cpuUsage();
      const { facts } = await session.processConversation(all, { model: "none", dryRun: true });
      const { user, system } = process.cpuUsage(cpu);
      seconds += (user + system) / 1e6;
      await session.processConversation(all, { model: "none", autoAccept: { confidence: 0.01 } });
      const words = new Map(facts.map((fact) => [fact.text, fact.evidence]));
      const kept = await session.list();
      stored.push(...kept.map(({ text }) => ({ text, evidence: words.get(text) ?? "" })));
      alike += (await session.findConsolidationCandidates({ floor: 0.85, limit: 10_000 })).length;
    }
  }
  let state = seed;
  const next = () => {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
  const drawn = stored
    .map((fact) => ({ fact, at: next() }))
    .sort((a, b) => a.at - b.at)
    .slice(0, sample)
    .map(({ fact }) => fact);
  return { messages, seconds, stored: stored.length, alike, drawn };
}
