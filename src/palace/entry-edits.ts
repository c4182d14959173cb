import type { MemoryId, Scope } from "../core/base/index.js";
import type { MemoryChange, Verdict } from "../gate/index.js";
import {
  forget,
  isDrawer,
  orderedChildren,
  positionsFor,
  remember,
  renew,
  update,
} from "../memories/index.js";
import type { Context, Draft, Entry } from "../repo/index.js";
import { asVerdict, giveWay } from "../repo/index.js";
import { asShown } from "./drawer-file.js";
import { type MirrorBase, saidBy, type WantedPlace } from "./mirror.js";
import type { Unsettled } from "./palace-mirror.js";

/** What the edits of people in a mirror came to. */
export interface EditReport {
  readonly added: number;
  readonly changed: number;
  readonly moved: number;
  readonly removed: number;
  /** Memories that now hold two versions, because both sides changed them. */
  readonly contested: readonly MemoryId[];
  /** Removed from a file, but changed in memory since: they come back. */
  readonly kept: readonly MemoryId[];
  readonly problems: readonly { readonly path: string; readonly reason: string }[];
}

export interface Edited {
  readonly report: EditReport;
  readonly unsettled: Unsettled;
  /** The place that each file became. */
  readonly placeOf: ReadonlyMap<string, MemoryId>;
  /** Files that could not be taken in at all. */
  readonly untouched: ReadonlySet<string>;
}

/** A room or drawer, or why it cannot be made. */
export type Place = Entry | Verdict;
export const isPlace = (place: Place): place is Entry => !("verdict" in place);

/** Takes the lines of a mirror's files into a draft: what was changed, added, moved and put in another order. */
export class EntryEdits implements Edited {
  readonly report = {
    added: 0,
    changed: 0,
    moved: 0,
    removed: 0,
    contested: [] as MemoryId[],
    kept: [] as MemoryId[],
    problems: [] as { path: string; reason: string }[],
  };
  readonly unsettled: Unsettled = { texts: new Map(), bodies: new Map(), loose: new Map() };
  readonly placeOf = new Map<string, MemoryId>();
  readonly untouched = new Set<string>();
  /** Entries of the base whose line lost its id, but not its place and text. */
  protected readonly adopted = new Set<MemoryId>();
  readonly #listed = new WeakMap<WantedPlace, ReadonlySet<string | undefined>>();
  protected readonly context: Context;
  protected readonly draft: Draft;
  protected readonly base: MirrorBase;
  protected readonly scope: Scope;

  constructor(context: Context, draft: Draft, base: MirrorBase) {
    this.context = context;
    this.draft = draft;
    this.base = base;
    this.scope = base.scope;
  }

  /** Answers the id when there is such a memory afterwards. */
  protected async edit(
    file: WantedPlace,
    id: MemoryId,
    text: string,
    row: MirrorBase["entries"][string],
    place: () => Promise<Place>,
  ): Promise<MemoryId | undefined> {
    const here = await this.entry(id);
    // What memory says by now, because it was accepted or written there too, is no edit any more.
    const isChanged = saidBy(text) !== row.said && (!here || asShown(here.record.text) !== text);
    const isMoved = row.home !== file.id && row.home !== this.placeOf.get(file.path);
    if (!isChanged && (!isMoved || !here)) return here && id;
    const home = isMoved || !here ? await place() : undefined;
    if (home && !isPlace(home)) return this.problem(file.path, home);
    const parent = home ? { parent: home.record.id } : {};
    const judged = here
      ? await this.update(id, { ...(isChanged && { text }), ...(isMoved && parent) }, row.hash)
      : await this.#restore(id, text, row.hash, parent);
    if (this.isTaken(judged, id)) this.count(isChanged ? "changed" : "moved", judged);
    else {
      this.problem(file.path, judged);
      if (here) this.unsettled.texts.set(id, text);
      else if (home) this.#keepLoose(home, text);
    }
    return id;
  }

