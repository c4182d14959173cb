/** One entry of a drawer as its file shows it. */
export interface FileEntry {
  readonly id?: string;
  readonly text: string;
}

/** What a Markdown file of the mirror says: a drawer (or, in `README.md`, a room), its own text, and what lies in it. */
export interface DrawerFile {
  readonly id?: string;
  readonly body: string;
  readonly entries: readonly FileEntry[];
}

export interface ShownEntry extends FileEntry {
  /** What others say instead, when it is contested. */
  readonly others?: readonly string[];
}

/** Comments that mean something to us. One that a text holds itself is marked by a backslash. */
const OURS = /<!-- (\\*)(\^|contested|entries -->)/g;
const escaped = (text: string): string => text.replace(OURS, "<!-- \\$1$2");
const unescaped = (text: string): string =>
  text.replace(OURS, (whole, slashes: string, word: string) =>
    slashes === "" ? whole : `<!-- ${slashes.slice(1)}${word}`,
  );

const ID = /(?<![ \t])[ \t]*<!-- \^([^\s>]+) -->/;
const ID_LINE = /^<!-- \^([^\s>]+) -->[ \t]*$/;
const CONTESTED = /\n?[ \t]*<!-- contested[\s\S]*?-->/g;
/** Only before the last end of a comment: where none follows, every beginning would be looked on from to the end. */
const withoutContested = (text: string): string => {
  const end = text.lastIndexOf("-->") + 3;
  return end < 3 ? text : text.slice(0, end).replace(CONTESTED, "") + text.slice(end);
};
const SEPARATOR = "<!-- entries -->";
const ITEM = /^[-*+][ \t]+\S|^[-*+][ \t]*$/;
/** Lines that begin something else, so that they do not go on with an item although they follow it directly. */
const BEGINS = /^(?:#{1,6}\s|>|```|~~~|\||<!--|\d+[.)]\s|-{3,}[ \t]*$|\*{3,}[ \t]*$|_{3,}[ \t]*$)/;

const marker = (id: string): string => `<!-- ^${encodeURIComponent(id).replaceAll("--", "%2D%2D")} -->`;
function idIn(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** A file for people: the name as heading, the text, the entries as a list; ids are comments at their ends. */
export function renderDrawer(
  name: string,
  file: DrawerFile & { readonly entries: readonly ShownEntry[] },
): string {
  const body = escaped(normal(file.body)).trim();
  const heading = /^#[ \t]/.test(body) && headingOf(body) !== name ? [] : [`# ${escaped(oneLine(name))}`];
  const own =
    headingOf(body) === name
      ? body.slice(body.indexOf("\n") < 0 ? body.length : body.indexOf("\n")).trim()
      : body;
  const items = file.entries.map(renderItem).join("");
  const parts = [...heading, ...(own === "" ? [] : [own])];
  if (endsInList(own)) parts.push(SEPARATOR);
  if (items !== "") parts.push(items.trimEnd());
  if (file.id !== undefined) parts.push(marker(file.id));
  return `${parts.join("\n\n")}\n`;
}

function renderItem({ id, text, others = [] }: ShownEntry): string {
  const [first = "", ...rest] = escaped(normal(text)).trim().split("\n");
  const lines = [`- ${first}`, ...rest.map((line) => (line.trim() === "" ? "" : `  ${line}`))];
  if (id !== undefined) lines.push(`${lines.pop()} ${marker(id)}`);
  for (const other of others)
    lines.push(`  <!-- contested, also: ${oneLine(other).replaceAll("--", "- -")} -->`);
  return `${lines.join("\n")}\n`;
}

/** Reads a file that somebody may have edited. `name` is what its heading says if the heading is ours. */
export function parseDrawer(source: string, name: string): DrawerFile {
  let id: string | undefined;
  const lines = normal(source.replace(/^\ufeff/, ""))
    .split("\n")
    .filter((line) => {
      const found = idIn(ID_LINE.exec(line)?.[1]);
      id ??= found;
      return found === undefined;
    });
  const first = lines.findIndex((line) => line.trim() !== "");
  if (first >= 0 && unescaped(headingOf(lines[first] as string) ?? "") === oneLine(name))
    lines.splice(0, first + 1);
  const { body, entries } = split(lines);
  return { ...(id !== undefined && { id }), body: unescaped(body), entries };
}

interface Block {
  readonly lines: string[];
  readonly isList: boolean;
}

/** Lists that hold ids, that follow the separator, or that are the end of the file are entries; the rest is text. */
function split(lines: readonly string[]): { body: string; entries: FileEntry[] } {
  const at = lines.findIndex((line) => line.trimEnd() === SEPARATOR);
  const parts =
    at < 0
      ? [lines]
      : [lines.slice(0, at), lines.slice(at + 1).filter((line) => line.trimEnd() !== SEPARATOR)];
  const body: string[] = [];
  const entries: FileEntry[] = [];
  for (const [index, part] of parts.entries()) {
    const blocks = blocksOf(part);
    for (const [place, block] of blocks.entries()) {
      const isLast = place === blocks.length - 1;
      const isEntries =
        block.isList && (block.lines.some((line) => ID.test(line)) || index === 1 || (at < 0 && isLast));
      if (isEntries) entries.push(...itemsOf(block.lines));
      else body.push(...block.lines, "");
    }
  }
  return {
    body: body
      .join("\n")
      .replace(/\n{3,}/g, "\n\n")
      .trim(),
    entries,
  };
}

/** Stretches of list items, and of anything else. */
function blocksOf(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  const add = (line: string, isList: boolean): void => {
    const last = blocks.at(-1);
    if (last?.isList === isList) last.lines.push(line);
    else blocks.push({ lines: [line], isList });
  };
  let wasBlank = true;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string;
    const inList = blocks.at(-1)?.isList === true;
    const fence = /^(```+|~~~+)/.exec(line)?.[1];
    const end = fence === undefined ? -1 : lines.findIndex((other, to) => to > at && other.startsWith(fence));
    if (line.trim() === "") {
      if (blocks.length > 0) blocks.at(-1)?.lines.push("");
    } else if (end > 0) {
      for (; at <= end; at++) add(lines[at] as string, false);
      at--;
    } else if (ITEM.test(line)) add(line, true);
    else if (inList && (/^(?: {2,}|\t)/.test(line) || (!wasBlank && !BEGINS.test(line)))) add(line, true);
    else add(line, false);
    wasBlank = line.trim() === "";
  }
  return blocks;
}

function itemsOf(lines: readonly string[]): FileEntry[] {
  const items: string[][] = [];
  for (const line of lines)
    if (ITEM.test(line)) items.push([line.replace(/^[-*+][ \t]*/, "")]);
    else items.at(-1)?.push(line.replace(/^(?: {1,2}|\t)/, ""));
  return items.flatMap((item) => {
    const whole = withoutContested(item.join("\n"));
    const id = idIn(ID.exec(whole)?.[1]);
    const text = unescaped(whole.replace(ID, "")).trim();
    return text === "" ? [] : [{ ...(id !== undefined && { id }), text }];
  });
}

/** What a file says of the place itself. */
export const readBody = (file: string, name: string): string => parseDrawer(file, name).body;

/** A text as it comes back from a file that nobody edited. */
export const asShown = (text: string): string =>
  itemsOf(renderItem({ text }).trimEnd().split("\n"))[0]?.text ?? "";

const headingOf = (text: string): string | undefined =>
  /^#[ \t](.*)(?:\n|$)/
    .exec(text)?.[1]
    ?.replace(/^[ \t]+/, "")
    .replace(/(?<![ \t])[ \t]+$/, "");
const endsInList = (body: string): boolean => blocksOf(body.split("\n")).at(-1)?.isList === true;
const normal = (text: string): string => text.replace(/\r\n?/g, "\n");
const oneLine = (text: string): string => text.replace(/\s+/gu, " ").trim();
