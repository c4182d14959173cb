import type { FactOutcome } from "../../../session/index.js";
import { VERBS } from "../../../session/opening.js";
import type { Command } from "../command.js";
import { conversationIn } from "../conversation.js";
import { usage } from "../fail.js";
import { flagsOf, valuesOf } from "../flags.js";
import { fileOrStdin } from "../input-text.js";
import { type Line, line, oneLine, type Paint } from "../line.js";
import { costWords, moneyOf, withMoney } from "../merge-lines.js";
import { withSession } from "../open.js";
import { shortId } from "../show.js";

const { options: OPTIONS } = VERBS.processConversation;

export const command: Command = {
  name: "extract",
  summary: "find facts in a conversation and propose them for review",
  args: [{ name: "<file>", description: "messages as JSON, JSON lines or `User: …` text; - reads stdin" }],
  options: [
    { flags: "--rules", description: "by rules alone, even where $PAL_MODEL names a model" },
    { flags: "--accept <0-1>", description: "take over at once what is at least this sure" },
    ...flagsOf(OPTIONS, "dryRun"),
  ],
  examples: [
    "pal extract chat.json",
    "pal extract chat.jsonl --accept 0.9 --session s1",
    "echo 'I live in Graz.' | pal extract - --dry-run",
  ],
  async run(call) {
    const { args, options, globals, io, out } = call;
    const accept = options.text("accept");
    const confidence = Number(accept);
    if (accept !== undefined && !(accept.trim() !== "" && confidence >= 0 && confidence <= 1))
      throw usage(
        `--accept takes a number from 0 to 1, not ${JSON.stringify(accept)}.`,
        "For example --accept 0.9.",
      );
    const messages = conversationIn(await fileOrStdin(io, args[0] ?? "-"));
    const report = await withSession(call, "creatable", (session) =>
      session.processConversation(messages, {
        ...(options.flag("rules") && { model: "none" as const }),
        ...(accept !== undefined && { autoAccept: { confidence } }),
        ...valuesOf(options, OPTIONS, "dryRun"),
        ...(globals.session !== undefined && { session: globals.session }),
      }),
    );
    const money = await moneyOf(call);
    await out.answer(withMoney(report, money), (paint) => [
      ...report.facts.map((fact) => factLine(fact, paint)),
      ...report.refused.map(
        ({ said, reason }) => line`${paint.yellow("!")} left out: ${oneLine(said)}  ${paint.dim(reason)}`,
      ),
      ...report.notes.map((note) => line`${paint.yellow("!")} ${note}`),
      ...(report.facts.length === 0 ? [line`${paint.dim("Nothing worth keeping was found.")}`] : []),
      ...report.proposals
        .filter(({ accepted }) => !accepted)
        .map(
          ({ id, kind }) =>
            line`${paint.dim("waits")} ${kind} ${paint.yellow(id.slice(0, 12))}  ${paint.dim("see `pal review`")}`,
        ),
      ...costWords(report, paint, money),
    ]);
    return 0;
  },
};

const SIGNS: Readonly<Record<FactOutcome["action"], string>> = {
  remember: "+",
  update: "~",
  forget: "-",
  observe: "=",
  conflict: "?",
  none: "·",
};

function factLine(
  { action, text, evidence, accepted, reason, replaces = [] }: FactOutcome,
  paint: Paint,
): Line {
  const sign = accepted ? paint.green(SIGNS[action]) : paint.bold(SIGNS[action]);
  const why = action === "none" || action === "conflict" ? `  ${reason}` : "";
  return replaces.reduce(
    (said, old) => line`${said}  in place of ${shortId(old.id)}: ${oneLine(old.text)}`,
    line`${sign} ${oneLine(text)}  ${paint.dim(line`“${oneLine(evidence)}”${why}`)}`,
  );
}
