import type { Json, JsonObject } from "../../core/base/index.js";
import { findAssignments } from "./assignment.js";
import { findPersonal } from "./personal.js";
import { PROVIDER_RULES } from "./provider-rules.js";
import type { Rule } from "./rule.js";
import { type Finding, KINDS, type Kind, matchesOf } from "./rule.js";
import { SHAPE_RULES } from "./shape-rules.js";
import type { Survey } from "./views.js";
import { readable, type View, viewsOf } from "./views.js";

/** Longer inputs do not occur: every field of a memory has a limit. What lies beyond is not read. */
const REACH = 1 << 20;

/** Names and tags, scanned by the thousand: no rule finds anything in one short word of letters. */
export const WORD = /^[A-Za-z]{0,15}$/;

/** Everything in a text that may be secret or personal, hidden forms included, in the order it stands. */
export function scan(text: string): Finding[] {
  if (WORD.test(text)) return [];
  const plain = readable(text.slice(0, REACH));
  const found: Finding[] = inView(plain, (given) => [
    ...findShapes(given, plain.survey),
    ...findAssignments(given),
    ...findPersonal(given),
  ]);
  for (const view of viewsOf(plain)) found.push(...inView(view, view.isJoined ? findShapes : findHidden));
  return merged(found);
}

/** What is grave enough to be looked for where it was encoded. */
const GRAVE: ReadonlySet<Kind> = new Set(["ssn", "card", "iban"]);
const findHidden = (text: string, survey: Survey): Finding[] => [
  ...findShapes(text, survey),
  ...findAssignments(text),
  ...findPersonal(text).filter(({ kind }) => GRAVE.has(kind)),
];

/** Most texts have no anchor at all; to ask for all of them at once is far cheaper than for one after another. */
const anchored = (rules: readonly Rule[]) => ({
  rules,
  anchor: new RegExp(rules.flatMap(({ anchors }) => anchors.map(escaped)).join("|")),
});
/** The shortest token of a provider is a word this long; of those whose anchors tell little, one of `LONG`. */
const SHORTEST = 16;
const LONG = 24;
const isFaint = ({ anchors }: Rule): boolean => anchors.some(({ length }) => length < 3);
const neededWord = (rule: Rule): number => rule.longest ?? 0;
const SHAPES = anchored(SHAPE_RULES.filter((rule) => neededWord(rule) < SHORTEST));
const TOKENS = [...PROVIDER_RULES, ...SHAPE_RULES.filter((rule) => neededWord(rule) >= SHORTEST)];
const CLEAR = anchored(TOKENS.filter((rule) => !isFaint(rule)));
const FAINT_RULES = TOKENS.filter(isFaint);

function findShapes(text: string, { longest }: Survey): Finding[] {
  const rules: Rule[] = [];
  if (longest >= SHORTEST && CLEAR.anchor.test(text)) rules.push(...CLEAR.rules);
  for (const rule of longest < SHORTEST ? [] : FAINT_RULES)
    if (longest >= (rule.longest ?? LONG)) rules.push(rule);
  if (SHAPES.anchor.test(text)) rules.push(...SHAPES.rules);
  return rules.filter(hasAnchorIn(text)).flatMap((rule) => applied(rule, text));
}

function escaped(literal: string): string {
  return literal.replace(/[^\w]/g, "\\$&");
}

const hasAnchorIn =
  (text: string) =>
  ({ anchors }: Rule): boolean =>
    anchors.some((anchor) => text.includes(anchor));

function applied({ name, kind, pattern, accepts, endOf }: Rule, text: string): Finding[] {
  const found: Finding[] = [];
  for (const match of matchesOf(text, pattern)) {
    const value = match.at(-1) ?? match[0];
    if (accepts && !accepts(value, match as RegExpExecArray)) continue;
    const start = match.index + match[0].lastIndexOf(value);
    found.push({ kind, rule: name, start, end: endOf ? endOf(text, start) : start + value.length });
  }
  return found;
}

const inView = (view: View, find: (text: string, survey: Survey) => Finding[]): Finding[] =>
  find(view.text, view.survey).map((finding) => ({
    ...finding,
    start: view.from(finding.start),
    end: view.to(finding.end),
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

/** Visits every text of a value with its findings; the visitor answers with what is to be kept. */
export type Visit = (text: string, findings: readonly Finding[]) => string;

/** Cuts findings of the given kinds out of a text; what was there is said by its kind only. */
export function cut(text: string, findings: readonly Finding[], isCut: (kind: Kind) => boolean): string {
  let out = "";
  let from = 0;
  for (const { kind, start, end } of findings) {
    if (!isCut(kind)) continue;
    out += `${text.slice(from, start)}[redacted:${kind}]`;
    from = end;
  }
  return from === 0 ? text : out + text.slice(from);
}

export function visitText(text: string, visit: Visit): string {
  const findings = scan(text);
  return findings.length === 0 ? text : visit(text, findings);
}

/** A JSON value with every string in it visited, keys included; the value itself when nothing changed. */
export function visitJson(value: Json, visit: Visit): Json {
  if (typeof value === "string") return visitText(value, visit);
  if (Array.isArray(value)) {
    const items = value.map((item) => visitJson(item, visit));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  if (typeof value !== "object" || value === null) return value;
  const given = Object.entries(value as JsonObject).filter(
    (entry): entry is [string, Json] => entry[1] !== undefined,
  );
  const kept = given.map(([key, item]) => named(key, item, visit));
  const isSame = kept.every(([key, item], at) => key === given[at]?.[0] && item === given[at]?.[1]);
  return isSame ? value : Object.fromEntries(kept);
}

/** A key gives its value a context: {"password": "…"} is read as one line, and so is each text of a list. */
function named(key: string, item: Json, visit: Visit): [string, Json] {
  const name = visitText(key, visit);
  if (typeof item === "string") return [name, visitNamed(key, item, visit)];
  if (!Array.isArray(item)) return [name, visitJson(item, visit)];
  const items = item.map((one) =>
    typeof one === "string" ? visitNamed(key, one, visit) : visitJson(one, visit),
  );
  return [name, items.every((one, at) => one === item[at]) ? item : items];
}

function visitNamed(key: string, item: string, visit: Visit): string {
  const lead = `${key}: `;
  const findings = scan(lead + item)
    .filter(({ end }) => end > lead.length)
    .map(({ start, end, ...rest }) => ({
      ...rest,
      start: Math.max(0, start - lead.length),
      end: end - lead.length,
    }));
  return findings.length === 0 ? item : visit(item, findings);
}
