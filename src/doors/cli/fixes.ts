import { statSync } from "node:fs";
import { join } from "node:path";

/** A path as it can be typed in a shell. */
export const typedPath = (path: string): string =>
  /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;

/** `object` is what the finding names, mostly a path. */
type Fix = (store: string, object: string) => string;
const file = (store: string): string => typedPath(join(store, "palimpsest.db"));

/** The command for each thing that a look at a store can find, by its name or the code of its error. */
const FIXES: Readonly<Record<string, Fix>> = {
  "cannot-look": (store) => `ls -la ${typedPath(store)}`,
  "cannot-write": (store) => `ls -la ${typedPath(store)}`,
  "directory-closed": (_, directory) => `ls -ld ${typedPath(directory)}`,
  "not-a-directory": () => 'export PAL_HOME="$HOME/palimpsest"',
  "file-system-read-only": (_, path) => `findmnt -T ${typedPath(path)}`,
  // Only its owner can change what may be done with it.
  "directory-read-only": (_, directory) =>
    statSync(directory, { throwIfNoEntry: false })?.uid === process.getuid?.()
      ? `chmod u+rwx ${typedPath(directory)}`
      : `ls -ld ${typedPath(directory)}`,
  "file-read-only": (store) => `chmod u+rw ${file(store)}`,
  "disk-full": (store) => `df -h ${typedPath(store)}`,
  "disk-nearly-full": (store) => `df -h ${typedPath(store)}`,
  "network-file-system": (store) =>
    `cp -a ${typedPath(store)} "$HOME/palimpsest" && export PAL_HOME="$HOME/palimpsest"`,
  "log-long": (store) => `lsof ${file(store)}`,
  "upkeep-waiting": (store) => `pal rebuild --store ${typedPath(store)}`,
  "lease-stale": (store) => `pal gc --store ${typedPath(store)}`,
  "commits-in-the-future": () => "sudo timedatectl set-ntp true",
  "clock-was-set": () => "date -u",
  "embedder-unknown": () => "unset PAL_EMBEDDER",
  STORE_FULL: (store) => `df -h ${typedPath(store)}`,
  // What keeps it from being written is told beside it, with the command that fits.
  STORE_READONLY: (store) => `ls -la ${typedPath(store)}`,
  STORE_UNREADABLE: (store) => `ls -la ${typedPath(store)}`,
  STORE_NEWER: () => "npm install -g palimpsest@latest",
  STORE_BUSY: (store) => `lsof ${file(store)}`,
  STORE_MOVED: (store) => `ls -la ${typedPath(store)}`,
  STORE_LINKED: (store) => `find / -xdev -samefile ${file(store)}`,
  NOT_A_STORE: () => 'export PAL_HOME="$HOME/palimpsest"',
};

/**
 * What to type about a finding. All others are damage: what is derived is made again, else what is whole of the store is
 * saved into another one, which then takes its place or is compared with a backup.
 */
export const fixFor = (problem: string, store: string, object: string, isDerived = false): string =>
  FIXES[problem]?.(store, object) ??
  (isDerived
    ? `pal rebuild --store ${typedPath(store)}`
    : `pal repair ${typedPath(`${store}-repaired`)} --store ${typedPath(store)}`);
