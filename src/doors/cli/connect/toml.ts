/**
 * Adds, replaces or removes one table of a TOML file and leaves every other character as it is. A table is taken to reach
 * from its header to the next one, with the tables below it.
 */

/** The text with a table of these lines; an existing one of that name is replaced. */
export function setTable(text: string, name: readonly string[], lines: readonly string[]): string {
  if (text.includes("\r\n") && !/[^\r]\n/.test(text))
    return setTable(text.replaceAll("\r\n", "\n"), name, lines).replaceAll("\n", "\r\n");
  const table = `[${name.map(bare).join(".")}]\n${lines.join("\n")}\n`;
  const found = tableAt(text, name);
  if (found) return text.slice(0, found.start) + table + separated(text.slice(found.end));
  return text.trim() === "" ? table : `${text.replace(/(?<!\n)\n+$/, "")}\n\n${table}`;
}

export function removeTable(text: string, name: readonly string[]): string {
  const found = tableAt(text, name);
  if (!found) return text;
  const before = text.slice(0, found.start);
  const after = text.slice(found.end);
  if (after === "") return before.replace(/(?<!\n)\n\n+$/, "\n");
  return before + (/\n\r?\n$/.test(before) ? after.replace(/^\r?\n/, "") : after);
}

/** The lines of a table below its header, trimmed. */
export function tableLines(text: string, name: readonly string[]): string[] | undefined {
  const found = tableAt(text, name);
  return (
    found &&
    text
      .slice(found.start, found.end)
      .split("\n")
      .slice(1)
      .map((row) => row.trim())
      .filter(Boolean)
  );
}

/** What a table says beside these keys, with the tables below it, each as it is written. */
export function otherRows(text: string, name: readonly string[], keys: readonly string[]): string[] {
  const found = tableAt(text, name);
  if (!found) return [];
  const table = text.slice(found.start, found.end);
  const rows = [...topLevel(table)];
  const isOwn = rows.map(
    ({ header }, at) => rows.slice(0, at + 1).filter((one) => one.header).length === 1 && !header,
  );
  return rows.flatMap(({ row, header }, at) => {
    if (header && header.length === name.length) return [];
    const [key = ""] = isOwn[at] ? keysOf(/^([^=#]+)=/.exec(row)?.[1] ?? "") : [];
    return keys.includes(key) ? [] : [row.replace(/\r$/, "")];
  });
}

/** Is something of that name written in another form, as a dotted key or an inline table? */
export function isWrittenOtherwise(text: string, [first = "", ...rest]: readonly string[]): boolean {
  let path: readonly string[] = [];
  for (const { row, header } of topLevel(text)) {
    if (header) path = header;
    const key = keysOf(/^([^=#]+)=/.exec(row)?.[1] ?? "");
    const whole = header ? [] : [...path, ...key];
    const isAbove = key.length > 0 && whole.length <= rest.length + 1 && startsWith([first, ...rest], whole);
    const isDotted =
      key.length > 0 && startsWith(whole, [first, ...rest]) && !startsWith(path, [first, ...rest]);
    if (isAbove || isDotted) return true;
  }
  return false;
}

function tableAt(text: string, name: readonly string[]): { start: number; end: number } | undefined {
  let start: number | undefined;
  for (const { at, header } of topLevel(text)) {
    if (!header) continue;
    const isOurs = startsWith(header, name);
    if (start === undefined && isOurs) start = at;
    else if (start !== undefined && !isOurs) return { start, end: commentsAbove(text, at) };
  }
  return start === undefined ? undefined : { start, end: text.length };
}

/** Comments and blanks right above a table are its own. */
function commentsAbove(text: string, at: number): number {
  let start = at;
  for (;;) {
    const line = text.lastIndexOf("\n", start - 2) + 1;
    if (start <= line || !/^[ \t]*(?:#.*)?$/.test(text.slice(line, start - 1))) return start;
    start = line;
  }
}

const separated = (rest: string): string => (rest === "" || /^\s*\n/.test(rest) ? rest : `\n${rest}`);

/** The lines that are not inside a string, a list or an inline table, each with its header if it is one. */
function* topLevel(
  text: string,
): Generator<{ at: number; row: string; header: readonly string[] | undefined }> {
  const token = /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|[[\]{}\n]/g;
  let depth = 0;
  let start = 0;
  let isHeader = /^[ \t]*\[/.test(text);
  const rowAt = (end: number) => {
    const row = text.slice(start, end);
    const header = isHeader ? keysOf(/^\s*\[\[?(.*?)\]\]?\s*(?:#.*)?$/.exec(row)?.[1] ?? "") : undefined;
    return { at: start, row, header };
  };
  for (const { 0: found, index } of text.matchAll(token)) {
    if (found === "\n" && depth === 0) {
      yield rowAt(index);
      start = index + 1;
      isHeader = /^[ \t]*\[/.test(text.slice(start, start + 200));
    } else if (/[[{]/.test(found.length === 1 ? found : "")) depth++;
    else if (/[\]}]/.test(found.length === 1 ? found : "")) depth = Math.max(0, depth - 1);
  }
  if (start < text.length) yield rowAt(text.length);
}

const keysOf = (dotted: string): string[] =>
  [...dotted.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|([A-Za-z0-9_-]+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? "",
  );
const bare = (key: string): string => (/^[A-Za-z0-9_-]+$/.test(key) ? key : JSON.stringify(key));
const startsWith = (list: readonly string[], start: readonly string[]): boolean =>
  start.length <= list.length && start.every((key, at) => key === list[at]);
