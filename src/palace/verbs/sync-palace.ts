import { type Hash, isHash, type MemoryId, PalimpsestError, type Scope } from "../../core/base/index.js";
import { CONFIG_ID, forget, IDENTITY_ID, remember, scopeOf, update } from "../../memories/index.js";
import { type Access, type Job, SnapshotBefore } from "../../repo/index.js";
import type { Storage } from "../../storage/index.js";
import { DEFAULT_CONFIG } from "../config.js";
import type { Edited, EditReport } from "../edits.js";
import { takeEdits } from "../edits.js";
import {
  CONFIG_FILE,
  emptyBase,
  IDENTITY_FILE,
  type Kept,
  type MirrorBase,
  matchFiles,
  README,
  ROOMS,
  saidBy,
} from "../mirror.js";
import type { SyncOptions } from "../options.js";
import { MirrorFolder, readPalace, type ShownFile, showPalace } from "../palace-mirror.js";
import { setIdentity } from "./palace.js";

export interface SyncReport extends EditReport {
  /** The commit that took in what people edited; absent when nothing was. */
  readonly commit?: Hash;
  /** Files written, and files removed, because memory says something else by now. */
  readonly written: readonly string[];
  readonly deleted: readonly string[];
}

/** What both sides said last time; beside the files, so that it goes where they go. */
const BASE_FILE = ".palimpsest.json";

/** The two files that are one memory each. */
const SINGLE = [
  { path: IDENTITY_FILE, id: IDENTITY_ID, key: "identity" },
  { path: CONFIG_FILE, id: CONFIG_ID, key: "config" },
] as const;

/**
 * Brings a folder of Markdown files and the palace together. Edits of people come in first, through the gate and in one
 * commit, each against the version it was made on; then the files show what memory says. What the gate refuses, and what
 * somebody saves meanwhile, stays in its file.
 */
export async function syncPalace(access: Access, path: string, options: SyncOptions): Promise<SyncReport> {
  const { context } = access;
  const scope = scopeOf(context, options.scope === undefined ? {} : { scope: options.scope });
  if (!context.sight.sees(scope)) throw new PalimpsestError("NOT_FOUND", `There is no palace in ${scope}.`);
  const folder = await MirrorFolder.open(path, !options.dryRun);
  const old = await readBase(folder, scope, context.branch, context.engine.storage);
  const before = await readFiles(folder);
  const unreadable = new Set(folder.problems.map((one) => one.path));
  const wanted = matchFiles(old, before, [...unreadable]);
  const { value, tip } = await access.commit({
    verb: "sync",
    options: { message: "Edits of the palace's files", dryRun: options.dryRun },
    beside: true,
    snapshot: new SnapshotBefore("sync"),
    async run(job) {
      const single = new Map<string, string>();
      const problems: { path: string; reason: string }[] = [];
      for (const one of SINGLE) await takeSingle(job, scope, old, before, one, single, problems, unreadable);
      return { edited: await takeEdits(job, old, wanted), single, problems };
    },
  });
  const { edited, single, problems } = value;
  const all = [...folder.problems, ...wanted.problems, ...problems, ...edited.report.problems];
  const report = { ...edited.report, problems: all, ...(tip && { commit: tip.hash }) };
  if (options.dryRun) return { ...report, written: [], deleted: [] };
  const { palace, at } = await access.look(undefined, async (now) => ({
    palace: await readPalace(now, scope),
    at: now.tip.hash,
  }));
  const shown = showPalace(palace, edited.unsettled, old, stemsOf(edited));
  for (const { path: file, key } of SINGLE) {
    const held = palace[key];
    const row =
      held && (single.has(file) ? old[key] : { hash: held.hash, said: saidBy(held.record.text.trim()) });
    if (single.has(file)) shown.files.set(file, shownText(single.get(file) as string, key, old[key]));
    else if (!held && key === "config") shown.files.set(file, shownText(DEFAULT_CONFIG, key, undefined));
    else if (held && row) shown.files.set(file, shownText(`${held.record.text.trim()}\n`, key, row));
  }
  const kept = new Set([...edited.untouched, ...wanted.problems.map((one) => one.path)]);
  const done = await writeFiles(folder, before, shown, kept);
  await writeBase(folder, { ...nextBase(old, shown, done.skipped), at: old.at ?? at });
  const skipped = done.skipped.map((file) => ({
    path: file,
    reason: "It was changed meanwhile; it is read next time.",
  }));
  return { ...report, problems: [...all, ...skipped], written: done.written, deleted: done.deleted };
}

