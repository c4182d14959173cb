import type { MemoryId, Scope } from "../core/base/index.js";
import type { MemoryChange, Verdict } from "../gate/index.js";
import {
  descriptionOf,
  ensurePlace,
  findDrawer,
  findPlace,
  forget,
  isDrawer,
  nameOf,
  orderedChildren,
  positionsFor,
  remember,
  renew,
  TITLE,
  update,
} from "../memories/index.js";
import { asVerdict, type Context, type Draft, type Entry, giveWay, type Job } from "../repo/index.js";
import { asShown } from "./drawer-file.js";
import { type MirrorBase, saidBy, type Wanted, type WantedPlace, type WantedRoom } from "./mirror.js";
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

/** Takes the edits of a mirror into a draft, each through the gate. What is refused stays where people wrote it. */
export async function takeEdits({ context, draft }: Job, base: MirrorBase, wanted: Wanted): Promise<Edited> {
  const edits = new PlaceEdits(context, draft, base);
  for (const room of wanted.rooms) await edits.room(room);
  await edits.remove(wanted.gone);
  return edits;
}

/** Takes the files and folders of a mirror into a draft: which place each is, what it is called and says, what is gone. */
class PlaceEdits extends EntryEdits {
  async room(room: WantedRoom): Promise<void> {
    const known = room.id === undefined ? undefined : this.base.rooms[room.id];
    const here = room.id === undefined ? undefined : await this.entry(room.id);
    if (here && known) {
      const change = await this.#renaming(here, known.name, room.name, async (name) =>
        findPlace({ context: this.context, draft: this.draft }, this.scope, { room: name }),
      );
      const body = room.readme && saidBy(room.readme.body) !== known.said ? room.readme.body : undefined;
      await this.#changePlace(here, known.hash, change, body, room.readme?.path ?? room.dir);
    }
    const place = async (): Promise<Place> => {
      const now = room.id === undefined ? undefined : await this.entry(room.id);
      return (
        now ?? ensurePlace({ context: this.context, draft: this.draft }, this.scope, { room: room.name })
      );
    };
    if (room.readme) await this.#inside(room.readme, here !== undefined, place);
    for (const drawer of room.drawers) await this.#drawer(drawer, place);
  }

  async #drawer(drawer: WantedPlace, room: () => Promise<Place>): Promise<void> {
    const known = drawer.id === undefined ? undefined : this.base.drawers[drawer.id];
    const here = drawer.id === undefined ? undefined : await this.entry(drawer.id);
    const place = async (): Promise<Place> => {
      const now = drawer.id === undefined ? undefined : await this.entry(drawer.id);
      if (now) return now;
      const above = await room();
      if (!isPlace(above)) return above;
      const name = { room: nameOf(above.record), drawer: drawer.name };
      return ensurePlace({ context: this.context, draft: this.draft }, this.scope, name);
    };
    if (here && known) {
      const above = await room();
      const target = isPlace(above) ? above : undefined;
      const isMoved = target && target.record.id !== known.room && here.record.parent !== target.record.id;
      const change = await this.#renaming(
        here,
        known.name,
        drawer.name,
        async (name) => target && findDrawer({ context: this.context, draft: this.draft }, target, name),
      );
      const body = saidBy(drawer.body) === known.said ? undefined : drawer.body;
      const moving = isMoved ? { parent: target.record.id } : {};
      await this.#changePlace(here, known.hash, { ...change, ...moving }, body, drawer.path);
    }
    await this.#inside(drawer, here !== undefined, place);
  }

  /** What a file says of a place and lists in it. A place is made when there is something to put into it, or it is new. */
  async #inside(file: WantedPlace, isThere: boolean, place: () => Promise<Place>): Promise<void> {
    const isKnown = file.id !== undefined;
    if (!isKnown || (!isThere && this.#isEdited(file))) {
      const made = await place();
      if (!isPlace(made)) {
        this.untouched.add(file.path);
        return this.problem(file.path, made);
      }
      if (file.body !== "") await this.#firstBody(made, file);
    }
    if (isThere) this.placeOf.set(file.path, file.id as MemoryId);
    const order: MemoryId[] = [];
    for (const entry of file.entries) {
      const { id } = entry;
      const row = id === undefined ? undefined : this.base.entries[id];
      const known = row
        ? await this.edit(file, id as MemoryId, entry.text, row, place)
        : await this.add(file, entry.text, place);
      if (known !== undefined) order.push(known);
    }
    if (isThere) await this.arrange(file.id as MemoryId, order);
    if (!isThere && (!isKnown || this.#isEdited(file))) {
      const made = await place();
      if (isPlace(made)) this.placeOf.set(file.path, made.record.id);
    }
  }

  /** Has somebody changed a file of a place that memory has forgotten? Otherwise the file goes. */
  #isEdited(file: WantedPlace): boolean {
    const row = this.base.drawers[file.id as string] ?? this.base.rooms[file.id as string];
    const isBody = row !== undefined && saidBy(file.body) !== row.said;
    return (
      isBody ||
      file.entries.some(({ id, text }) => id === undefined || saidBy(text) !== this.base.entries[id]?.said)
    );
  }

  /** A place that memory had already, and that says something else, keeps both texts. */
  async #firstBody(place: Entry, file: WantedPlace): Promise<void> {
    const words = descriptionOf(place.record);
    if (words.trim() === file.body) return;
    if (words !== "") return void (await this.add(file, file.body, async () => place));
    await this.#changePlace(place, place.hash, {}, file.body, file.path);
  }

  async #renaming(
    here: Entry,
    was: string,
    now: string,
    find: (name: string) => Promise<Entry | undefined>,
  ): Promise<MemoryChange> {
    if (was === now || nameOf(here.record) === now) return {};
    const taken = await find(now);
    if (taken && taken.record.id !== here.record.id) {
      this.report.problems.push({ path: now, reason: "Another place has this name by now." });
      return {};
    }
    return { attributes: { [TITLE]: now }, ...(descriptionOf(here.record) === "" && { text: now }) };
  }

  async #changePlace(
    here: Entry,
    ifHash: string,
    change: MemoryChange,
    said: string | undefined,
    path: string,
  ): Promise<void> {
    const { id } = here.record;
    const body = said === descriptionOf(here.record).trim() ? undefined : said;
    const title = change.attributes?.[TITLE];
    const text =
      body === undefined ? {} : { text: body === "" ? String(title ?? nameOf(here.record)) : body };
    if (Object.keys({ ...change, ...text }).length === 0) return;
    const judged = await this.update(id, { ...change, ...text }, ifHash);
    if (this.isTaken(judged, id)) this.count(change.parent === undefined ? "changed" : "moved", judged);
    else {
      if (body !== undefined) this.unsettled.bodies.set(id, body);
      this.problem(path, judged);
    }
  }

  /** What was taken out of files is forgotten, unless memory knows better by now; places only when they are empty. */
  async remove(gone: Wanted["gone"]): Promise<void> {
    for (const id of gone.entries) {
      const here = this.adopted.has(id) ? undefined : await this.entry(id);
      if (!here) continue;
      if (here.hash === this.base.entries[id]?.hash) await this.forget(id, String(id));
      else this.report.kept.push(id);
    }
    for (const [ids, rows] of [
      [gone.drawers, this.base.drawers],
      [gone.rooms, this.base.rooms],
    ] as const)
      for (const id of ids) {
        const here = await this.entry(id);
        if (!here) continue;
        const isEmpty = (await this.draft.children(this.scope, id)).size === 0;
        if (isEmpty && here.hash === rows[id]?.hash) await this.forget(id, rows[id]?.name ?? id);
        else this.report.kept.push(id);
      }
  }
}
