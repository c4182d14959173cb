import { findAssignments } from "./assignment.js";
import { asIs, type Copy, chained, decoded, folded, joined } from "./copies.js";
import { type Finding, KINDS } from "./finding.js";
import { findPersonal } from "./personal.js";
import { PROVIDER_RULES } from "./provider-rules.js";
import type { Rule } from "./rule.js";
import { SHAPE_RULES } from "./shape-rules.js";

/** Longer inputs do not occur: every field of a memory has a limit. What lies beyond is not read. */
const REACH = 1 << 20;

/** Everything in a text that may be secret or personal, hidden forms included, in the order it stands. */
export function scan(text: string): Finding[] {
  const whole = text.slice(0, REACH);
  const plain = folded(whole) ?? asIs(whole);
  const found: Finding[] = [
    ...inCopy(plain, findShapes),
    ...inCopy(plain, findAssignments),
    ...inCopy(plain, findPersonal),
  ];
  const rejoined = joined(plain.text);
  const hidden = [
    ...(rejoined ? [chained(rejoined, plain)] : []),
    ...decoded(plain.text).map((copy) => chained(copy, plain)),
  ];
  for (const copy of hidden) found.push(...inCopy(copy, findShapes));
  return merged(found);
}

/** The shortest token of a provider; most sentences have no such word, and then no rule need be tried. */
const LONG_WORDS = /\S{16,}/g;

function findShapes(text: string): Finding[] {
  const words = text.match(LONG_WORDS)?.join(" ") ?? "";
  const provided = words === "" ? [] : PROVIDER_RULES.filter(hasAnchorIn(words));
  return [...provided, ...SHAPE_RULES.filter(hasAnchorIn(text))].flatMap((rule) => applied(rule, text));
}

const hasAnchorIn =
  (text: string) =>
  ({ anchors }: Rule): boolean =>
    anchors.some((anchor) => text.includes(anchor));

function applied({ name, kind, pattern, accepts }: Rule, text: string): Finding[] {
  const found: Finding[] = [];
  for (const match of text.matchAll(pattern)) {
    const value = match.at(-1) ?? match[0];
    if (accepts && !accepts(value, match as RegExpExecArray)) continue;
    const start = match.index + match[0].lastIndexOf(value);
    const end = name === "private-key" ? endOfKey(text, start) : start + value.length;
    found.push({ kind, rule: name, start, end });
  }
  return found;
}

/** A private key goes on to its footer, or to the end of what was given. */
function endOfKey(text: string, start: number): number {
  if (!text.startsWith("-----", start))
    return start + (/^[A-Za-z0-9+/=]*/.exec(text.slice(start))?.[0].length ?? 0);
  const footer = text.indexOf("-----END", start);
  const close = footer < 0 ? -1 : text.indexOf("-----", footer + 8);
  return close < 0 ? text.length : close + 5;
}

const inCopy = (copy: Copy, find: (text: string) => Finding[]): Finding[] =>
  find(copy.text).map((finding) => ({
    ...finding,
    start: copy.from(finding.start),
    end: copy.to(finding.end),
  }));

/** Overlapping findings are one; of their kinds the graver stands. */
function merged(findings: readonly Finding[]): Finding[] {
  const out: Finding[] = [];
  for (const finding of findings.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = out.at(-1);
    if (last && finding.start < last.end)
      out[out.length - 1] = {
        ...graver(last, finding),
        start: last.start,
        end: Math.max(last.end, finding.end),
      };
    else out.push(finding);
  }
  return out;
}

const graver = (a: Finding, b: Finding): Finding => (KINDS.indexOf(b.kind) < KINDS.indexOf(a.kind) ? b : a);