type SingleFile = ShownFile & {
  readonly single?: { readonly key: "identity" | "config"; readonly kept: Kept };
};
const shownText = (text: string, key: "identity" | "config", kept: Kept | undefined): SingleFile => ({
  text,
  base: { rooms: {}, drawers: {}, entries: {} },
  ...(kept && { single: { key, kept } }),
});

/** A file that is one memory: set, changed against the version it was made on, or taken away. */
async function takeSingle(
  job: Job,
  scope: Scope,
  old: MirrorBase,
  files: ReadonlyMap<string, string>,
  { path, id, key }: (typeof SINGLE)[number],
  unsettled: Map<string, string>,
  problems: { path: string; reason: string }[],
  unreadable: ReadonlySet<string>,
): Promise<void> {
  const { context, draft } = job;
  const source = files.get(path);
  const text = source?.replaceAll("\r\n", "\n").trim() ?? "";
  const row = old[key];
  const found = await draft.entry(scope, id);
  const here = found && context.sight.seesRecord(found.record) ? found : undefined;
  if (text === "") {
    if (source !== undefined || unreadable.has(path) || !row || here?.hash !== row.hash) return;
    const gone = await forget(job, id, { scope, reason: `${path} was removed.` });
    if (gone.verdict !== "accepted")
      problems.push({ path, reason: `${gone.reason ?? ""} ${gone.hint ?? ""}`.trim() });
    return;
  }
  // Shown to be edited; unchanged it is no memory.
  if (!row && !here && key === "config" && text === DEFAULT_CONFIG.trim()) return;
  if (row ? saidBy(text) === row.said : here?.record.text.trim() === text) return;
  const refuse = (reason: string): void => {
    unsettled.set(path, source as string);
    problems.push({ path, reason });
  };
  if (!row && here)
    return refuse("The file and the memory were never the same; empty the file to see the memory.");
  const judged =
    here && row && here.hash !== row.hash
      ? await update(job, id, { text }, { scope, ifHash: row.hash })
      : key === "identity"
        ? await setIdentity(job, text, { scope })
        : await remember(job, { id, scope, type: "note", category: "config", text });
  if (judged.verdict === "rejected" || judged.verdict === "quarantined") refuse(judged.reason ?? "");
}

async function readFiles(folder: MirrorFolder): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const take = async (path: string): Promise<void> => {
    const text = await folder.read(path);
    if (text !== undefined) files.set(path, text);
  };
  for (const { path } of SINGLE) await take(path);
  for (const dir of await folder.names(ROOMS, "folders"))
    for (const name of await folder.names(`${ROOMS}/${dir}`, "files")) await take(`${ROOMS}/${dir}/${name}`);
  return files;
}

/** The names that files and folders of places have now. */
function stemsOf({ placeOf }: Edited): Map<MemoryId, string> {
  return new Map(
    [...placeOf].map(([path, id]) => {
      const [, dir = "", name = ""] = path.split("/");
      const stem = name.slice(0, -".md".length);
      return [id, stem === README ? dir : stem];
    }),
  );
}

