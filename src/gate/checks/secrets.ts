import type { Json, JsonObject } from "../../base/index.js";
import { canonicalRecord, laneOf, type MemoryRecord, type Triple, trustRank } from "../../ledger/index.js";
import { type Check, refuse } from "../check.js";
import type { Modes, Rules } from "../config.js";
import { type Finding, KINDS, type Kind } from "../detect/finding.js";
import { cut, type Visit, visitJson, visitText } from "../detect/redact.js";

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
    // What names a memory cannot be cut: another name would be another memory.
    for (const field of ["category", "topic", "id"] as const)
      if (record[field] !== undefined && !isGenerated(record[field]))
        visitText(record[field], this.#in(field, true));
    if (origin.uri !== undefined) visitText(origin.uri, this.#in("uri", true));
    if (origin.actor !== undefined && laneOf(record.type) === "message")
      visitText(origin.actor, this.#in("speaker", true));
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

  #in(field: string, isName = false): Visit {
    return (text, findings: readonly Finding[]) => {
      for (const { kind } of findings) {
        this.found.add(kind);
        const mode = this.#modes[kind];
        if (mode === "block" || (mode === "redact" && isName)) this.blocked ??= { field, kind };
      }
      return cut(text, findings, (kind) => this.#modes[kind] === "redact");
    };
  }
}

/** Ids that were drawn or computed hold no words; by chance some would look like an account number. */
const isGenerated = (name: string): boolean =>
  /^(?:[a-z]+-)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$|^(?:[a-z]+-)?[0-9a-f]{32}$/i.test(name);

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
