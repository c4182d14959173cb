import { type Json, type JsonObject, PalimpsestError } from "../../core/base/index.js";
import {
  canonicalRecord,
  laneOf,
  type MemoryRecord,
  type Triple,
  trustRank,
} from "../../core/ledger/index.js";
import type { Check } from "../check.js";
import type { Modes, Rules } from "../config.js";
import { type Finding, KINDS, type Kind } from "../detect/rule.js";
import { cut, scan, type Visit, visitJson, visitText, WORD } from "../detect/scan.js";
import { refuse } from "../verdict.js";

const NAMES: Readonly<Record<Kind, string>> = {
  secret: "a secret (key, token or connection string)",
  password: "a password or code",
  ssn: "a social security number",
  card: "a card number",
  iban: "a bank account number",
  email: "an e-mail address",
  phone: "a phone number",
  ip: "an IP address",
};

/** An address or number of a person may be remembered, but not shown to everybody. */
const PERSONAL: ReadonlySet<Kind> = new Set(["email", "phone"]);
/** What people and machines are named after. */
const ADDRESSES: ReadonlySet<Kind> = new Set(["email", "phone", "ip"]);

export const secrets: Check = {
  name: "secrets",
  lanes: ["belief", "document", "message"],
  run: (record, { rules }) => {
    const look = new Look(rules.modes[laneOf(record.type)]);
    const clean = look.through(record);
    const found = KINDS.filter((kind) => look.found.has(kind));
    if (found.length === 0) return undefined;
    if (look.blocked)
      return {
        ...refuse(
          "SECRET",
          "secrets",
          `PII or secret: the field "${look.blocked.field}" holds ${NAMES[look.blocked.kind]}. The value is not repeated here.`,
          "Leave the value out and remember where it is kept instead.",
        ),
        found,
      };
    const isPrivate = found.some((kind) => PERSONAL.has(kind)) && record.sensitivity === undefined;
    return { record: clean, found, ...(isPrivate && { isPrivate }) };
  },
};

/** One walk over everything a caller wrote into a record. */
class Look {
  readonly found = new Set<Kind>();
  blocked: { readonly field: string; readonly kind: Kind } | undefined;
  readonly #modes: Modes;

  constructor(modes: Modes) {
    this.#modes = modes;
  }