async function writeFiles(
  folder: MirrorFolder,
  before: ReadonlyMap<string, string>,
  { files, folders }: ReturnType<typeof showPalace>,
  untouched: ReadonlySet<string>,
) {
  const written: string[] = [];
  const deleted: string[] = [];
  const skipped: string[] = [];
  for (const [path, text] of before) {
    if (files.has(path) || untouched.has(path)) continue;
    if (await folder.remove(path, text)) deleted.push(path);
    else skipped.push(path);
  }
  for (const dir of folders.keys()) await folder.makeFolder(dir);
  for (const [path, { text }] of files) {
    if (before.get(path) === text) continue;
    if (!untouched.has(path) && (await folder.write(path, text, before.get(path)))) written.push(path);
    else skipped.push(path);
  }
  return { written, deleted, skipped };
}

/** What a file that was not written says is what it said before. */
function nextBase(
  old: MirrorBase,
  { files, folders }: ReturnType<typeof showPalace>,
  skipped: readonly string[],
): MirrorBase {
  const left = new Set(skipped);
  const next = { ...emptyBase(old.scope, old.branch), rooms: {}, drawers: {}, entries: {} };
  const put = ({ rooms, drawers, entries }: Partial<ShownFile["base"]>, isOld: boolean): void => {
    for (const [into, rows, known] of [
      [next.rooms, rooms, old.rooms],
      [next.drawers, drawers, old.drawers],
      [next.entries, entries, old.entries],
    ] as const)
      for (const [id, row] of Object.entries(rows ?? {})) {
        const chosen = isOld ? known[id] : row;
        if (chosen) Object.assign(into, { [id]: chosen });
      }
  };
  for (const rooms of folders.values()) put({ rooms }, false);
  let singles = {};
  for (const [path, file] of files) {
    put(file.base, left.has(path));
    const { single } = file as SingleFile;
    const kept = single && (left.has(path) ? old[single.key] : single.kept);
    if (single && kept) singles = { ...singles, [single.key]: kept };
  }
  return { ...next, ...singles };
}

async function readBase(
  folder: MirrorFolder,
  scope: Scope,
  branch: string,
  storage: Storage,
): Promise<MirrorBase> {
  const text = await folder.read(BASE_FILE);
  const odd = folder.problems.find(({ path }) => path === BASE_FILE);
  if (odd || (text !== undefined && !OURS.test(text)))
    throw new PalimpsestError(
      "INVALID_FILE",
      `${BASE_FILE} is not what Palimpsest wrote. ${odd?.reason ?? ""}`.trim(),
      {
        hint: "Nothing was synced. Move it away, or name another folder.",
      },
    );
  if (text === undefined) return emptyBase(scope, branch);
  const base = parsed(text);
  if (base === undefined) return emptyBase(scope, branch);
  if (base.scope !== scope)
    throw new PalimpsestError("INVALID_FILE", `This folder mirrors the palace of ${base.scope}.`, {
      hint: `Name that scope with --scope, or another folder.`,
    });
  // What this store does not know would else look like forgotten here, and its files would go.
  if (base.at !== undefined && (await storage.missing([base.at])).length > 0)
    throw new PalimpsestError("INVALID_FILE", "This folder mirrors the palace of another store.", {
      hint: `Name another folder, or remove ${BASE_FILE} from this one to take in what its files say.`,
    });
  return { ...base, branch };
}

/** How a base begins, also one that is cut or was edited. Another program's file is not replaced by one. */
const OURS = /^\s*$|^\s*\{\s*"v"\s*:/;

/** A base that cannot be read is none: then everything is compared by what it says. */
function parsed(text: string): MirrorBase | undefined {
  try {
    const base = JSON.parse(text) as MirrorBase;
    const isBase =
      base.v === 1 &&
      (base.at === undefined || isHash(base.at)) &&
      [base.rooms, base.drawers, base.entries].every((rows) => typeof rows === "object" && rows !== null);
    return isBase ? base : undefined;
  } catch {
    return undefined;
  }
}

async function writeBase(folder: MirrorFolder, base: MirrorBase): Promise<void> {
  const text = `${JSON.stringify(base, undefined, 1)}\n`;
  const before = await folder.read(BASE_FILE);
  if (before !== text) await folder.write(BASE_FILE, text, before);
}
