import { readFileSync } from "node:fs";

/** The version of the package this file belongs to, wherever in it the build has put it. */
export const version = readVersion();

function readVersion(): string {
  for (let up = "../"; up.length < 30; up += "../") {
    try {
      const text = readFileSync(new URL(`${up}package.json`, import.meta.url), "utf8");
      const { name, version: found } = JSON.parse(text) as { name?: string; version?: string };
      if (name === "palimpsest" && found !== undefined) return found;
    } catch {
      // Not here: further up.
    }
  }
  return "unknown";
}
