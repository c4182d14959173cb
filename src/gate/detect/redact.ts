import type { Json, JsonObject } from "../../core/base/index.js";
import type { Finding, Kind } from "./finding.js";
import { scan } from "./scan.js";

/** Every text of a value with its findings: told what is found, it answers with what is to be kept. */
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
