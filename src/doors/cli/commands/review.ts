import type {
  Accepted,
  AcceptOptions,
  EraseOptions,
  EraseReport,
  ReviewChange,
  ReviewItem,
  Session,
} from "../../../session/index.js";
import { VERBS } from "../../../session/opening.js";
import type { Call, Command } from "../command.js";
import { usage } from "../fail.js";
import { WRITING } from "../fields.js";
import { flagsOf, flagsWhen, valuesOf } from "../flags.js";
import { textOrStdin } from "../input-text.js";
import { indent, type Line, line, oneLine, type Paint } from "../line.js";
import { conflictLines } from "../merge-lines.js";
import { PART } from "../named.js";
import { withSession } from "../open.js";
import type { Out } from "../out.js";
import { fieldLine } from "../rows.js";
import { ago, asValue, plural, shortHash, shortId, who } from "../show.js";
import { isRefusal, refusalLines } from "../verdict-lines.js";
import { reportLines } from "./erase.js";

const WHAT = ["list", "show", "accept", "edit", "reject"] as const;

const { options: LIST } = VERBS.review;
const { options: ACCEPT } = VERBS.acceptReview;
const { options: REJECT } = VERBS.rejectReview;

export const command: Command = {
  name: "review",
  summary: "what waits for you: see it as a difference, then accept, edit or reject it",
  args: [
    { name: "[what]", description: "list (default), show, accept, edit or reject" },
    {
      name: "[id]",
      description: "which item: its whole id; with show or --part the first 7 or more characters of it",
    },
    { name: "[text]", description: "with edit: the better words; - reads stdin" },
  ],
  options: [
    ...flagsWhen("with list", flagsOf(LIST, "kind", "limit")),
    ...flagsWhen("with accept and edit", flagsOf(ACCEPT, "only")),
    ...flagsWhen("with accept", flagsOf(ACCEPT, "keepBoth")),
    ...flagsWhen("with reject", flagsOf(REJECT, "reason")),
    PART,
    WRITING.message,
  ],
  noPast: [
    "What waits for a person waits now.",
    "Leave --at out; `pal ops --at <point>` tells what had been held back and decided by then.",
  ],
  examples: [
    "pal review",
    "pal review accept 4f0c2a91b7de",
    'pal review edit 4f0c2a91b7de "Prefers Rust since May"',
  ],
  async run(call) {
    const [what = "list", id, text] = call.args;
    if (!(WHAT as readonly string[]).includes(what))
      throw usage(`Not something review does: ${what}.`, `Say one of ${WHAT.join(", ")}.`);
    if (what === "list") return list(call);
    if (id === undefined)
      throw usage("Which item?", `Say \`pal review ${what} <id>\`; \`pal review\` lists them.`);
    if (what === "show") return show(call, id);
    if (what === "reject") return reject(call, id);
    return accept(call, id, what === "edit" ? await wordsOf(call, text) : undefined);
  },
};

async function wordsOf({ io }: Call, text: string | undefined): Promise<string> {
  if (text === undefined) throw usage("Which words?", "Say `pal review edit <id> <text>`.");
  return textOrStdin(io, text);
}

/** Scripts know what an item would change as its `diff`. */
const withDiff = (item: ReviewItem) => ({ ...item, diff: item.changes });

async function list(call: Call): Promise<number> {
  const { out, options } = call;
  const [items, lost] = await withSession(call, "existing", async (session, store) => [
    await session.review(valuesOf(options, LIST, "kind", "limit")),
    store.damaged.length,
  ]);
  await out.answer(items.map(withDiff), () => items.flatMap((item) => itemLines(item, out)));
  if (!out.json)
    await out.talk(
      out.talkPaint.dim(
        items.length > 0
          ? `${plural(items.length, "item")} waiting`
          : lost > 0
            ? "nothing that can be read waits"
            : "nothing waits",
      ),
      ...items
        .slice(0, 1)
        .map((item) => line`  \`${acceptCommand(item)}\` takes it over${unlessAtTerminal(item)}.`),
    );
  return lost === 0 ? 0 : 1;
}

