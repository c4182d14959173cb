/** The last part of a path: what comes after the last slash (or backslash). */
export const fileName = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
