import { posix } from "node:path";

const ROOT = "/memories";
/** A place for the root that no path can name by climbing out and in again. */
const BASE = `/\u0001${ROOT}`;

/** The part of a path below /memories, "" for itself. What would lead out of it is an error. */
export function inside(path: string): string {
  if (!path.startsWith(ROOT)) throw new Error(`Path must start with /memories, got: ${path}`);
  const relative = path.slice(ROOT.length).replace(/^\//, "");
  const whole = posix.resolve(BASE, relative === "" ? "." : posix.join(".", relative));
  if (whole !== BASE && !whole.startsWith(`${BASE}/`))
    throw new Error(`Path ${path} would escape /memories directory`);
  return whole.slice(BASE.length + 1);
}