/** The command that works for whoever reads it: less trust than is needed takes it over in no other way. */
const acceptCommand = ({ id, needs }: ReviewItem): string =>
  `pal ${needs === undefined ? "" : "--operator "}review accept ${id}`;

/** A person at a terminal has the trust of a user and need not say more. */
const unlessAtTerminal = ({ needs }: ReviewItem): string =>
  needs === "user" ? " (a person decides; at a terminal without --operator)" : "";

async function show(call: Call, id: string): Promise<number> {
  const { out } = call;
  const { item, plan } = await withSession(call, "existing", async (session) => {
    const item = await session.reviewItem(id);
    return { item, plan: out.json ? undefined : await planOf(session, item) };
  });
  await out.answer(withDiff(item), (paint) => [
    ...itemLines(item, out),
    ...(item.data && item.verdict === undefined && !(item.kind === "erase" && doomedIn(item.data))
      ? [line`  ${paint.dim("data")}  ${oneLine(asValue(item.data))}`]
      : []),
    ...(plan ? reportLines(plan, true, paint).map((row) => indent(row)) : []),
    paint.dim(`  ${acceptCommand(item)}${unlessAtTerminal(item)}`),
  ]);
  return 0;
}

/** What a request to erase would take, with its words, for whoever sees all of it. */
async function planOf(session: Session, { kind, data }: ReviewItem): Promise<EraseReport | undefined> {
  const memories = kind === "erase" && data ? doomedIn(data) : undefined;
  if (!memories) return undefined;
  const target = { memories, derived: data?.derived === true, dryRun: true };
  const plan = await session.erase(target).catch((error: { code?: unknown }) => {
    if (error.code !== "REFUSED") throw error;
    return undefined;
  });
  return plan?.records === 0 ? undefined : plan;
}

const itemMeant = async ({ options }: Call, session: Session, id: string): Promise<string> =>
  options.flag("part") ? (await session.reviewItem(id)).id : id;

async function reject(call: Call, id: string): Promise<number> {
  const done = await withSession(call, "existing", async (session) =>
    session.rejectReview(await itemMeant(call, session, id), valuesOf(call.options, REJECT, "reason")),
  );
  await call.out.answer(done, (paint) => [line`${paint.green("✓")} rejected  ${paint.bold(done.id)}`]);
  return 0;
}

async function accept(call: Call, id: string, text: string | undefined): Promise<number> {
  const { options, out } = call;
  const only = options.list("only");
  const { done, waits } = await withSession(call, "existing", async (session) => {
    const done = await session.acceptReview(await itemMeant(call, session, id), {
      ...valuesOf(options, ACCEPT, "only", "keepBoth", "message"),
      ...(text !== undefined && { edit: await editOf(session, id, only, text) }),
    });
    return { done, waits: done.accepted ? undefined : await session.reviewItem(done.id) };
  });
  if (out.json) await out.value(done);
  else if (!done.accepted)
    await out.complain([
      ...done.verdicts.filter(isRefusal).flatMap((verdict) => refusalLines(verdict, out.talkPaint)),
      ...(waits?.needs
        ? [line`  it goes on waiting: ${out.talkPaint.bold(acceptCommand(waits))}${unlessAtTerminal(waits)}`]
        : []),
    ]);
  else await out.lines(acceptedLines(done, out));
  const isClean = done.erased?.receipt?.clean ?? true;
  return done.accepted && isClean && done.conflicts.length === 0 ? 0 : 1;
}

/** New words need one memory to go to. */
async function editOf(
  session: Session,
  id: string,
  only: readonly string[],
  text: string,
): Promise<NonNullable<AcceptOptions["edit"]>> {
  const { changes } = await session.reviewItem(id);
  const meant = changes.filter((change) => only.length === 0 || only.includes(change.id));
  const [change] = meant;
  if (meant.length === 1 && change) return { [change.id]: { text } };
  throw usage("The item changes several memories.", "Say which one with --only <id>.");
}

