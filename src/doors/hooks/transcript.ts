import { createHash } from "node:crypto";
import { type SaidLine, saidOnLine } from "../../session/index.js";

/** One thing that was said in a conversation with a coding agent. */
export interface Said extends Omit<SaidLine, "id"> {
  /** The same whenever the same transcript is read again. */
  readonly key: string;
  readonly turn: number;
}

/** What was said in a transcript, which is lines of JSON; a line that is cut is the end. */
export function readTranscript(text: string): Said[] {
  const said: Said[] = [];
  for (const line of text.split("\n")) {
    const found = saidOnLine(parsed(line));
    if (!found) continue;
    const { id, ...one } = found;
    const turn = said.length;
    said.push({ ...one, key: id ?? keyOf(one, turn), turn });
  }
  return said;
}

/** What has no id of its own is known by when and what: of a long transcript only the end is read, so places shift. */
const keyOf = ({ time, role, text }: Omit<SaidLine, "id">, turn: number): string =>
  time === undefined
    ? String(turn)
    : createHash("sha256")
        .update(JSON.stringify([time, role, text]))
        .digest("hex")
        .slice(0, 24);

function parsed(line: string): unknown {
  if (line.trim() === "") return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
