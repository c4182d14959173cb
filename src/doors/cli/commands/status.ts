import type { LogItem, Session, Store } from "../../../session/index.js";
import type { Call, Command } from "../command.js";
import { at } from "../globals.js";
import { type Line, line, oneLine } from "../line.js";
import { type Attention, FIRST_STEPS, nextSteps, type Step } from "../next-steps.js";
import { withSession } from "../open.js";
import type { Out } from "../out.js";
import { gistOf } from "../rows.js";
import { ago, aligned, plural, shortHash } from "../show.js";

interface Status {
  /** Nothing was found that is wrong with the store itself. */
  readonly ok: boolean;
  readonly store: string;
  readonly exists: boolean;
  readonly branch?: string;
  readonly head?: string;
  readonly memories?: number;
  readonly branches?: number;
  readonly agent?: string;
  readonly commits?: readonly LogItem[];
  readonly attention: readonly Attention[];
  /** How many of these are about the store itself: it is not as it should be. */
  readonly findings?: number;
  readonly next: readonly Step[];
}

const COMMITS = 5;
/** How long files are looked at: everybody waits for it, every time. `pal doctor` and `pal verify` look closely. */
const GLANCE_MS = 20;

export const command: Command = {
  name: "status",
  summary: "where the store is, what is in it, what needs attention, what to do next (also `pal` alone)",
  at: true,
  examples: ["pal status", "pal status --at 2026-03-01", "pal"],
  async run(call) {
    const status = await look(call);
    await call.out.answer(status, () => statusLines(status, call.out));
    return status.findings ? 1 : 0;
  },
};

async function look(call: Call): Promise<Status> {
  return withSession(call, "creatable", async (session, opened) => {
    const [store, exists] = [opened.location, await opened.exists()];
    if (!exists) return { ok: true, store, exists, attention: [], next: FIRST_STEPS };
    const found = await lookInside(session, opened, at(call));
    return { ok: !found.findings, store, exists, ...found, next: nextSteps(found.memories, found.attention) };
  });
}

async function lookInside(session: Session, store: Store, then: { readonly at?: string }) {
  const [{ head, memories }, commits, branches, conflicts] = [
    await session.view({ max: 0, ...then }),
    await session.log({ limit: COMMITS, ...then }),
    await session.branches(then),
    await session.conflicts(then),
  ];
  // What waits, and how the store is, are of the present alone.
  const isNow = then.at === undefined;
  const reviews = isNow ? await session.review() : [];
  const { problems } = isNow ? await store.health({ budgetMs: GLANCE_MS }) : { problems: [] };
  const attention: Attention[] = [
    ...(conflicts.length > 0
      ? [{ what: `${plural(conflicts.length, "contested field")} left by merges`, command: "pal conflicts" }]
      : []),
    ...(reviews.length > 0
      ? [
          {
            what: `${plural(reviews.length, "item")} ${reviews.length === 1 ? "waits" : "wait"} for a person`,
            command: "pal review",
          },
        ]
      : []),
    ...problems.map(({ meaning }) => ({ what: meaning, command: "pal doctor" })),
    ...(store.damaged.length > 0
      ? [{ what: `${plural(store.damaged.length, "damaged object")}`, command: "pal verify" }]
      : []),
  ];
  const { branch, agent } = session;
  const findings = problems.length + store.damaged.length;
  return {
    ...{ branch, head, memories, branches: branches.length, agent, commits, attention },
    ...(findings > 0 && { findings }),
  };
}

function* statusLines(status: Status, out: Out): Generator<Line> {
  const { paint, columns } = out;
  yield line`${paint.dim("store ")}  ${status.store}`;
  if (!status.exists) yield line`${paint.yellow("!")} there is no store yet; the first write creates it`;
  else {
    const { branch = "", branches = 1, memories = 0, agent = "" } = status;
    yield line`${paint.dim("branch")}  ${paint.bold(branch)}${paint.dim(branches > 1 ? ` of ${branches}` : "")}  ${paint.dim(`as ${agent}`)}`;
    yield line`${paint.dim("holds ")}  ${paint.bold(plural(memories, "memory", "memories"))}`;
  }
  if (status.commits && status.commits.length > 0) {
    yield line``;
    yield* aligned(
      status.commits.map((item) => ({
        cells: [paint.yellow(shortHash(item.commit)), paint.dim(ago(item.time))],
        text: gistOf(item),
      })),
      columns,
    );
  }
  if (status.attention.length > 0) yield line``;
  for (const { what, command: fix } of status.attention)
    yield line`${paint.yellow("!")} ${oneLine(what)}  ${paint.cyan(`→ ${fix}`)}`;
  yield line``;
  yield* aligned(
    status.next.map(({ command: next, does }) => ({ cells: [paint.cyan(next)], text: does })),
    columns,
  );
  if (status.findings) {
    yield line``;
    yield line`${paint.red(`Not well: ${plural(status.findings, "finding")}.`)}`;
  }
}
