/**
 * Changes one member of a JSON file as people write them, with comments and trailing commas: only the characters of that
 * member move, everything else stays as it is, byte for byte.
 */
export class NotJson extends Error {}

interface Member {
  readonly key: string;
  /** From the quote of the key to the end of the value. */
  readonly start: number;
  readonly end: number;
  readonly value: Value;
}
interface Value {
  readonly start: number;
  readonly end: number;
  /** Of an object; undefined for anything else. */
  readonly members: readonly Member[] | undefined;
  /** Of a list. */
  readonly items?: readonly Value[];
}

/** Sets a member below the root, making the objects on the way. An empty text is an empty object. */
export function setMember(text: string, path: readonly string[], value: unknown): string {
  const root = text.trim() === "" ? "{}\n" : text;
  if (JSON.stringify(memberAt(root, path)) === JSON.stringify(value)) return text;
  if (!root.includes("\r\n") || /[^\r]\n/.test(root)) return setIn(root, rootOf(root), path, value, 1);
  return setMember(root.replaceAll("\r\n", "\n"), path, value).replaceAll("\n", "\r\n");
}

/** The text without a member; unchanged if it is not there. Comments around it stay. */
export function removeMember(text: string, path: readonly string[]): string {
  let at: Value | undefined = text.trim() === "" ? undefined : rootOf(text);
  for (const key of path.slice(0, -1)) at = at && named(at, key)?.value;
  const member = at && named(at, path.at(-1) ?? "");
  if (!at?.members || !member) return text;
  const index = at.members.indexOf(member);
  const comma = skip(text, member.end);
  const end = text[comma] === "," ? comma + 1 : member.end;
  const isLineEnd = /^[ \t]*(?:\r?\n|$)/.test(text.slice(end));
  const start = isLineEnd ? text.slice(0, member.start).replace(/\r?\n[ \t]*$/, "").length : member.start;
  const before = at.members[index - 1];
  // The comma before the last member stands only because of it.
  const isOwed = before && end === member.end && index === at.members.length - 1;
  const cut = isOwed ? skip(text, before.end) : start;
  return text.slice(0, cut) + (isOwed ? text.slice(cut + 1, start) : "") + text.slice(end);
}

/** Puts a value at the end of a list, making the list and what is on the way; what is in it stays as it is written. */
export function addItem(text: string, path: readonly string[], value: unknown): string {
  if (text.includes("\r\n") && !/[^\r]\n/.test(text))
    return addItem(text.replaceAll("\r\n", "\n"), path, value).replaceAll("\n", "\r\n");
  const at = valueOn(text, path);
  if (at && !at.items) throw new NotJson(`${path.join(".")} is not a list`);
  const last = at?.items?.at(-1);
  if (!last) return setMember(text, path, [value]);
  const line = text.slice(text.lastIndexOf("\n", last.start) + 1, last.start);
  const indent = /^[ \t]*$/.test(line) ? line : undefined;
  const said = JSON.stringify(value, undefined, indent === undefined ? undefined : "  ");
  const put = indent === undefined ? ` ${said}` : `\n${indent}${said.replaceAll("\n", `\n${indent}`)}`;
  return `${text.slice(0, last.end)},${put}${text.slice(last.end)}`;
}

/** A list without the items that are meant; one that is then empty goes with it. */
export function removeItems(
  text: string,
  path: readonly string[],
  isMeant: (item: unknown) => boolean,
): string {
  const at = valueOn(text, path);
  const items = at?.items ?? [];
  const index = items.findIndex((item) => isMeant(parsedAt(text, item)));
  const item = items[index];
  if (!item) return text;
  if (items.length === 1) return removeMember(text, path);
  const next = items[index + 1];
  const before = items[index - 1];
  const left = before
    ? text.slice(0, before.end) + text.slice(item.end)
    : text.slice(0, item.start) + text.slice(next?.start);
  return removeItems(left, path, isMeant);
}

function valueOn(text: string, path: readonly string[]): Value | undefined {
  let at: Value | undefined = text.trim() === "" ? undefined : rootOf(text);
  for (const key of path) at = at && named(at, key)?.value;
  return at;
}

const parsedAt = (text: string, { start, end }: Value): unknown => JSON.parse(plain(text.slice(start, end)));

/** A member's value, or undefined. */
export function memberAt(text: string, path: readonly string[]): unknown {
  const at = valueOn(text, path);
  return at && parsedAt(text, at);
}

