import type { FieldChange, WordChange } from "../../session/index.js";
import { type Line, line, type Paint } from "./line.js";
import { asValue } from "./show.js";

/** One changed field: for texts word by word, else what was and what is. */
export function fieldLine({ field, from, to, words }: FieldChange, paint: Paint): Line {
  const name = paint.dim(field);
  if (words)
    return line`${name}  ${words.map((word, at) => wordLine(word, at, words.length, paint)).reduce(joined, line``)}`;
  const [was, is] = [from, to].map((value) => (value === undefined ? undefined : asValue(value)));
  return line`${name}  ${was === undefined ? "" : paint.gone(was)}${is === undefined ? "" : paint.came(is)}`;
}

const joined = (left: Line, right: Line): Line => line`${left}${right}`;

/** Of long stretches that stayed the same only the ends next to a change are shown. */
const CONTEXT = 40;

function wordLine({ kind, text }: WordChange, at: number, count: number, paint: Paint): Line {
  if (kind === "removed") return paint.gone(text);
  if (kind === "added") return paint.came(text);
  if (text.length <= 2 * CONTEXT + 1) return line`${text}`;
  const start = at === 0 ? "" : text.slice(0, CONTEXT).toWellFormed();
  const end = at === count - 1 ? "" : text.slice(-CONTEXT).toWellFormed();
  return line`${start}${paint.dim("…")}${end}`;
}
