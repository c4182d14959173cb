import { checkGiven, text } from "../repo/index.js";
/** The last part of a path: what comes after the last slash (or backslash). */
export function fileName(path: string): string {
  checkGiven("fileName", { path }, { path: text });
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}
