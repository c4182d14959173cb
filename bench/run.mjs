// npm run bench [-- <part>] [--sizes 1000,10000,100000] [--only engine,search,hybrid,background (of embed)] : what we promise, measured beside a peer and a limit.
import { mkdirSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { missed } from "./_measure.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sizes: { type: "string", default: "1000,10000,100000" },
    million: { type: "boolean", default: false },
    only: { type: "string" },
  },
});
mkdirSync(join(import.meta.dirname, "..", ".bench"), { recursive: true });
const sizes = values.sizes.split(",").map(Number);
if (values.million) sizes.push(1_000_000);
console.log(`Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? "unknown"})`);

const PARTS = {
  ledger: () => import("./ledger.mjs"),
  gate: () => import("./gate-speed.mjs"),
  many: () => import("./many.mjs"),
  branches: () => import("./branches.mjs"),
  care: () => import("./care.mjs"),
  view: () => import("./view.mjs"),
  judge: () => import("./judge-speed.mjs"),
  embed: () => import("./embed.mjs"),
  documents: () => import("./documents.mjs"),
  mcp: () => import("./mcp.mjs"),
  hosts: () => import("./hosts.mjs"),
  postgres: () => import("./postgres.mjs"),
  hostile: () => import("./hostile.mjs"),
  walks: () => import("./walks.mjs"),
};
for (const [name, load] of Object.entries(PARTS)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  await (await load()).run({ sizes, only: values.only?.split(",") });
}
const late = missed();
console.log(late.length === 0 ? "\nAll promises kept." : `\n${late.length} promise(s) missed in this run.`);