  through(record: MemoryRecord): MemoryRecord {
    const { triple, attributes, tags, origin, contested } = record;
    const text = visitText(record.text, this.#in("text"));
    const parts = triple && (visitJson({ ...triple }, this.#in("triple")) as unknown as Triple);
    const kept = attributes && (visitJson(attributes, this.#in("attributes")) as JsonObject);
    const words = tags?.map((tag) => visitText(tag, this.#in("tags")));
    const evidence = origin.evidence && visitText(origin.evidence, this.#in("evidence"));
    const terms = contested && this.#contests(contested);
    // What names a memory, or where it lies and who said it, cannot be cut: another name would be another memory.
    const { id, scope, type, category, topic, parent, session } = record;
    const isMessage = laneOf(type) === "message";
    this.#name("category", category);
    this.#name("topic", topic);
    this.#name("id", id);
    this.#name("uri", origin.uri);
    if (isMessage) this.#name("speaker", origin.actor);
    this.#place("scope", scope);
    this.#place("type", type);
    this.#place("parent", parent);
    this.#place("session", session);
    this.#place("agent", origin.actor);
    this.#place("conversation", origin.session);
    this.#place("source", origin.source);
    this.#place("channel", origin.channel);
    if (![...this.found].some((kind) => this.#modes[kind] === "redact")) return record;
    return canonicalRecord({
      ...record,
      text,
      ...(parts && { triple: parts }),
      ...(kept && { attributes: kept }),
      ...(words && { tags: words }),
      ...(terms && { contested: terms }),
      ...(evidence !== undefined && { origin: { ...origin, evidence } }),
    });
  }

  /** What the sides of an open conflict say; who says it is not theirs to write. */
  #contests(contested: NonNullable<MemoryRecord["contested"]>): NonNullable<MemoryRecord["contested"]> {
    const kept = Object.entries(contested).map(([field, { base, terms }]) => {
      const clean = (value: Json): Json => visitJson(value, this.#in(field));
      const values = terms.map((term) =>
        term.value === undefined ? term : { ...term, value: clean(term.value) },
      );
      return [field, { ...(base !== undefined && { base: clean(base) }), terms: values }] as const;
    });
    return Object.fromEntries(kept);
  }

  #name(field: string, name: string | undefined): void {
    if (name === undefined) return;
    for (const kind of kindsInName(name)) {
      this.found.add(kind);
      if (this.#modes[kind] !== "allow") this.blocked ??= { field, kind };
    }
  }

  /** An agent or a scope may be called after an address: that makes nothing private. */
  #place(field: string, name: string | undefined): void {
    if (name === undefined) return;
    for (const kind of kindsInName(name)) {
      if (ADDRESSES.has(kind) || this.#modes[kind] === "allow") continue;
      this.found.add(kind);
      this.blocked ??= { field, kind };
    }
  }

  #in(field: string): Visit {
    return (text, findings: readonly Finding[]) => {
      for (const { kind } of findings) {
        this.found.add(kind);
        if (this.#modes[kind] === "block") this.blocked ??= { field, kind };
      }
      return cut(text, findings, (kind) => this.#modes[kind] === "redact");
    };
  }
}

/** Ids that were drawn or computed hold no words; by chance some would look like an account number. */
const isGenerated = (name: string): boolean =>
  /^(?:[a-z]+-)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$|^(?:[a-z]+-)?[0-9a-f]{32}$/i.test(name);

/** Scopes, agents and sessions come again and again. */
const known = new Map<string, readonly Kind[]>();
const KNOWN = 2_000;
const NONE: readonly Kind[] = [];

function kindsInName(name: string): readonly Kind[] {
  if (WORD.test(name)) return NONE;
  const before = known.get(name);
  if (before) return before;
  if (isGenerated(name)) return NONE;
  const findings = scan(name);
  const kinds = findings.length === 0 ? NONE : [...new Set(findings.map(({ kind }) => kind))];
  if (known.size >= KNOWN) known.clear();
  known.set(name, kinds);
  return kinds;
}

/** A name that is kept for ever and cannot be cut must hold nothing that is to be cut. */
export function assertNameHoldsNothing(what: string, name: string, modes: Modes): void {
  const kind = kindsInName(name).find((one) => modes[one] !== "allow" && !ADDRESSES.has(one));
  if (kind === undefined) return;
  throw new PalimpsestError(
    "REFUSED",
    `The name of this ${what} holds ${NAMES[kind]}. The value is not repeated here.`,
    { hint: "Names are kept for ever: choose one without it." },
  );
}

/**
 * What was admitted elsewhere or under other rules is brought over whole, without what must not be kept, and as canon only
 * if somebody vouches for it.
 */
export function recheck(record: MemoryRecord, rules: Rules): MemoryRecord {
  const modes = rules.modes[laneOf(record.type)];
  const cutting = Object.fromEntries(
    KINDS.map((kind) => [kind, modes[kind] === "block" ? "redact" : modes[kind]]),
  ) as Modes;
  const clean = new Look(cutting).through(record);
  const { trust, source } = clean.origin;
  // Two principals may have vouched for what an agent promoted; nobody can for what came from outside.
  const isVouched = trustRank(trust) >= trustRank("user") || (source === "promotion" && trust !== "external");
  if (clean.tier !== "canon" || isVouched) return clean;
  return canonicalRecord({ ...clean, tier: "register" });
}

/** What is said about a commit is never refused for it: what must not be kept is cut out. */
export const cleanText = (text: string, modes: Modes): string =>
  visitText(text, (given, findings) => cut(given, findings, (kind) => modes[kind] !== "allow"));
export const cleanJson = (value: JsonObject, modes: Modes): JsonObject =>
  visitJson(value, (given, findings) =>
    cut(given, findings, (kind) => modes[kind] !== "allow"),
  ) as JsonObject;
