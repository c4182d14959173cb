import { PalimpsestError, type Scope } from "../../core/base/index.js";
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
  refused,
  remember,
  samePlaceName,
} from "../../memories/index.js";
import type { At, Context, Job } from "../../repo/index.js";
import { readPalace } from "../palace-mirror.js";
import { type Promotion, type Route, refuseSummary, routeByTopic, STALE_MS, UNSORTED } from "../promotion.js";
import type { ScratchEntry } from "../scratchpad.js";

/** What a promotion comes to: the memory, where it goes, and where it came from. */
export interface Promoted {
  readonly input: MemoryInput;
  readonly scope: Scope;
  readonly place: Required<Place>;
  readonly entry: ScratchEntry;
}

/** How much of a drawer is looked at to tell what it is about. */
const LOOKED_AT = 50;

/** Where a promotion goes: as it says, else to the drawer that speaks of the same things. */
export async function placeFor(
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
  const told = Object.entries(routes).find(([word]) => holdsPhrase(about, word))?.[1];
  if (told !== undefined && room === undefined) return { drawer: UNSORTED.drawer, ...parsePlace(told) };
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

export function promotionInput(
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
export async function promote(job: Job, { input, scope, place, entry }: Promoted): Promise<Verdict> {
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

/** Does the drawer say this already, or the opposite? Whatever the types, and whoever said it. */
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
