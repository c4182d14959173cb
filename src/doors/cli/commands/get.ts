import type { Memory } from "../../../session/index.js";
import { VERBS } from "../../../session/opening.js";
import type { Command } from "../command.js";
import { flagsOf, valuesOf } from "../flags.js";
import { indent, type Line, line, type Paint } from "../line.js";
import { READ_ID } from "../named.js";
import { withSession } from "../open.js";
import type { Out } from "../out.js";
import { visible } from "../safe.js";
import { asTriple, isUnseen, NO_TEXT, shortHash, shownTime, table, when, who } from "../show.js";
import { wrapped } from "../width.js";

const { options: OPTIONS } = VERBS.get;

export const command: Command = {
  name: "get",
  summary: "show one memory",
  args: [{ name: "<id>", description: READ_ID }],
  options: flagsOf(OPTIONS, "scope"),
  at: true,
  examples: ["pal get 8f3a9c2e", "pal get 8f3a9c2e --at 2026-03-01"],
  async run(call) {
    const [id = ""] = call.args;
    const { options, globals, out } = call;
    const memory = await withSession(call, "existing", (session) =>
      session.get(id, {
        ...valuesOf(options, OPTIONS, "scope"),
        ...(globals.at !== undefined && { at: globals.at }),
      }),
    );
    if (!memory) {
      const { PalimpsestError, quote } = await import("../../../session/opening.js");
      throw new PalimpsestError("NOT_FOUND", `There is no memory ${quote(id)}.`);
    }
    await out.answer(memory, () => memoryLines(memory, out));
    return 0;
  },
};

function memoryLines(memory: Memory, { paint, columns }: Out): Line[] {
  const { triple, origin, confidence, sensitivity, lifetime, expiresAt, valid } = memory;
  const attributes = Object.entries(memory.attributes).map(
    ([name, value]) => `${name}=${JSON.stringify(value)}`,
  );
  return [
    isUnseen(memory.text) ? paint.dim(NO_TEXT) : paint.bold(wrapped(visible(memory.text), columns)),
    line``,
    ...table(
      [
        ["id", memory.id],
        ["scope", memory.scope],
        ["type", memory.tier === undefined ? memory.type : `${memory.type}, ${memory.tier}`],
        ["topic", memory.topic],
        ["category", memory.category],
        ["tags", memory.tags.join(", ")],
        ["triple", triple && asTriple(triple)],
        ["attributes", attributes.join(", ")],
        ["parent", memory.parent],
        ["children", memory.children.join(", ")],
        ["confidence", confidence === 1 ? undefined : String(confidence)],
        ["sensitivity", sensitivity === "normal" ? undefined : sensitivity],
        ["lifetime", lifetime === "permanent" ? undefined : lifetime],
        ["expires", expiresAt && when(expiresAt)],
        ["valid", valid && [valid.from, valid.to].map((time) => (time ? when(time) : "…")).join(" to ")],
        ["said by", origin.actor === memory.author.id ? undefined : origin.actor],
        ["source", `${origin.source}, through ${origin.channel}, trusted as ${origin.trust}`],
        ["evidence", origin.evidence],
        [
          "version",
          `${memory.version}, ${shownTime(memory.updatedAt, { columns })}, by ${who(memory.author)}`,
        ],
        ["created", memory.version === 1 ? undefined : shownTime(memory.createdAt, { columns })],
        ["commit", shortHash(memory.commit)],
        ["hash", memory.hash],
        ["merkle", memory.merkle],
      ],
      paint,
    ),
    ...contestLines(memory, paint),
  ];
}

function contestLines({ contested }: Memory, paint: Paint): Line[] {
  return Object.entries(contested ?? {}).flatMap(([field, { terms }]) => [
    line`${paint.yellow("!")} contested ${field}:`,
    ...terms.map(({ value, deleted, author }) =>
      indent(line`${deleted ? "(removed)" : JSON.stringify(value)}  ${paint.dim(who(author))}`),
    ),
  ]);
}
