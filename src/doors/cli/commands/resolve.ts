import type { Json, Resolution } from "../../../session/index.js";
import { VERBS } from "../../../session/opening.js";
import type { Command } from "../command.js";
import { usage } from "../fail.js";
import { WRITING, writingOf } from "../fields.js";
import { flagsOf, valuesOf } from "../flags.js";
import { named, PART, WRITE_ID } from "../named.js";
import { withSession } from "../open.js";
import type { Options } from "../options.js";
import { jsonOrText } from "../values.js";
import { answerVerdict } from "../verdict-lines.js";

const { options: OPTIONS } = VERBS.resolve;

export const command: Command = {
  name: "resolve",
  summary: "settle a contested field: take one side, or write a value",
  args: [
    { name: "<id>", description: WRITE_ID },
    { name: "<field>", description: "as `pal conflicts` names it; '*' where one side forgot it" },
  ],
  options: [
    { flags: "--take <n>", description: "the side with this number in `pal conflicts`" },
    { flags: "--value <value>", description: "a new value; fields that are no text take JSON" },
    ...flagsOf(OPTIONS, "scope"),
    PART,
    WRITING.message,
    WRITING.dryRun,
  ],
  examples: [
    "pal resolve --part 8f3a9c2e text --take 1",
    `pal resolve --part 8f3a9c2e attributes.rooms --value '["hall"]'`,
  ],
  async run(call) {
    const [id = "", field = ""] = call.args;
    const { options } = call;
    const resolution = resolutionOf(field, options);
    const verdict = await withSession(call, "existing", async (session) => {
      const { id: meant, ...place } = await named(session, id, options, valuesOf(options, OPTIONS, "scope"));
      return session.resolve(meant, field, resolution, { ...place, ...writingOf(options) });
    });
    return answerVerdict(call, verdict, "resolved");
  },
};

function resolutionOf(field: string, options: Options): Resolution {
  const take = options.count("take");
  const value = options.text("value");
  if ((take === undefined) === (value === undefined))
    throw usage(
      "Say --take or --value, one of them.",
      "See `pal conflicts` for the sides and their numbers.",
    );
  return take === undefined ? { value: fieldValue(field, value as string) } : { take };
}

/** Fields whose values are not texts; attributes are whatever they are. */
const STRUCTURED = new Set(["triple", "tags", "confidence", "valid", "place", "life"]);

function fieldValue(field: string, text: string): Json {
  if (field.startsWith("attributes.")) return jsonOrText(text);
  if (!STRUCTURED.has(field)) return text;
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw usage(`The value of ${field} is not JSON.`, `For example --value ${EXAMPLES[field]}.`);
  }
}

const EXAMPLES: Readonly<Record<string, string>> = {
  triple: `'{"subject":"Ann","predicate":"works_at","object":"Initech"}'`,
  tags: `'["a","b"]'`,
  confidence: "0.8",
  valid: `'{"from":"2026-01-01T00:00:00.000Z"}'`,
  place: `'{"parent":"8f3a9c2e"}'`,
  life: `'{"lifetime":"permanent"}'`,
};
