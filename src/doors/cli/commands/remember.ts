import type { MemoryInput, Session } from "../../../session/index.js";
import type { Call, Command } from "../command.js";
import { usage } from "../fail.js";
import { FIELDS, fieldsOf, WRITING, writingOf } from "../fields.js";
import { textOrStdin } from "../input-text.js";
import { wholeId } from "../named.js";
import { withSession } from "../open.js";
import { given } from "../options.js";
import { answerVerdict } from "../verdict-lines.js";

export const command: Command = {
  name: "remember",
  summary: "add a memory, or renew the one with its id or topic; --jsonl for many",
  args: [{ name: "[text]", description: "what to remember; - reads stdin; not needed with a triple" }],
  options: [
    { flags: "--scope <scope>", description: "where it goes; default shared" },
    { flags: "--id <id>", description: "an id of your own" },
    ...Object.values(FIELDS),
    { flags: "--jsonl <file>", description: "one JSON object per line (text, id, topic, …); - reads stdin" },
    WRITING.message,
    WRITING.meta,
    WRITING.dryRun,
  ],
  examples: [
    'pal remember "Prefers Python for backend work" --topic backend-language',
    "pal remember --subject Ann --predicate works_at --object Initech",
    "pal remember --jsonl facts.jsonl",
  ],
  async run(call) {
    const { args, options, io } = call;
    const [text] = args;
    const fields = { ...given(options, "scope", "id"), ...fieldsOf(options) };
    if (options.has("jsonl")) {
      const { rememberLines } = await import("../bulk.js");
      return rememberLines(call, defaultsOf(call, fields));
    }
    if (text === undefined && !fields.triple)
      throw usage(
        "There is nothing to remember.",
        'Give a text, as in: pal remember "Likes tea"; pal remember - reads it from stdin.',
      );
    const input = text === undefined ? fields : { ...fields, text: await textOrStdin(io, text) };
    const verdict = await withSession(call, "creatable", async (session) =>
      session.remember({ ...input, ...(await parentOf(session, input)) }, writingOf(options)),
    );
    return answerVerdict(call, verdict, "remembered");
  },
};

/** With --jsonl the fields on the line are defaults of every object; what names one memory cannot be. */
function defaultsOf({ args }: Call, fields: MemoryInput): MemoryInput {
  if (args[0] !== undefined) throw usage("Give a text or --jsonl, not both.", "Put the text into the file.");
  if (fields.id !== undefined || fields.topic !== undefined || fields.triple)
    throw usage("An id, a topic or a triple is for one memory.", "Put it into the lines of the file.");
  return fields;
}

async function parentOf(session: Session, { parent, scope = "shared" }: MemoryInput): Promise<MemoryInput> {
  return parent === undefined ? {} : { parent: await wholeId(session, parent, { scope }) };
}
