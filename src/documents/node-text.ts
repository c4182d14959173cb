import { isBlank } from "../core/base/index.js";
import type { MemoryRecord } from "../core/ledger/index.js";
import { HEAD, LINE } from "./source.js";

/** Where stores made before memories could be without text keep a body of blanks, beside a text that stands for it. */
const BODY = "source:body";

/** What a node of a file says: its text, or the blanks that an older text stands for. */
export function textOfNode({ type, text, attributes = {} }: MemoryRecord): string {
  const head = attributes[LINE] ?? attributes[HEAD];
  const body = attributes[BODY];
  if (typeof head !== "string" || typeof body !== "string") return text;
  if (text !== (isBlank(head) ? "…" : head.trim())) return text;
  return type === "part" ? body : `\n${body}`;
}
