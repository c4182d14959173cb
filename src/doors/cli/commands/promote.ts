import { VERBS } from "../../../session/opening.js";
import type { Command } from "../command.js";
import { usage } from "../fail.js";
import { flagsOf, valuesOf } from "../flags.js";
import { textOrStdin } from "../input-text.js";
import { withSession } from "../open.js";
import { given } from "../options.js";
import { answerVerdict } from "../verdict-lines.js";

const { options: OPTIONS } = VERBS.promote;

export const command: Command = {
  name: "promote",
  summary: "take an entry of the scratchpad into the palace: summed up, and with a reason",
  args: [
    { name: "<key>", description: "the key of the entry" },
    { name: "[summary]", description: "what is worth remembering, in 5 to 500 words; - reads stdin" },
  ],
  options: [
    { flags: "--summary <text>", description: "the same as an option" },
    { flags: "--reason <text>", description: "why it is worth remembering (needed)" },
    { flags: "--in <place>", description: "room, or room/drawer; by what it is about unless given" },
    { flags: "--room <name>", description: "the room alone" },
    { flags: "--drawer <name>", description: "the drawer of that room" },
    { flags: "--confidence <0-1>", description: "how sure it is" },
    ...flagsOf(OPTIONS, "scope", "dryRun"),
  ],
  examples: [
    'pal promote ticket "Login fails when cookies are blocked" --reason "Asked twice" --in issues/open --session s1',
  ],
  async run(call) {
    const { args, options, io } = call;
    const [key = "", text] = args;
    const summary = text ?? options.text("summary");
    if (summary === undefined)
      throw usage("There is no summary.", "Say `pal promote <key> <summary> --reason <why>`.");
    const said = await textOrStdin(io, summary);
    const { in: place, room, drawer } = given(options, "in", "room", "drawer");
    const [inRoom, inDrawer] = place?.split("/") ?? [];
    const confidence = options.text("confidence");
    const verdict = await withSession(call, "existing", (session) =>
      session.promote(
        {
          key,
          summary: said,
          reason: options.text("reason") ?? "",
          room: room ?? inRoom,
          drawer: drawer ?? inDrawer,
          ...(confidence !== undefined && { confidence: Number(confidence) }),
        },
        valuesOf(options, OPTIONS, "scope", "dryRun"),
      ),
    );
    return answerVerdict(call, verdict, "promoted");
  },
};
