// Loaded into a command: with its first bar it stands still until the file that PAUSED_UNTIL names is there, so that
// Ctrl-C is typed in its midst however quick the machine is.
import { existsSync } from "node:fs";

const { PAUSED_AT: label, PAUSED_UNTIL: file } = process.env;
const write = process.stderr.write.bind(process.stderr);
const bed = new Int32Array(new SharedArrayBuffer(4));

process.stderr.write = (text, ...rest) => {
  const isTaken = write(text, ...rest);
  if (String(text).startsWith(`\r${label}`)) while (!existsSync(file)) Atomics.wait(bed, 0, 0, 5);
  return isTaken;
};
