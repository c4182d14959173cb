import { readFileSync } from "node:fs";

/** A file of the package this module belongs to, wherever in it the build has put it. */
export function packageFile(path: string): string | undefined {
  for (let up = "../"; up.length < 30; up += "../")
    try {
      const { name } = JSON.parse(readFileSync(new URL(`${up}package.json`, import.meta.url), "utf8")) as {
        name?: string;
      };
      if (name === "palimpsest") return readFileSync(new URL(`${up}${path}`, import.meta.url), "utf8");
    } catch {
      // Not here: further up.
    }
  return undefined;
}

/** The version of the package this file belongs to. */
export const version = readVersion();

function readVersion(): string {
  const text = packageFile("package.json");
  return text === undefined ? "unknown" : ((JSON.parse(text) as { version?: string }).version ?? "unknown");
}
