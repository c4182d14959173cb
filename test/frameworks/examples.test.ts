import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../_processes.js";

const folder = join(ROOT, "examples");
const examples = readdirSync(folder).filter((name) => name.endsWith(".mjs"));

it.each(examples)("%s runs without a key", (name) => {
  const said = execFileSync(process.execPath, [join(folder, name)], { encoding: "utf8" });
  expect(said).toMatch(/^merged: .*\n[\s\S]*^why: .*\n[\s\S]*^erased: .* [1-9]/m);
});
