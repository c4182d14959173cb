#!/usr/bin/env node
import "./quiet-console.js";
import { keepsCompiledCode } from "./code-folder.js";
import { tooOld } from "./node-version.js";
import { processIo } from "./process-io.js";
import { isForHost, run } from "./run.js";

const io = processIo();
const argv = process.argv.slice(2);
process.on("uncaughtException", (error) => {
  process.stderr.write(`pal: Something unexpected happened: ${JSON.stringify(String(error))}\n`);
  if (!isForHost(argv)) process.exit(3);
  if (io.written() === 0) process.stdout.write("{}\n");
  process.exit(0);
});
// Older ones fail in the midst of loading, with words about modules that help nobody.
const old = tooOld(process.versions.node);
if (old !== undefined) {
  process.stderr.write(
    `pal: ${old}\n     Install a newer one from https://nodejs.org, or with your version manager.\n`,
  );
  process.exit(3);
}
const [, event = ""] = argv;
const isHook = isForHost(argv) && /^[A-Za-z][\w.-]{0,39}$/.test(event);
const program =
  !keepsCompiledCode() && isHook
    ? (await import("./kept-code.js")).keptProgram(new URL("./hook.cjs", import.meta.url), `hook-${event}`)
    : undefined;
const code = await (program?.run ?? run)(argv, io);
// An answer with something in it has used all that such an event uses.
program?.keep(io.written() > "{}\n".length);
const broken = io.broken();
// The exit code is set, not forced: what is still on its way to a slow reader arrives.
process.exitCode = broken === undefined ? code : broken === "EPIPE" ? 0 : 3;
if (broken !== undefined && broken !== "EPIPE")
  await io.stderr.write(
    `pal: Could not write the output: ${broken === "ENOSPC" ? "the disk is full" : broken}.\n`,
  );
