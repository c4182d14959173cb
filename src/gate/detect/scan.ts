import { findAssignments } from "./assignment.js";
import { asIs, type Copy, chained, decoded, folded, joined } from "./copies.js";
import { type Finding, KINDS } from "./finding.js";
import { matchesOf } from "./matches.js";
import { findPersonal } from "./personal.js";
import { PROVIDER_RULES } from "./provider-rules.js";
import type { Rule } from "./rule.js";
import { SHAPE_RULES } from "./shape-rules.js";

/** Longer inputs do not occur: every field of a memory has a limit. What lies beyond is not read. */
const REACH = 1 << 20;

/** Names and tags, scanned by the thousand: no rule finds anything in one short word of letters. */
export const WORD = /^[A-Za-z]{0,15}$/;

/** Everything in a text that may be secret or personal, hidden forms included, in the order it stands. */
export function scan(text: string): Finding[] {
  if (WORD.test(text)) return [];
  const whole = text.slice(0, REACH);
  const plain = folded(whole) ?? asIs(whole);
  const found: Finding[] = [
    ...inCopy(plain, findShapes),
    ...inCopy(plain, findAssignments),
    ...inCopy(plain, findPersonal),
  ];
  const rejoined = plain.text.includes("\n") ? joined(plain.text) : undefined;
  const hidden = [
    ...(rejoined ? [chained(rejoined, plain)] : []),
    ...(longestWord(plain.text) < LONG ? [] : decoded(plain.text)).map((copy) => chained(copy, plain)),
  ];
  for (const copy of hidden) found.push(...inCopy(copy, findShapes));
  return merged(found);
}

/** Most texts have no anchor at all; to ask for all of them at once is far cheaper than for one after another. */
const anchored = (rules: readonly Rule[]) => ({
  rules,
  anchor: new RegExp(rules.flatMap(({ anchors }) => anchors.map(escaped)).join("|")),
});
const isFaint = ({ anchors }: Rule): boolean => anchors.some(({ length }) => length < 3);
const SHAPES = anchored(SHAPE_RULES);
/** The shortest token of a provider is a word this long; of those whose anchors tell little, one of `LONG`. */
const SHORTEST = 16;
const PROVIDERS = anchored(PROVIDER_RULES.filter((rule) => !isFaint(rule)));
const LONG = 24;
const FAINT_RULES = PROVIDER_RULES.filter(isFaint);

function findShapes(text: string): Finding[] {
  const longest = longestWord(text);
  const rules: Rule[] = [];
  if (longest >= SHORTEST && PROVIDERS.anchor.test(text)) rules.push(...PROVIDERS.rules);
  if (longest >= LONG) rules.push(...FAINT_RULES);
  if (SHAPES.anchor.test(text)) rules.push(...SHAPES.rules);
  return rules.filter(hasAnchorIn(text)).flatMap((rule) => applied(rule, text));
}

function escaped(literal: string): string {
  return literal.replace(/[^\w]/g, "\\$&");
}

/** How long the longest run without blanks is, at least. */
function longestWord(text: string): number {
  let longest = 0;
  let run = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    run = code === 32 || (code >= 9 && code <= 13) ? 0 : run + 1;
    if (run > longest) longest = run;
  }
  return longest;
}

const hasAnchorIn =
  (text: string) =>
  ({ anchors }: Rule): boolean =>
    anchors.some((anchor) => text.includes(anchor));

function applied({ name, kind, pattern, accepts }: Rule, text: string): Finding[] {
  const found: Finding[] = [];
  for (const match of matchesOf(text, pattern)) {
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
