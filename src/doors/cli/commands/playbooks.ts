import { resolve } from "node:path";
import { VERBS } from "../../../session/opening.js";
import type { Command } from "../command.js";
import { flagOf, valuesOf } from "../flags.js";
import { line, oneLine } from "../line.js";
import { withSession } from "../open.js";
import { aligned } from "../show.js";

const { options: OPTIONS } = VERBS.playbooks;

export const command: Command = {
  name: "playbooks",
  summary: "documented ways to do a task, best first, from folders of Markdown files",
  args: [{ name: "<task>", description: "what is to be done" }],
  options: [flagOf(OPTIONS, "folders", "--folder <dir>"), flagOf(OPTIONS, "limit")],
  examples: ['pal playbooks "roll back a release" --folder docs/runbooks'],
  async run(call) {
    const [task = ""] = call.args;
    const { options, io, out } = call;
    const folders = options.list("folder").map((folder) => resolve(io.cwd, folder));
    const answer = await withSession(call, "creatable", (session) =>
      session.playbooks(task, {
        ...valuesOf(options, OPTIONS, "limit"),
        ...(folders.length > 0 && { folders }),
      }),
    );
    await out.answer(answer, (paint) =>
      aligned(
        answer.hits.map(({ title, path, description }) => ({
          cells: [paint.bold(title), paint.dim(path)],
          text: description,
        })),
        out.columns,
      ),
    );
    if (!out.json && answer.hits.length === 0 && answer.unavailable.length === 0)
      await out.talk(
        line`no playbook fits`,
        out.talkPaint.dim("  --folder <dir> or $PAL_PLAYBOOKS says where they lie."),
      );
    await out.complain(
      answer.unavailable.map(
        ({ folder, reason }) => line`${out.talkPaint.yellow("!")} ${folder}: ${oneLine(reason)}`,
      ),
    );
    return answer.unavailable.length > 0 ? 1 : 0;
  },
};
