import type { JsonObject, MemoryChange } from "../../../session/index.js";
import { VERBS } from "../../../session/opening.js";
import type { Command } from "../command.js";
import { usage } from "../fail.js";
import { FIELDS, fieldsOf, WRITING, writingOf } from "../fields.js";
import { flagsOf, valuesOf } from "../flags.js";
import { textOrStdin } from "../input-text.js";
import { named, PART, WRITE_ID, wholeHash, wholeId } from "../named.js";
import { withSession } from "../open.js";
import { answerVerdict } from "../verdict-lines.js";

const { topic: _, speaker: __, ...CHANGEABLE } = FIELDS;

const { options: OPTIONS } = VERBS.update;

export const command: Command = {
  name: "update",
  summary: "change a memory; only what is named changes",
  args: [
    { name: "<id>", description: WRITE_ID },
    { name: "[text]", description: "the new text; - reads stdin" },
  ],
  options: [
    ...flagsOf(OPTIONS, "scope"),
    ...Object.values(CHANGEABLE),
    {
      flags: "--unset <field>",
      description: "remove a field (category, tags, attr.K, …); may be repeated",
      repeat: true,
    },
    ...flagsOf(OPTIONS, "ifHash"),
    PART,
    WRITING.message,
    WRITING.dryRun,
  ],
  examples: [
    'pal update my-note "Prefers Rust for backend work"',
    "pal update my-note --tag rust --unset category",
  ],
  async run(call) {
    const [id = "", text] = call.args;
    const { options, io } = call;
    const change: MemoryChange = {
      ...withUnset(fieldsOf(options), options.list("unset")),
      ...(text !== undefined && { text: await textOrStdin(io, text) }),
    };
    if (Object.keys(change).length === 0)
      throw usage("There is nothing to change.", "Give a new text, a field such as --tag, or --unset.");
    const verdict = await withSession(call, "existing", async (session) => {
      const { parent } = change;
      const { id: meant, ...place } = await named(session, id, options, valuesOf(options, OPTIONS, "scope"));
      const { ifHash } = valuesOf(options, OPTIONS, "ifHash");
      return session.update(
        meant,
        typeof parent === "string" ? { ...change, parent: await wholeId(session, parent, place) } : change,
        {
          ...place,
          ...writingOf(options),
          ...(ifHash !== undefined && { ifHash: await wholeHash(session, meant, ifHash, place) }),
        },
      );
    });
    return answerVerdict(call, verdict, "updated");
  },
};

const NAMES: Readonly<Record<string, string>> = { tag: "tags", attr: "attributes" };

/** null removes: a whole field, or one attribute (`attr.K`). */
function withUnset(fields: MemoryChange, names: readonly string[]): MemoryChange {
  const change: Record<string, unknown> = { ...fields };
  for (const name of names) {
    const [, key] = /^attr(?:ibutes)?\.(.+)$/s.exec(name) ?? [];
    if (key === undefined) change[NAMES[name] ?? name] = null;
    else
      change.attributes = Object.fromEntries([
        ...Object.entries((change.attributes ?? {}) as JsonObject),
        [key, null],
      ]);
  }
  return change as MemoryChange;
}
