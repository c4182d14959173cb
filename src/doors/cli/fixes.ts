import { join } from "node:path";

/** A path as it can be typed in a shell. */
export const typedPath = (path: string): string =>
  /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;

type Fix = (store: string) => string;
const file = (store: string): string => typedPath(join(store, "palimpsest.db"));

/** The command for each thing that a look at a store can find, by its name or the code of its error. */
const FIXES: Readonly<Record<string, Fix>> = {
  "cannot-look": (store) => `ls -la ${typedPath(store)}`,
  "cannot-write": (store) => `ls -la ${typedPath(store)}`,
  "directory-read-only": (store) => `chmod u+rwx ${typedPath(store)}`,
  "file-read-only": (store) => `chmod u+rw ${file(store)}`,
  "disk-full": (store) => `df -h ${typedPath(store)}`,
  "disk-nearly-full": (store) => `df -h ${typedPath(store)}`,
  "network-file-system": (store) =>
    `cp -a ${typedPath(store)} "$HOME/palimpsest" && export PAL_HOME="$HOME/palimpsest"`,
  "log-long": (store) => `lsof ${file(store)}`,
  "upkeep-waiting": () => "pal stats",
  "lease-stale": () => "pal stats",
  "commits-in-the-future": () => "sudo timedatectl set-ntp true",
  "clock-was-set": () => "date -u",
  "old-node": () => "nvm install --lts",
  "embedder-unknown": () => "pal config set embedder minilm",
  STORE_FULL: (store) => `df -h ${typedPath(store)}`,
  STORE_READONLY: (store) => `chmod u+rw ${file(store)}`,
  STORE_UNREADABLE: (store) => `ls -la ${typedPath(store)}`,
  STORE_NEWER: () => "npm install -g palimpsest@latest",
  STORE_BUSY: (store) => `lsof ${file(store)}`,
  NOT_A_STORE: () => 'export PAL_HOME="$HOME/palimpsest"',
};

/** What to type about a finding. Damage is for `verify` to tell, and for `repair` where there is one. */
export const fixFor = (problem: string, store: string, commands: readonly string[]): string =>
  FIXES[problem]?.(store) ?? (commands.includes("repair") ? "pal repair" : "pal verify");