function setIn(text: string, at: Value, path: readonly string[], value: unknown, depth: number): string {
  const [key = "", ...rest] = path;
  if (!at.members) throw new NotJson(`what holds ${JSON.stringify(key)} is not an object`);
  const known = named(at, key);
  if (known && rest.length > 0) return setIn(text, known.value, rest, value, depth + 1);
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
  const whole = rest.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  const said = JSON.stringify(whole, undefined, unit).replaceAll("\n", `\n${unit.repeat(depth)}`);
  if (known) return text.slice(0, known.value.start) + said + text.slice(known.value.end);
  const member = `\n${unit.repeat(depth)}${JSON.stringify(key)}: ${said}`;
  const last = at.members.at(-1);
  if (!last) {
    const inside = text.slice(at.start + 1, at.end - 1);
    const kept = inside.trim() === "" ? "" : inside.replace(/\n[ \t]*$/, "");
    return `${text.slice(0, at.start + 1)}${kept}${member}\n${unit.repeat(depth - 1)}${text.slice(at.end - 1)}`;
  }
  const comma = skip(text, last.end);
  const isTrailing = text[comma] === ",";
  const place = isTrailing ? comma + 1 : last.end;
  const tail = text.slice(place);
  // A comment on the line of the last member belongs to it.
  const comment = /^[ \t]*(?:\/\/[^\n]*|\/\*[^\n]*?\*\/[ \t]*)(?=\n)/.exec(tail)?.[0] ?? "";
  return `${text.slice(0, place)}${isTrailing ? "" : ","}${comment}${member}${isTrailing ? "," : ""}${tail.slice(comment.length)}`;
}

function rootOf(text: string): Value {
  const start = skip(text, text.startsWith("\ufeff") ? 1 : 0);
  const root = valueAt(text, start);
  if (!root.members || skip(text, root.end) !== text.length) throw new NotJson("it is not one JSON object");
  return root;
}

function valueAt(text: string, start: number): Value {
  const char = text[start];
  if (char === "{") return objectAt(text, start);
  if (char === "[") return arrayAt(text, start);
  const end = char === '"' ? stringEnd(text, start) : wordEnd(text, start);
  if (end === start) throw new NotJson(`a value is missing at character ${start}`);
  JSON.parse(text.slice(start, end));
  return { start, end, members: undefined };
}

/** By hand: texts in such files may be longer than a regular expression can walk back over. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at + 1;
  }
  throw new NotJson("a text does not end");
}

function wordEnd(text: string, start: number): number {
  const word = /[^\s,\]}/":[{]*/y;
  word.lastIndex = start;
  word.exec(text);
  return Math.max(start, word.lastIndex);
}

function objectAt(text: string, start: number): Value {
  const members: Member[] = [];
  let at = skip(text, start + 1);
  while (text[at] !== "}") {
    const key = valueAt(text, at);
    const colon = skip(text, key.end);
    if (text[at] !== '"' || text[colon] !== ":") throw new NotJson(`a key is expected at character ${at}`);
    const value = valueAt(text, skip(text, colon + 1));
    members.push({ key: JSON.parse(text.slice(key.start, key.end)), start: at, end: value.end, value });
    at = afterComma(text, value.end, "}");
  }
  return { start, end: at + 1, members };
}

function arrayAt(text: string, start: number): Value {
  const items: Value[] = [];
  let at = skip(text, start + 1);
  while (text[at] !== "]") {
    const item = valueAt(text, at);
    items.push(item);
    at = afterComma(text, item.end, "]");
  }
  return { start, end: at + 1, members: undefined, items };
}

function afterComma(text: string, end: number, close: string): number {
  const at = skip(text, end);
  if (text[at] === ",") return skip(text, at + 1);
  if (text[at] !== close) throw new NotJson(`"," or "${close}" is expected at character ${at}`);
  return at;
}

/** Past blanks and comments. */
function skip(text: string, from: number): number {
  const blank = /(?:\s|\/\/[^\n]*\n?|\/\*[\s\S]*?\*\/)*/y;
  blank.lastIndex = from;
  blank.exec(text);
  return Math.max(from, blank.lastIndex);
}

/** Of several with one key the last counts, as for whoever parses it. */
const named = ({ members }: Value, key: string): Member | undefined =>
  members?.findLast((member) => member.key === key);

/** Without comments and trailing commas; strings are left alone. */
const plain = (text: string): string =>
  text
    .replace(/("(?:[^"\\]|\\.)*"?)|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, (_, string = "") => string)
    .replace(/("(?:[^"\\]|\\.)*"?)|,(?=\s*[\]}])/g, (_, string = "") => string);
