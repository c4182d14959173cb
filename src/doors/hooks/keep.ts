import { openPlain, type Session, withoutEnvelopes } from "../../session/index.js";
import { readTranscript, type Said } from "./transcript.js";

/** Longer than this, a transcript is read from its end: what is older was kept by an earlier hook. */
const MOST_BYTES = 8_000_000;

/**
 * Keeps what a transcript holds as messages, through the gate. What was kept before is found by its id, from the end
 * backwards, so that a long conversation costs what is new in it. Our own blocks in it are no news and are left out.
 */
export async function keepTranscript(
  session: Session,
  agent: string,
  name: string,
  path: string,
): Promise<number> {
  const said = readTranscript(await tailOf(path))
    .map((one) => ({ ...one, text: withoutEnvelopes(one.text).trim() }))
    .filter(({ text }) => text !== "");
  const idOf = ({ key }: Said): string => `said-${agent}-${name}-${key}`;
  let from = said.length;
  while (from > 0 && !(await session.get(idOf(said[from - 1]!), { exact: true }))) from--;
  const verdicts = await session.rememberMany(
    said.slice(from).map((one) => ({
      id: idOf(one),
      type: "message",
      text: one.text,
      turn: one.turn,
      speaker: one.role,
      attributes: { role: one.role },
      ...(isTime(one.time) && { valid: { from: new Date(one.time).toISOString() } }),
    })),
    { snapshot: false, message: "Kept from the conversation" },
  );
  return verdicts.filter(({ verdict }) => verdict === "accepted").length;
}

const isTime = (time: string | undefined): time is string =>
  time !== undefined && !Number.isNaN(Date.parse(time));

async function tailOf(path: string): Promise<string> {
  const file = await openPlain(path);
  try {
    const { size } = await file.stat();
    const from = Math.max(0, size - MOST_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
    const text = buffer.toString("utf8", 0, bytesRead);
    return from === 0 ? text : text.slice(text.indexOf("\n") + 1);
  } finally {
    await file.close();
  }
}
