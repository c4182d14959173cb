import { PalimpsestError, parseScope, type Scope } from "../../core/base/index.js";
import type { MemoryRecord } from "../../core/ledger/index.js";
import {
  CHECKS,
  judge,
  type MemoryInput,
  NOTHING_NEAR,
  quarantine,
  type Refusal,
  type Verdict,
} from "../../gate/index.js";
import { holdsPhrase } from "../../language/index.js";
import {
  descriptionOf,
  findPlace,
  isDrawer,
  nameOf,
  newRecord,
  orderedChildren,
  type Place,
  parsePlace,
  parsePlaceName,
  placeText,
  refused,
  remember,
  samePlaceName,
} from "../../memories/index.js";
import { type Access, type At, type Context, commitVerdict, type Job } from "../../repo/index.js";
import { proposeByRules } from "../../review/index.js";
import type { PromoteScratchOptions } from "../options.js";
import { readPalace } from "../palace-mirror.js";
import {
  checkPromotion,
  type Promotion,
  type Route,
  refuseSummary,
  routeByTopic,
  STALE_MS,
  UNSORTED,
} from "../promotion.js";
import type { ScratchEntry } from "../scratchpad.js";
import { settings } from "./palace.js";
import { scratch } from "./scratch.js";

/**
 * Takes something from the scratchpad into the palace. What needs a person is proposed, and says under which name it waits.
 */
export async function promoteScratch(
  access: Access,
  given: Promotion,
  { dryRun, scope: named }: PromoteScratchOptions,
): Promise<Verdict & { readonly place: string }> {
  checkPromotion(given);
  const { context } = access;
  const { key, reason } = given;
  const [entry] = await scratch(context, { session: given.session, key });
  if (!entry)
    throw new PalimpsestError("NOT_FOUND", `The scratchpad has no ${JSON.stringify(key)}.`, {
      hint: "See `pal scratch list`; entries expire.",
    });
  const session = given.session ?? (context.sessionId as string);
  const scope = named === undefined ? context.home : parseScope(named);
  const to = await access.look(undefined, async (at) => {
    const { promotion } = await settings(at);
    return placeFor(at, scope, given, promotion?.routes);
  });
  const input = promotionInput(context, given, entry, session);
  const place = placeText(to);
  const from = { session, key, ...(entry.tool && { tool: entry.tool }) };
  const verdict = await commitVerdict(context, {
    verb: "promote",
    options: { message: reason, meta: { promotion: { ...from, place } }, dryRun },
    run: (job) => promote(job, { input, scope, place: to, entry }),
  });
  const waits = verdict.verdict === "quarantined" && verdict.staged === undefined && !dryRun;
  if (!waits) return { ...verdict, place };
  const { against } = verdict;
  const { id } = await proposeByRules(
    context,
    "promotion",
    (tx) =>
      against === undefined
        ? tx.remember({ ...input, scope, in: place })
        : tx.update(against, input, { scope }),
    { reason, data: { ...from, place, ...(against && { against }) } },
  );
  return { ...verdict, place, ...(id !== undefined && { staged: id }) };
}

/** What a promotion comes to: the memory, where it goes, and where it came from. */
interface Promoted {
  readonly input: MemoryInput;
  readonly scope: Scope;
  readonly place: Required<Place>;
  readonly entry: ScratchEntry;
}

/** How much of a drawer is looked at to tell what it is about. */
const LOOKED_AT = 50;

/** Where a promotion goes: as it says, else to the drawer that speaks of the same things. */
async function placeFor(
  at: At,
  scope: Scope,
  { room, drawer, key, summary }: Promotion,
  routes: Readonly<Record<string, string>> = {},
): Promise<Required<Place>> {
  if (drawer !== undefined && room === undefined)
    throw new PalimpsestError("INVALID_FIELD", "A drawer is named together with its room.");
  if (room !== undefined && drawer !== undefined)
    return { room: parsePlaceName(room), drawer: parsePlaceName(drawer) };
  const about = `${key.replace(/[_-]+/g, " ")} ${summary}`;
  const place = Object.entries(routes).find(([word]) => holdsPhrase(about, word))?.[1];
  if (place !== undefined && room === undefined) return { drawer: UNSORTED.drawer, ...parsePlace(place) };
  const { rooms } = await readPalace(at, scope);
  const drawers = rooms.flatMap(({ record: above, drawers: inside }): Route[] =>
    inside.map(({ record, entries }) => ({
      place: { room: nameOf(above), drawer: nameOf(record) },
      text: [above, record]
        .map(descriptionOf)
        .concat(entries.slice(-LOOKED_AT).map((entry) => entry.record.text))
        .join("\n"),
    })),
  );
  const within =
    room === undefined ? drawers : drawers.filter(({ place }) => samePlaceName(place.room, room));
  return routeByTopic(within, about, room);
}

function promotionInput(
  { rules }: Context,
  { summary, reason, confidence, key }: Promotion,
  { tool }: ScratchEntry,
  session: string,
): MemoryInput {
  return {
    text: summary,
    type: [...summary].length > rules.limits.belief ? "note" : "fact",
    source: "promotion",
    evidence: reason,
    attributes: { promotedFrom: session, key, ...(tool !== undefined && { tool }) },
    ...(confidence !== undefined && { confidence }),
  };
}

/** Writes what is promoted, or says why not; what needs a person says so with `quarantined`, and is not written. */
async function promote(job: Job, { input, scope, place, entry }: Promoted): Promise<Verdict> {
  const { draft } = job;
  const summary = refuseSummary(input.text as string);
  if (summary) return refused(draft, summary, scope);
  const drawer = await findPlace(job, scope, place);
  const inside = drawer ? await orderedChildren(job, scope, drawer.record.id) : [];
  const known = inside.map(({ record }) => record).filter((record) => !isDrawer(record));
  const clash = await againstDrawer(job, input, known);
  if (clash) return refused(draft, clash, scope);
  if (Date.parse(draft.now) - Date.parse(entry.time) > STALE_MS)
    return refused(
      draft,
      quarantine(
        "STALE_ENTRY",
        "promotion",
        "The entry was written more than seven days ago.",
        "Somebody has to say that it still holds: see `pal review`.",
      ),
      scope,
    );
  return remember(job, { ...input, scope, in: `${place.room}/${place.drawer}` });
}

/** Does the drawer say this already, or the opposite? Types and authors make no difference. */
async function againstDrawer(
  { context, draft }: Job,
  input: MemoryInput,
  known: readonly MemoryRecord[],
): Promise<Refusal | undefined> {
  const probe = await newRecord(
    context,
    { ...input, type: "fact" },
    context.newId(),
    draft.now,
    draft.reader,
  );
  const off = new Set(
    CHECKS.map(({ name }) => name).filter((name) => !["duplicate", "contradiction"].includes(name)),
  );
  const { refusal, beside } = judge(probe, {
    writer: { id: context.author.id, trust: context.trust, sees: context.sight.sees },
    rules: { ...context.rules, off: new Set([...context.rules.off, ...off]) },
    near: { ...NOTHING_NEAR, nearest: known, count: known.length, frequency: () => 1 },
  });
  if (refusal || beside === undefined) return refusal;
  return {
    ...quarantine(
      "CONTRADICTION",
      "contradiction",
      `The drawer says something else: the memory ${beside.against}.`,
      "Somebody has to say which of the two holds: see `pal review`.",
    ),
    against: beside.against,
  };
}
