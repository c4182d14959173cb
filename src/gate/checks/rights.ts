import { laneOf, trustRank } from "../../core/ledger/index.js";
import type { Check } from "../check.js";
import { mayElevate, SOURCES } from "../check.js";
import { quarantine, refuse } from "../verdict.js";

export const scope: Check = {
  name: "scope",
  lanes: ["belief", "document", "message"],
  run: ({ scope: target }, { writer, rules }) => {
    if (!writer.sees(target))
      return refuse(
        "SCOPE_NOT_VISIBLE",
        "scope",
        `This session does not see the scope ${target}.`,
        "Write to a scope the session sees, or open a session that sees this one.",
      );
    if (rules.scopes === undefined || rules.scopes.includes(target)) return undefined;
    return refuse(
      "SCOPE_NOT_WRITABLE",
      "scope",
      `The configuration lets nothing be written to the scope ${target}.`,
      `Write to one of ${rules.scopes.join(", ")}.`,
    );
  },
};

export const tier: Check = {
  name: "tier",
  lanes: ["belief", "document", "message"],
  run: ({ tier: level, origin }, { writer, vouchers = [] }) => {
    if (level !== "canon" || vouchers === "later") return undefined;
    if (mayElevate([{ id: writer.id, trust: origin.trust }, ...vouchers])) return undefined;
    return refuse(
      "TIER_NOT_ALLOWED",
      "tier",
      `Canon is for what a person vouches for; this write comes with the trust of "${origin.trust}".`,
      "Write it as a register, or have a user or operator write it: `pal --operator` at the command line; in a program `propose` puts it before one.",
    );
  },
};

/** What a stronger writer said is not overwritten by a weaker one. */
export const trust: Check = {
  name: "trust",
  lanes: ["belief", "document", "message"],
  run: ({ origin }, { target }) => {
    if (target === undefined || trustRank(origin.trust) >= trustRank(target.origin.trust)) return undefined;
    return {
      ...quarantine(
        "WEAKER_WRITER",
        "trust",
        `This memory was written with the trust of "${target.origin.trust}", this write has that of "${origin.trust}".`,
        "It waits for somebody of that trust to decide (see `review`); or write it as a memory of its own.",
      ),
      against: target.id,
    };
  },
};

export const source: Check = {
  name: "source",
  lanes: ["belief", "document", "message"],
  run: ({ origin }) =>
    SOURCES.has(origin.source)
      ? undefined
      : refuse(
          "SOURCE_UNKNOWN",
          "source",
          `"${origin.source}" is no known source.`,
          `Use one of ${[...SOURCES.keys()].join(", ")}.`,
        ),
};

/** Somebody chose to read these in; they are kept as what they are, with the label of where they come from. */
const BROUGHT_IN = new Set(["import", "ingest", "file", "document"]);

/**
 * What comes from outside and nobody vouches for is found by no search before a person has accepted it: so a planted
 * experience is never recalled, nor what was made of it. Documents and messages quote the world and are kept; only those
 * of a door that is itself untrusted wait too.
 */
export const outside: Check = {
  name: "outside",
  lanes: ["belief", "document"],
  run: ({ type, origin }, { writer }) => {
    // A person who writes it down has read it; the label stays.
    if (origin.trust !== "external" || trustRank(writer.trust) >= trustRank("user")) return undefined;
    const isDoor = writer.trust === "external";
    const isBroughtIn = BROUGHT_IN.has(origin.source) && origin.derivedFrom === undefined;
    if (!isDoor && (laneOf(type) === "document" || isBroughtIn)) return undefined;
    return quarantine(
      "UNVOUCHED",
      "outside",
      "This comes from outside, or was made of something that does, and nobody has vouched for it.",
      "It waits for a user or operator to accept it: see `review`.",
    );
  },
};

/** Our own words coming back are no news, wherever they would be put. A person who copies a text means it. */
export const recallLoop: Check = {
  name: "recall-loop",
  lanes: ["belief"],
  run: ({ text, origin, id }, { near, target }) => {
    if (target !== undefined || trustRank(origin.trust) >= trustRank("user")) return undefined;
    const of = near.served(text);
    if (of === undefined || of === id) return undefined;
    return {
      ...refuse(
        "RECALL_LOOP",
        "recall-loop",
        `Duplicate: this text was read from memory (${of}) and says nothing new.`,
        "Nothing needs to be done; to change the memory, update it by its id.",
      ),
      verdict: "duplicate",
      of,
      similarity: 1,
    };
  },
};
