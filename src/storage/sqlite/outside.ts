import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { storageError } from "./errors.js";

/**
 * Two things are done in a process of their own. Reading the file past SQLite: a descriptor that this process closes
 * would drop all locks it has on the file. And `VACUUM`: one call, however long, which another process does without
 * holding up this one's event loop, and which can be ended at any moment (SQLite then starts from the old state).
 */
function run(script: string, args: readonly string[]) {
  // A program that brings its own Node, such as an editor, must not start a second one of itself.
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: "1", NODE_OPTIONS: "" };
  const child = spawn(process.execPath, ["-e", script, "--", ...args], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stderr.on("data", (text: Buffer) => {
    output = (output + text.toString()).slice(-2000);
  });
  const ended = once(child, "close").then(([code]) => {
    if (code !== 0 && !child.killed) throw new Error(output || `It ended with ${code}.`);
  });
  ended.catch(() => undefined);
  return { child, ended };
}

const READ = `require("node:fs").createReadStream(process.argv[1], { highWaterMark: 1 << 20 }).pipe(process.stdout)`;

/** The bytes of a file that SQLite has open here. */
export async function* readOutside(file: string, location: string): AsyncGenerator<Uint8Array> {
  const { child, ended } = run(READ, [file]);
  try {
    for await (const bytes of child.stdout) yield bytes as Buffer;
    await ended;
  } catch (error) {
    throw storageError(error, location);
  } finally {
    child.kill();
  }
}

const VACUUM = `
const { DatabaseSync } = require(process.argv[1]);
const db = new DatabaseSync(process.argv[2], { timeout: 10000 });
db.exec("PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA cache_size = -16384; VACUUM");
db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
db.close();`;

const LOOK_MS = 20;

/** Answers false when it was ended early. */
export async function vacuumOutside(
  file: string,
  driver: string,
  location: string,
  goOn: () => boolean,
): Promise<boolean> {
  const library = driver === "node:sqlite" ? driver : createRequire(import.meta.url).resolve(driver);
  const { child, ended } = run(VACUUM, [library, file]);
  const look = setInterval(() => {
    if (!goOn()) child.kill("SIGKILL");
  }, LOOK_MS);
  try {
    await ended;
    return !child.killed;
  } catch (error) {
    // Ctrl-C in a terminal ends the child as well, and the caller knows of it.
    if (child.signalCode === "SIGINT") return false;
    throw storageError(error, location);
  } finally {
    clearInterval(look);
  }
}