function acceptedLines({ id, commit, verdicts, conflicts, erased }: Accepted, out: Out): Line[] {
  const { paint } = out;
  if (erased)
    return [line`${paint.green("✓")} accepted  ${paint.bold(id)}`, ...reportLines(erased, false, paint)];
  const known = verdicts.filter(({ verdict }) => verdict === "duplicate").length;
  const facts = [
    plural(verdicts.length - known, "change"),
    ...(known > 0 ? [`${known} already known`] : []),
    ...(commit === undefined ? [] : [`commit ${shortHash(commit)}`]),
  ];
  return [
    line`${paint.green("✓")} accepted  ${paint.bold(id)}  ${paint.dim(`(${facts.join(", ")})`)}`,
    ...conflictLines(conflicts, out),
  ];
}

function itemLines(item: ReviewItem, out: Out): Line[] {
  const { id, kind, by, time, reason, cost, changes } = item;
  const { paint } = out;
  const spent = cost
    ? `  ${Object.entries(cost)
        .map(([unit, count]) => `${count.toLocaleString("en-US")} ${unit}`)
        .join(", ")}`
    : "";
  return [
    line`${paint.yellow("?")} ${paint.bold(id)}  ${paint.cyan(kind)}  ${who(by)}  ${paint.dim(ago(time))}${paint.dim(spent)}`,
    ...(reason === undefined ? [] : [line`  ${oneLine(reason)}`]),
    ...changes.flatMap((change) => changeLines(change, paint)),
    ...(changes.length === 0 && item.data ? [line`  ${oneLine(dataText(item, item.data))}`] : []),
  ];
}

/** What an accepted request will erase, whatever it says that it is about; undefined when it is no such request. */
function doomedIn({ memories }: NonNullable<ReviewItem["data"]>) {
  const named = Array.isArray(memories) ? (memories as { scope?: unknown; id?: unknown }[]) : undefined;
  const isWhole = named?.every((one) => typeof one?.id === "string" && typeof one.scope === "string");
  return isWhole ? (named as unknown as NonNullable<EraseOptions["memories"]>) : undefined;
}

/** A request to erase or a finding of a consolidation in words; anything else as it is. */
function dataText({ kind: of }: ReviewItem, data: NonNullable<ReviewItem["data"]>): string {
  const doomed = of === "erase" ? doomedIn(data) : undefined;
  if (doomed) {
    const names = doomed.map(({ id, scope }) => `${shortId(id)}${scope === "shared" ? "" : ` [${scope}]`}`);
    const more = data.derived === true ? ", and what was derived from it" : "";
    return `erase for good: ${names.join(", ")}${more}`;
  }
  const { kind, text, ids } = (data.finding ?? {}) as {
    readonly kind?: string;
    readonly text?: string;
    readonly ids?: readonly string[];
  };
  return kind === undefined || text === undefined
    ? asValue(data)
    : `${kind}: ${text} (${(ids ?? []).map(shortId).join(", ")})`;
}

function changeLines({ op, id, scope, text, fields, moved }: ReviewChange, paint: Paint): Line[] {
  const place = scope === "shared" ? "" : ` [${scope}]`;
  const stirred = moved && op !== "add" ? paint.yellow("  changed meanwhile") : "";
  const signs = { add: paint.green("+"), forget: paint.red("-"), modify: paint.yellow("~") };
  const said =
    op === "modify" && fields.some(({ field }) => field === "text") ? line`` : line`  ${oneLine(text)}`;
  return [
    line`  ${signs[op]} ${shortId(id)}${place}${said}${stirred}`,
    ...fields.map((change) => indent(fieldLine(change, paint), "      ")),
  ];
}
