import { latePattern, PalimpsestError, unreadable } from "../core/base/index.js";
import type { Lane, Trust } from "../core/ledger/index.js";
import { KINDS, type Kind } from "./detect/rule.js";

/** What happens to a text that holds something of a kind. */
export type Mode = "block" | "redact" | "allow";
export type Modes = Readonly<Record<Kind, Mode>>;

/** Proposals of this kind are accepted without a person if every memory in them is that certain and trusted. */
export interface AutoAccept {
  readonly kind: string;
  /** Least confidence; default any. */
  readonly confidence?: number;
  /** Least trust; default agent. */
  readonly trust?: Trust;
}

/** How the gate judges. Everything is optional; what is left out keeps its default. */
export interface GateConfig {
  /** false: nothing is remembered. */
  readonly enabled?: boolean;
  /** The only scopes that may be written, if given. */
  readonly scopes?: readonly string[];
  /** How many items a list of proposals names at most; default 20. */
  readonly maxItems?: number;
  /** Sequence ratio from which two texts may be duplicates; default 0.70. */
  readonly similarityThreshold?: number;
  /** Shared words over those of the smaller text from which two texts may be duplicates; default 0.60. */
  readonly tokenOverlapThreshold?: number;
  /** How many memories of a scope may be always injected: canon and topic registers; default 100. */
  readonly capacity?: number;
  /** Characters a text may have, by lane. */
  readonly limits?: Partial<Readonly<Record<Lane, number>>>;
  /** Secrets and personal data, by lane and kind. */
  readonly modes?: Partial<Readonly<Record<Lane, Partial<Modes>>>>;
  /** New beliefs one session may write per hour; no limit by default. */
  readonly beliefsPerHour?: number;
  /** How many things of one author may wait for review on a branch; default 1,000. */
  readonly maxWaiting?: number;
  /** Predicates that have one value at a time, beside the usual ones. */
  readonly singleValued?: readonly string[];
  /** Checks that are left out, by name. */
  readonly off?: readonly string[];
  /** Which proposals need nobody; none by default, and never those about canon. */
  readonly autoAccept?: readonly AutoAccept[];
}

export interface Rules
  extends Required<Omit<GateConfig, "scopes" | "limits" | "modes" | "off" | "singleValued">> {
  readonly scopes: readonly string[] | undefined;
  readonly limits: Readonly<Record<Lane, number>>;
  readonly modes: Readonly<Record<Lane, Modes>>;
  readonly off: ReadonlySet<string>;
  readonly singleValued: ReadonlySet<string>;
}

const BLOCK: Modes = {
  secret: "block",
  password: "block",
  ssn: "block",
  card: "block",
  iban: "block",
  email: "allow",
  phone: "allow",
  ip: "allow",
};
/** Documents and messages quote the world: what must not be kept is cut out, the rest stays. */
const REDACT = Object.fromEntries(
  KINDS.map((kind) => [kind, BLOCK[kind] === "block" ? "redact" : BLOCK[kind]]),
) as Modes;

const DEFAULTS: Rules = {
  enabled: true,
  scopes: undefined,
  maxItems: 20,
  similarityThreshold: 0.7,
  tokenOverlapThreshold: 0.6,
  capacity: 100,
  limits: { belief: 1_200, document: 65_536, message: 65_536 },
  modes: { belief: BLOCK, document: REDACT, message: REDACT },
  beliefsPerHour: Number.POSITIVE_INFINITY,
  maxWaiting: 1_000,
  singleValued: new Set(),
  off: new Set(),
  autoAccept: [],
};

/** Lays configurations over the defaults, the later over the earlier. Numbers that are none are refused. */
export function rulesOf(...configs: readonly (GateConfig | undefined)[]): Rules {
  try {
    return configs.reduce<Rules>((rules, config) => (config ? laidOver(rules, config) : rules), DEFAULTS);
  } catch (error) {
    throw unreadable(error);
  }
}

function laidOver(rules: Rules, config: GateConfig): Rules {
  for (const [name, value] of Object.entries(config)) {
    if (!Object.hasOwn(DEFAULTS, name)) throw invalid(`"${name.slice(0, 64)}" is no setting of the gate.`);
    if (typeof value === "number" && !(value >= 0)) throw invalid(`"${name}" must be a number from 0.`);
  }
  const lanes = ["belief", "document", "message"] as const;
  const modes = lanes.map((lane) => [lane, { ...rules.modes[lane], ...config.modes?.[lane] }]);
  const { off, singleValued, limits, modes: _, ...plain } = config;
  return {
    ...rules,
    ...plain,
    limits: { ...rules.limits, ...limits },
    modes: Object.fromEntries(modes) as Rules["modes"],
    off: off ? new Set(off) : rules.off,
    singleValued: singleValued ? new Set(singleValued.map(predicateKey)) : rules.singleValued,
  };
}

const invalid = (message: string): PalimpsestError => new PalimpsestError("INVALID_FIELD", message);

const HUMP = latePattern("gu")`(?<=\p{Ll})(?=\p{Lu})`;

/** "Lives in", "lives_in" and "livesIn" are one predicate. */
export const predicateKey = (predicate: string): string =>
  predicate
    .normalize("NFKC")
    .replace(HUMP(), " ")
    .toLowerCase()
    .replace(/[\s_-]+/g, " ")
    .trim();
