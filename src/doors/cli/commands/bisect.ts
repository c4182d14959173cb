import { VERBS } from "../../../session/opening.js";
import type { Command } from "../command.js";
import { usage } from "../fail.js";
import { flagOf, valuesOf } from "../flags.js";
import { at } from "../globals.js";
import { type Line, line } from "../line.js";
import { withSession } from "../open.js";
import { shortHash, when, who } from "../show.js";

const FOUND = {
  since: "the search returns it since",
  "no-longer": "the search no longer returns it since",
} as const;

const { options: OPTIONS } = VERBS.bisect;

export const command: Command = {
  name: "bisect",
  summary: "which commit made a search return a text, or stop returning it",
  options: [
    { flags: "--query <query>", description: "what is searched for" },
    { flags: "--expect <text>", description: "what one of the hits should say" },
    flagOf(OPTIONS, "limit", "-n, --limit <count>"),
  ],
  at: true,
  examples: ['pal bisect --query "backend language" --expect Rust'],
  async run(call) {
    const { options, out } = call;
    const [query, expect] = [options.text("query"), options.text("expect")];
    if (query === undefined || expect === undefined)
      throw usage("bisect needs a query and an expected text.", "Say --query <query> --expect <text>.");
    const { answer, commit } = await withSession(call, "existing", async (session) => {
      const found = await session.bisect(query, expect, {
        ...valuesOf(options, OPTIONS, "limit"),
        ...at(call),
      });
      const [item] = found.commit === undefined ? [] : await session.log({ at: found.commit, limit: 1 });
      return { answer: found, commit: item };
    });
    await out.answer(answer, (paint): Line[] =>
      answer.found === "never" || !commit
        ? [line`${paint.yellow("!")} the search never returned it (${answer.steps} states asked)`]
        : [
            line`${FOUND[answer.found]} ${paint.yellow(shortHash(commit.commit))} ${paint.dim(when(commit.time))} ${who(commit.author)}`,
            line`  ${commit.message ?? commit.first.text ?? ""}`,
          ],
    );
    return answer.commit === undefined ? 1 : 0;
  },
};
