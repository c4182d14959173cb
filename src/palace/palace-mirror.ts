import { type Hash, idKey, isBlank, type MemoryId, type Scope, scopeKey } from "../core/base/index.js";
import type { MemoryRecord } from "../core/ledger/index.js";
import { byPlace, CONFIG_ID, descriptionOf, IDENTITY_ID, nameOf, roomDocs } from "../memories/index.js";
import type { At } from "../repo/index.js";
import { loadEntry } from "../repo/index.js";
import { asShown, readBody, renderDrawer, type ShownEntry } from "./drawer-file.js";
import { distinctStems, stemKey } from "./file-names.js";
import { type MirrorBase, README, ROOMS, saidBy } from "./mirror.js";

interface Held {
  readonly record: MemoryRecord;
  readonly hash: Hash;
}
interface HeldPlace extends Held {
  readonly entries: readonly Held[];
}
export interface HeldPalace {
  readonly rooms: readonly (HeldPlace & { readonly drawers: readonly HeldPlace[] })[];
  readonly identity: Held | undefined;
  readonly config: Held | undefined;
}

/**
 * All of a palace, with what lies in its drawers. What lies below an entry belongs to that and is not shown; nor is an
 * entry without text, because a line without words is how people take one out.
 */
export async function readPalace({ context, reader, tip, now }: At, scope: Scope): Promise<HeldPalace> {
  const found = await context.views.use(context.branch, tip, (view) => {
    const hashes = (docs: readonly number[]) => docs.map((doc) => view.doc(doc).hash);
    return roomDocs(view, context, now, scope).map(({ doc, drawers, inside }) => ({
      hash: doc.hash,
      inside: hashes(inside),
      drawers: drawers.map((drawer) => ({ hash: drawer.doc.hash, inside: hashes(drawer.inside) })),
    }));
  });
  const all = found
    .flatMap((room) => [room, ...room.drawers])
    .flatMap(({ hash, inside }) => [hash, ...inside]);
  const records = await reader.values("memory", all);
  const held = (hashes: readonly Hash[]): Held[] =>
    hashes
      .flatMap((hash) => {
        const record = records.get(hash);
        if (!record) reader.damaged.add(hash);
        return record ? [{ record, hash }] : [];
      })
      .sort((a, b) => byPlace(a.record, b.record));
  const place = ({ hash, inside }: { hash: Hash; inside: Hash[] }): HeldPlace[] =>
    held([hash]).map((one) => ({
      ...one,
      entries: held(inside).filter(({ record }) => !isBlank(record.text)),
    }));
  const rooms = found.flatMap((room) =>
    place(room).map((one) => ({
      ...one,
      drawers: room.drawers.flatMap(place).sort((a, b) => byPlace(a.record, b.record)),
    })),
  );
  const one = async (id: MemoryId): Promise<Held | undefined> => {
    const entry = await loadEntry(reader, tip, scopeKey(scope), idKey(id));
    return entry && context.sight.seesRecord(entry.record) ? entry : undefined;
  };
  return {
    rooms: rooms.sort((a, b) => byPlace(a.record, b.record)),
    identity: await one(IDENTITY_ID),
    config: await one(CONFIG_ID),
  };
}

/** What people wrote into files and the gate did not take: it stays in the file, to be tried again. */
export interface Unsettled {
  readonly texts: Map<MemoryId, string>;
  readonly bodies: Map<MemoryId, string>;
  readonly loose: Map<MemoryId, string[]>;
}

export interface ShownFile {
  readonly text: string;
  /** What the base is to say of the things in this file. */
  readonly base: Pick<MirrorBase, "rooms" | "drawers" | "entries">;
}

/** The files of a palace, by path. A file keeps the name it has where that fits. */
export function showPalace(
  palace: HeldPalace,
  unsettled: Unsettled,
  old: MirrorBase,
  stems: ReadonlyMap<MemoryId, string>,
): { readonly files: Map<string, ShownFile>; readonly folders: Map<string, MirrorBase["rooms"]> } {
  const files = new Map<string, ShownFile>();
  const dirOf = named(palace.rooms, stems, []);
  // Rooms that have nothing to say in a file of their own.
  const folders = new Map<string, MirrorBase["rooms"]>();
  for (const room of palace.rooms) {
    const dir = `${ROOMS}/${dirOf.get(room.record.id)}`;
    const { text, body, entries } = showPlace(room, unsettled, old);
    const hasFile = body !== "" || room.entries.length > 0 || unsettled.loose.has(room.record.id);
    const { id } = room.record;
    const kept = {
      hash: room.hash,
      said: saidBy(body),
      name: nameOf(room.record),
      dir: dir.slice(ROOMS.length + 1),
      hasFile,
    };
    const said = unsettled.bodies.has(id) ? old.rooms[id]?.said : undefined;
    const rooms = { [id]: said === undefined ? kept : { ...kept, said, hash: old.rooms[id]!.hash } };
    if (hasFile) files.set(`${dir}/${README}.md`, { text, base: { rooms, drawers: {}, entries } });
    else folders.set(dir, rooms);
    const stemOf = named(room.drawers, stems, [README]);
    for (const drawer of room.drawers) {
      const shown = showPlace(drawer, unsettled, old);
      const path = `${dir}/${stemOf.get(drawer.record.id)}.md`;
      const row = {
        hash: drawer.hash,
        said: saidBy(shown.body),
        name: nameOf(drawer.record),
        path,
        room: id,
      };
      const before = old.drawers[drawer.record.id];
      const isOpen = unsettled.bodies.has(drawer.record.id) && before;
      const drawers = { [drawer.record.id]: isOpen ? { ...row, said: before.said, hash: before.hash } : row };
      files.set(path, { text: shown.text, base: { rooms: {}, drawers, entries: shown.entries } });
    }
  }
  return { files, folders };
}

function showPlace(place: HeldPlace, { texts, bodies, loose }: Unsettled, old: MirrorBase) {
  const { record } = place;
  const entries: Record<string, MirrorBase["entries"][string]> = {};
  const shown: ShownEntry[] = place.entries.map(({ record: entry, hash }) => {
    const { id } = entry;
    const other = texts.get(id);
    const before = old.entries[id];
    entries[id] =
      other !== undefined && before
        ? { ...before, home: record.id }
        : { hash, said: saidBy(asShown(entry.text)), home: record.id };
    return { id, text: other ?? entry.text, others: othersOf(entry) };
  });
  for (const text of loose.get(record.id) ?? []) shown.push({ text });
  const body = bodies.get(record.id) ?? descriptionOf(record);
  const text = renderDrawer(nameOf(record), { id: record.id, body, entries: shown });
  return { text, body: readBody(text, nameOf(record)), entries };
}

const othersOf = ({ contested, text }: MemoryRecord): string[] =>
  (contested?.text?.terms ?? []).flatMap(({ value, deleted }) =>
    deleted ? ["(deleted)"] : typeof value === "string" && value !== text ? [value] : [],
  );

function named(
  places: readonly Held[],
  stems: ReadonlyMap<MemoryId, string>,
  reserved: readonly string[],
): Map<string, string> {
  const things = places.map(({ record }) => ({ id: record.id as string, name: nameOf(record) }));
  const names = distinctStems(things, reserved);
  for (const { record } of places) {
    const own = stems.get(record.id);
    if (own !== undefined && stemKey(own) === stemKey(names.get(record.id) as string))
      names.set(record.id, own);
  }
  return names;
}
