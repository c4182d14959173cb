import { packageFile } from "./package-file.js";

/** The version of the package this file belongs to. */
export const version = readVersion();

function readVersion(): string {
  const text = packageFile("package.json");
  return text === undefined ? "unknown" : ((JSON.parse(text) as { version?: string }).version ?? "unknown");
}
