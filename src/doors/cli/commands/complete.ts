import type { Session } from "../../../session/index.js";
import type { Call, Command } from "../command.js";
import type { Candidate, Wanted } from "../completions.js";
import { clean, oneLine } from "../line.js";
import { visible } from "../safe.js";

/** As the scripts read it: after the lines that fit, whether the shell should offer files. */
const [FILES, NO_FILES] = [":0", ":4"];

export const command: Command = {
  name: "complete",
  summary: "what could come next on a line; called by the scripts of `pal completion`",
  args: [{ name: "[words...]", description: "the line so far, after --" }],
  examples: ["pal complete -- lo"],
  hidden: true,
  async run(call) {
    const { wantedAt } = await import("../completions.js");
    const words = (call.args as readonly unknown[]).flat() as string[];
    const wanted = wantedAt(await call.definitions(), words);
    const found = await candidates(call, wanted, words.at(-1) ?? "");
    const lines = [
      ...found.map(({ value, description }) =>
        description === undefined ? value : `${value}\t${oneLine(description, DESCRIBED).text}`,
      ),
      wanted && "files" in wanted ? FILES : NO_FILES,
    ];
    await call.out.answer({ completions: lines }, () => lines.map((text) => clean(text)));
    return 0;
  },
};

const DESCRIBED = 60;
const MOST = 100;
/** From here on an id may be shortened, so that what it begins can be looked up. */
const SHORTEST_ID = 6;

async function candidates(call: Call, wanted: Wanted, current: string): Promise<Candidate[]> {
  const all = !wanted ? [] : "words" in wanted ? wanted.words : "names" in wanted ? await known() : [];
  // A name that cannot be shown as it is cannot be put on a line either.
  return all.filter(
    ({ value }) => value.startsWith(current) && visible(value) === value && !/[\n\t]/.test(value),
  );

  async function known(): Promise<readonly Candidate[]> {
    const { withSession } = await import("../open.js");
    const { names } = wanted as { names: "branches" | "memories" | "points" };
    try {
      return await withSession(call, "existing", (session) => NAMES[names](session, current));
    } catch {
      // A shell that asks must not be told of troubles in the midst of a line.
      return [];
    }
  }
}

const NAMES = {
  async branches(session: Session): Promise<Candidate[]> {
    return (await session.branches()).map(({ name, purpose }) => ({
      value: name,
      ...(purpose && { description: purpose }),
    }));
  },
  async points(session: Session): Promise<Candidate[]> {
    const [tags, snapshots] = [await session.tags(), await session.snapshots()];
    const labels = snapshots.flatMap(({ label }) => (label === undefined ? [] : [label]));
    return [
      ...(await NAMES.branches(session)),
      ...tags.map(({ name }) => ({ value: name, description: "a tag" })),
      ...labels.map((value) => ({ value, description: "a snapshot" })),
    ];
  },
  async memories(session: Session, current: string): Promise<Candidate[]> {
    const { items } = await session.view({ max: MOST });
    const newest = items.map(({ id, text }) => ({ value: id as string, description: text }));
    if (current.length < SHORTEST_ID) return newest;
    try {
      const found = await session.get(current);
      return found ? [{ value: found.id, description: found.text }] : newest;
    } catch (error) {
      const { candidates: found } = ((error as { data?: unknown }).data ?? {}) as { candidates?: unknown[] };
      return found ? found.map((id) => ({ value: String(id) })) : newest;
    }
  },
} as const;
