// Node's own modules come with kept code as well, which is refused once a switch is set: every event needs this one.
import "node:crypto";
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { types } from "node:util";
import { setFlagsFromString } from "node:v8";
import { Script } from "node:vm";
import { crc32 } from "node:zlib";
import { codeFolder, isOurs } from "./code-folder.js";
import type { run } from "./run.js";

/** A program made of one script. */
export interface Program {
  readonly run: typeof run;
  /** To be called when it has run: keeps the code for the next time. `isFull` tells that it did all it can do. */
  keep(isFull: boolean): void;
}

/** Names of what is kept here: the event, Node's version, the machine, the source, and of what is not done the process. */
const KEPT = /^[a-z-]+-v\d+\.\d+\.\d+[\w.-]*-[a-z0-9]+-\d+(?:\.\d+)?$/;
const OLD_MS = 30 * 24 * 3_600_000;
/**
 * How long V8 waits before it optimises a function, ten times what it does by itself: a hook is over before that pays. By V8's
 * major version; from 13 on there is a quicker compiler in between, and waiting for it costs more than it saves.
 */
const PATIENCE: Readonly<Record<string, string>> = {
  11: "--interrupt-budget=676000",
  12: "--invocation-count-for-turbofan=30000",
};
/** Before the code: its crc32, and whether it was kept after a full run. */
const HEAD = 8;

/**
 * For a Node without a compile cache: what a host runs at every prompt, as one script whose compiled code is kept in the
 * user's cache folder. Reading our source is a third of what such a short process costs (docs/decisions/025-fast-paths.md). The code is kept by Node's version, the source and
 * the event, since each event uses other functions; V8 itself refuses code of another build or other flags. Undefined where
 * there is no script or no place to keep its code: then the modules are loaded as ever.
 */
export function keptProgram(script: URL, name: string): Program | undefined {
  try {
    const source = readFileSync(script);
    const folder = codeFolder();
    const file = join(folder, `${name}-${process.version}-${process.arch}-${crc32(source)}`);
    const known = readCode(file);
    const patience = PATIENCE[process.versions.v8.split(".")[0]!];
    if (patience !== undefined) setFlagsFromString(patience);
    const made = new Script(
      `(function(exports,require,module,__import,__place){${source.toString("latin1")}\n})`,
      {
        filename: script.pathname,
        ...(known && { cachedData: known.code }),
      },
    );
    const module = { exports: {} as { run: typeof run } };
    const require = createRequire(script);
    made.runInThisContext()(module.exports, require, module, importBy(require), script.href);
    const isKnown = known !== undefined && made.cachedDataRejected === false;
    return {
      run: module.exports.run,
      keep(isFull) {
        if (!isKnown || (isFull && !known.isFull)) writeCode(folder, file, made, isFull);
      },
    };
  } catch {
    return undefined;
  }
}

/** A kept script cannot import, so it asks for packages here; `require` gives modules of either kind, at less cost. */
const importBy = (require: NodeJS.Require) => async (name: string) => {
  const found: unknown = require(name);
  return types.isModuleNamespaceObject(found)
    ? found
    : Object.create(found as object, { default: { value: found } });
};

/** Only what is whole and our own: it is code. */
function readCode(file: string): { readonly code: Buffer; readonly isFull: boolean } | undefined {
  try {
    if (!isOurs(statSync(file))) return undefined;
    const bytes = readFileSync(file);
    const code = bytes.subarray(HEAD);
    return bytes.readUInt32LE(0) === crc32(code) ? { code, isFull: bytes[4] === 1 } : undefined;
  } catch {
    return undefined;
  }
}

function writeCode(folder: string, file: string, script: Script, isFull: boolean): void {
  const fresh = `${file}.${process.pid}`;
  try {
    const code = script.createCachedData();
    const head = Buffer.alloc(HEAD);
    head.writeUInt32LE(crc32(code), 0);
    head[4] = isFull ? 1 : 0;
    writeFileSync(fresh, Buffer.concat([head, code]), { mode: 0o600, flag: "wx" });
    renameSync(fresh, file);
    for (const other of readdirSync(folder)) {
      const path = join(folder, other);
      // The folder may be one that somebody else keeps things in too.
      if (!KEPT.test(other)) continue;
      if (Date.now() - statSync(path).mtimeMs > OLD_MS) rmSync(path, { force: true });
    }
  } catch {
    // Nothing is lost but time; half a file at every prompt would make a full disk fuller.
    rmSync(fresh, { force: true });
  }
}
