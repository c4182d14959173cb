import type { Support, Why } from "../../../session/index.js";
import type { Command } from "../command.js";
import { indent, type Line, line, oneLine } from "../line.js";
import { withSession } from "../open.js";
import type { Out } from "../out.js";
import { shortHash, shortId, shownTime, withShortIds } from "../show.js";

export const command: Command = {
  name: "why",
  summary: "which memories a sentence rests on, who said them where, and how to set them right",
  args: [{ name: "<sentence-or-id>", description: "what was said, or the id of a memory" }],
  at: true,
  examples: ['pal why "Ann prefers Rust for backend work"', "pal why 1f0c9a7e"],
  async run(call) {
    const [said = ""] = call.args;
    const { globals, out } = call;
    const found = await withSession(call, "existing", (session) =>
      session.why(said, globals.at === undefined ? {} : { at: globals.at }),
    );
    await out.answer(found, () => whyLines(found, out));
    return found.supports.length > 0 ? 0 : 1;
  },
};

function* whyLines({ supports, against, derived, commands }: Why, out: Out): Generator<Line> {
  const { paint } = out;
  if (supports.length === 0) yield line`Nothing in memory says so.`;
  for (const support of supports) yield* supportLines(support, paint.bold("rests on"), out);
  for (const support of against) yield* supportLines(support, paint.yellow("against it"), out);
  if (derived.length > 0) yield line`${paint.bold("made from it")}`;
  for (const { id, text, from } of derived)
    yield line`  ${shortId(id)}  ${oneLine(text, 80)}  ${paint.dim(`from ${shortId(from)}`)}`;
  for (const [name, list] of Object.entries(commands)) {
    if (list.length > 0) yield line`${paint.bold(TO[name as keyof Why["commands"]])}`;
    for (const command of list as readonly string[]) yield line`  ${paint.cyan(withShortIds(command))}`;
  }
}

/** What the commands are for. */
const TO: Readonly<Record<keyof Why["commands"], string>> = {
  fix: "to set it right",
  revert: "to take the commit back",
  taint: "to see what was made from it",
};

function* supportLines(support: Support, lead: Line, out: Out): Generator<Line> {
  const {
    id,
    text,
    score,
    commit,
    author,
    time,
    source,
    channel,
    trust,
    speaker,
    session,
    turn,
    uri,
    evidence,
  } = support;
  yield line`${lead} ${shortId(id)} (${Math.round(score * 100)} %)`;
  yield indent(oneLine(text, 200));
  for (const other of support.contested ?? []) yield line`  contested, also: ${oneLine(other, 200)}`;
  const said = [
    ...(speaker === undefined ? [] : [`said by ${speaker}`]),
    ...(session === undefined ? [] : [`session ${session}`]),
    ...(turn === undefined ? [] : [`turn ${turn}`]),
    `commit ${shortHash(commit)} by ${author.id} (${author.kind}), ${shownTime(time, out)}`,
    `source ${source}, through ${channel}, trust ${trust}`,
  ];
  for (const row of said) yield line`  ${row}`;
  if (uri !== undefined) yield line`  from ${oneLine(uri, 200)}`;
  if (evidence !== undefined) yield line`  evidence: ${oneLine(evidence, 200)}`;
}
