import type { Lifetime, MemoryInput, Sensitivity, Tier } from "../../session/index.js";
import { VERBS } from "../../session/opening.js";
import { usage } from "./fail.js";
import { flagOf, valuesOf } from "./flags.js";
import { typed } from "./input-text.js";
import { given, type OptionSpec, type Options } from "./options.js";
import { attributesOf, durationOf, wordsOf } from "./values.js";

/** Options that say something about a memory; which of them a command takes is its own decision. */
export const FIELDS = {
  type: { flags: "--type <word>", description: "fact, identity, observation, note, …; default fact" },
  topic: { flags: "--topic <name>", description: "there is one memory per topic: a new one renews it" },
  tier: { flags: "--tier <tier>", description: "register or canon" },
  category: { flags: "--category <name>", description: "where it belongs, such as work/technical" },
  tag: { flags: "--tag <a,b,…>", description: "tags; may be repeated", repeat: true },
  confidence: { flags: "--confidence <0-1>", description: "how sure it is" },
  sensitivity: { flags: "--sensitivity <level>", description: "normal, private or confidential" },
  source: { flags: "--source <word>", description: "where it comes from: user, agent, document, …" },
  evidence: { flags: "--evidence <text>", description: "what it rests on" },
  speaker: { flags: "--speaker <name>", description: "of a message (--type message): who said it" },
  subject: { flags: "--subject <text>", description: "with --predicate and --object: a triple" },
  predicate: { flags: "--predicate <text>", description: "the verb of the triple" },
  object: { flags: "--object <text>", description: "the object of the triple" },
  attr: {
    flags: "--attr <K=V>",
    description: "an attribute, V as JSON or text; may be repeated",
    repeat: true,
  },
  parent: { flags: "--parent <id>", description: "the memory it lies under" },
  in: { flags: "--in <place>", description: "the room or room/drawer it lies in, made if it is not there" },
  lifetime: { flags: "--lifetime <word>", description: "permanent, session or temporary" },
  ttl: { flags: "--ttl <time>", description: "time to live: 30s, 15m, 2h, 7d or ISO 8601 (PT2H)" },
} satisfies Record<string, OptionSpec>;

const { options: OF_WRITES } = VERBS.remember;
/** What a write says about itself. */
export const WRITING = {
  message: flagOf(OF_WRITES, "message"),
  meta: flagOf(OF_WRITES, "meta"),
  dryRun: flagOf(OF_WRITES, "dryRun"),
};

/** The fields given on the line, in the shape the gate reads; what is wrong with a value the gate says. */
export function fieldsOf(options: Options): MemoryInput {
  const tags = wordsOf(options.list("tag"));
  const attributes = attributesOf(options.list("attr"));
  const triple = tripleOf(options);
  const confidence = options.text("confidence");
  const ttl = options.text("ttl");
  const { tier, lifetime, sensitivity } = given(options, "tier", "lifetime", "sensitivity");
  return {
    ...given(options, "type", "topic", "category", "source", "evidence", "speaker", "parent", "in"),
    ...(tier !== undefined && { tier: tier as Tier }),
    ...(lifetime !== undefined && { lifetime: lifetime as Lifetime }),
    ...(sensitivity !== undefined && { sensitivity: sensitivity as Sensitivity }),
    ...(tags.length > 0 && { tags }),
    ...(attributes && { attributes }),
    ...(triple && { triple }),
    ...(confidence !== undefined && {
      confidence: confidence.trim() === "" ? Number.NaN : Number(confidence),
    }),
    ...(ttl !== undefined && { ttl: timeToLive(ttl) }),
  };
}

function tripleOf(options: Options): MemoryInput["triple"] {
  const { subject, predicate, object } = given(options, "subject", "predicate", "object");
  if (subject === undefined && predicate === undefined && object === undefined) return undefined;
  if (subject === undefined || predicate === undefined || object === undefined)
    throw usage("A triple needs --subject, --predicate and --object.", "Give all three, or a text.");
  return { subject: typed(subject), predicate: typed(predicate), object: typed(object) };
}

function timeToLive(text: string): number {
  const ms = durationOf(text);
  if (ms !== undefined && ms > 0) return ms;
  throw usage(
    `--ttl ${JSON.stringify(text)} is not a time to live.`,
    "For example 30s, 15m, 2h, 7d or PT2H.",
  );
}

export const writingOf = (options: Options) => valuesOf(options, OF_WRITES, "message", "meta", "dryRun");