  /** Memory forgot what somebody went on writing: it is there again, as it is now. */
  async #restore(id: MemoryId, text: string, hash: string, parent: { parent?: MemoryId }): Promise<Verdict> {
    const old = (await this.draft.reader.values("memory", [hash as never])).get(hash as never);
    const type = old?.type ?? this.#typeFor(text);
    return asVerdict(this.draft, () =>
      remember(
        { context: this.context, draft: this.draft },
        { id, scope: this.scope, type, text, ...parent },
      ),
    );
  }

  protected async add(
    file: WantedPlace,
    text: string,
    place: () => Promise<Place>,
  ): Promise<MemoryId | undefined> {
    const turn = giveWay();
    if (turn) await turn;
    const home = await place();
    if (!isPlace(home)) return this.problem(file.path, home);
    const { id: parent } = home.record;
    const inside = await orderedChildren({ context: this.context, draft: this.draft }, this.scope, parent);
    const listed = this.#listedIn(file);
    const same = inside.find(
      ({ record }) =>
        !isDrawer(record) &&
        !listed.has(record.id) &&
        !this.adopted.has(record.id) &&
        asShown(record.text) === text,
    );
    if (same) {
      this.adopted.add(same.record.id);
      return same.record.id;
    }
    // A line under an id of its own takes no other line away, whatever it says.
    const id = this.context.newId();
    const input = { id, scope: this.scope, type: this.#typeFor(text), text, parent };
    const judged = await asVerdict(this.draft, () =>
      remember({ context: this.context, draft: this.draft }, input),
    );
    if (judged.verdict === "accepted" || judged.verdict === "updated") {
      this.count("added", judged);
      return judged.id;
    }
    const isHere = inside.some(({ record }) => record.id === judged.of);
    if (judged.verdict === "duplicate" && judged.similarity === 1 && isHere) return undefined;
    this.#keepLoose(home, text);
    return this.problem(file.path, judged);
  }

  /** Lines that somebody wrote between others, or put elsewhere in the list, get places there. */
  protected async arrange(place: MemoryId, order: readonly MemoryId[]): Promise<void> {
    const entries = (await Promise.all(order.map((id) => this.entry(id)))).filter(
      (entry) => entry?.record.parent === place,
    );
    const ids = entries.map((entry) => (entry as Entry).record.id);
    const was = Object.keys(this.base.entries).filter((id) => ids.includes(id as MemoryId));
    const isAppended = was.every((id, at) => ids[at] === id);
    if (isAppended) return;
    const current = entries.map((entry) => entry?.record.position);
    for (const [at, position] of positionsFor(current).entries())
      if (position !== current[at])
        await renew(
          { context: this.context, draft: this.draft },
          entries[at] as Entry,
          { position },
          "modify",
        );
  }

  /** Made once for a file: it may be one of ten thousand lines. */
  #listedIn(file: WantedPlace): ReadonlySet<string | undefined> {
    const known = this.#listed.get(file);
    if (known) return known;
    const listed = new Set(file.entries.map(({ id }) => id));
    this.#listed.set(file, listed);
    return listed;
  }

  #keepLoose({ record }: Entry, text: string): void {
    const kept = this.unsettled.loose.get(record.id);
    if (kept) kept.push(text);
    else this.unsettled.loose.set(record.id, [text]);
  }

  protected async forget(id: MemoryId, path: string): Promise<void> {
    const reason = "Removed from the mirror.";
    const judged = await forget({ context: this.context, draft: this.draft }, id, {
      scope: this.scope,
      reason,
    });
    if (judged.verdict === "accepted") this.report.removed++;
    else this.problem(path, judged);
  }

  protected update(id: MemoryId, change: MemoryChange, ifHash: string): Promise<Verdict> {
    return asVerdict(this.draft, () =>
      update({ context: this.context, draft: this.draft }, id, change, { scope: this.scope, ifHash }),
    );
  }

  protected async entry(id: MemoryId): Promise<Entry | undefined> {
    const entry = await this.draft.entry(this.scope, id);
    return entry && this.context.sight.seesRecord(entry.record) ? entry : undefined;
  }

  protected isTaken({ verdict, of }: Verdict, id: MemoryId): boolean {
    return verdict === "accepted" || verdict === "updated" || (verdict === "duplicate" && of === id);
  }

  protected count(what: "added" | "changed" | "moved", { id, contested, verdict }: Verdict): void {
    if (verdict !== "duplicate") this.report[what]++;
    if (contested && id !== undefined) this.report.contested.push(id);
  }

  protected problem(path: string, { reason = "", hint = "" }: Verdict): undefined {
    this.report.problems.push({ path, reason: `${reason} ${hint}`.trim() });
    return undefined;
  }

  #typeFor(text: string): string {
    return [...text].length > this.context.rules.limits.belief ? "note" : "fact";
  }
}
