import { readFileSync } from "node:fs";

const { version: text } = JSON.parse(
  readFileSync(new URL("../../../package.json", import.meta.url), "utf8"),
) as { version: string };

/** The version of the package this file lies in. */
export const version = text;
