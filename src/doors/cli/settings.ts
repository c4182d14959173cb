import type { GateConfig } from "../../session/index.js";

export type SettingValue = boolean | number | string | readonly string[];

export interface Setting {
  readonly description: string;
  readonly kind: "yes or no" | "number" | "text" | "list";
  readonly initial: SettingValue | undefined;
  /** Smallest and largest number. */
  readonly range?: readonly [number, number];
  readonly gate?: keyof GateConfig;
  readonly lane?: "belief" | "document" | "message";
}

const lane = (name: "belief" | "document" | "message", initial: number): Setting => ({
  description: `characters that a ${name} may have`,
  kind: "number",
  initial,
  range: [1, 1_000_000],
  gate: "limits",
  lane: name,
});

const price = (does: string): Setting => ({
  description: `price of a million tokens that a model ${does}, in your currency; costs are then told in money too`,
  kind: "number",
  initial: undefined,
  range: [0, 1_000_000],
});

/** Everything that can be set, by the path of its key in the file. */
export const SETTINGS: Readonly<Record<string, Setting>> = {
  "memory.enabled": {
    description: "no: nothing is remembered",
    kind: "yes or no",
    initial: true,
    gate: "enabled",
  },
  "memory.scopes": {
    description: "the only scopes that may be written; all if not set",
    kind: "list",
    initial: undefined,
    gate: "scopes",
  },
  "memory.max_items": {
    description: "how many items a list of proposals names",
    kind: "number",
    initial: 20,
    range: [1, 10_000],
    gate: "maxItems",
  },
  "memory.similarity_threshold": {
    description: "sequence ratio from which two texts may be duplicates",
    kind: "number",
    initial: 0.7,
    range: [0, 1],
    gate: "similarityThreshold",
  },
  "memory.token_overlap_threshold": {
    description: "share of common words from which two texts may be duplicates",
    kind: "number",
    initial: 0.6,
    range: [0, 1],
    gate: "tokenOverlapThreshold",
  },
  "memory.capacity": {
    description: "how many memories of a scope may always be shown to an agent",
    kind: "number",
    initial: 100,
    range: [0, 100_000],
    gate: "capacity",
  },
  "memory.beliefs_per_hour": {
    description: "new beliefs that one session may write in an hour; no limit if not set",
    kind: "number",
    initial: undefined,
    range: [0, 1_000_000],
    gate: "beliefsPerHour",
  },
  "memory.max_waiting": {
    description: "how many things of one author may wait for review on a branch",
    kind: "number",
    initial: 1_000,
    range: [0, 1_000_000],
    gate: "maxWaiting",
  },
  "memory.single_valued": {
    description: "predicates that have one value at a time, beside the usual ones",
    kind: "list",
    initial: undefined,
    gate: "singleValued",
  },
  "memory.off": {
    description: "checks of the gate that are left out",
    kind: "list",
    initial: undefined,
    gate: "off",
  },
  "memory.limits.belief": lane("belief", 1_200),
  "memory.limits.document": lane("document", 65_536),
  "memory.limits.message": lane("message", 65_536),
  "mind.price.in": price("reads"),
  "mind.price.out": price("writes"),
  embedder: {
    description: "what turns texts into vectors: minilm, openai[:model], ollama[:model] or none",
    kind: "text",
    initial: "minilm",
  },
};

/** What is wrong with a value; undefined when nothing is. */
export function problemOf(key: string, value: unknown): string | undefined {
  const setting = Object.hasOwn(SETTINGS, key) ? SETTINGS[key] : undefined;
  if (!setting) return "there is no such setting";
  const { kind, range } = setting;
  if (kind === "yes or no") return typeof value === "boolean" ? undefined : "must be true or false";
  if (kind === "list")
    return Array.isArray(value) && value.every((item) => typeof item === "string" && item.trim() !== "")
      ? undefined
      : "must be a list of words";
  if (kind === "text") {
    const isKnown = typeof value === "string" && /^(?:minilm|none|(?:openai|ollama)(?::.+)?)$/.test(value);
    return isKnown ? undefined : "must be minilm, openai[:model], ollama[:model] or none";
  }
  if (typeof value !== "number" || !Number.isFinite(value)) return "must be a number";
  const [least, most] = range ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  return value < least || value > most ? `must be from ${least} to ${most}` : undefined;
}

/** A value as it is typed: `true`, `0.8`, `a,b`. */
export function typedValue(key: string, text: string): unknown {
  const kind = SETTINGS[key]?.kind;
  if (kind === "yes or no")
    return /^(?:true|yes|on)$/i.test(text) || (/^(?:false|no|off)$/i.test(text) ? false : text);
  if (kind === "number") return text.trim() === "" ? text : Number(text);
  if (kind === "list")
    return text
      .split(",")
      .map((word) => word.trim())
      .filter((word) => word !== "");
  return text;
}

/** What the gate is told; everything that is not set keeps its default. */
export function gateOf(values: ReadonlyMap<string, SettingValue>): GateConfig {
  const config: Record<string, unknown> = {};
  const limits: Record<string, unknown> = {};
  for (const [key, value] of values) {
    const { gate, lane: name } = SETTINGS[key] as Setting;
    if (name) limits[name] = value;
    else if (gate) config[gate] = value;
  }
  return { ...config, ...(Object.keys(limits).length > 0 && { limits }) } as GateConfig;
}
