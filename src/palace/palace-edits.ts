import type { MemoryId } from "../core/base/index.js";
import type { MemoryChange } from "../gate/index.js";
import { descriptionOf, ensurePlace, findDrawer, findPlace, nameOf, TITLE } from "../memories/index.js";
import type { Entry, Job } from "../repo/index.js";
import { type Edited, EntryEdits, isPlace, type Place } from "./entry-edits.js";
import { type MirrorBase, saidBy, type Wanted, type WantedPlace, type WantedRoom } from "./mirror.js";

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
    const said = descriptionOf(place.record);
    if (said.trim() === file.body) return;
    if (said !== "") return void (await this.add(file, file.body, async () => place));
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
