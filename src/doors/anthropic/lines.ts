/** Line numbers are six wide, so a file has at most as many lines as fit. */
export const MOST_LINES = 999_999;
const WIDTH = String(MOST_LINES).length;

export const numbered = (lines: readonly string[], first: number): string =>
  lines.map((line, at) => `${String(at + first).padStart(WIDTH, " ")}\t${line}`).join("\n");

/** The numbers of the lines that hold a text; for a text of several lines, those in which it begins. */
export function linesWith(content: string, text: string): number[] {
  if (!text.includes("\n"))
    return content.split("\n").flatMap((line, at) => (line.includes(text) ? [at + 1] : []));
  const found: number[] = [];
  let [line, counted] = [1, 0];
  for (let at = content.indexOf(text); at >= 0; at = content.indexOf(text, at + 1)) {
    // From the last place on: a text that stands in every line would be counted from the first each time.
    for (; counted < at; counted++) if (content[counted] === "\n") line++;
    found.push(line);
  }
  return found;
}

/** `8B`, `1.5K`: bytes as the tool shows them. */
export function sizeOf(bytes: number): string {
  if (bytes === 0) return "0B";
  const power = Math.min(3, Math.floor(Math.log(bytes) / Math.log(1024)));
  const size = bytes / 1024 ** power;
  return `${size % 1 === 0 ? size : size.toFixed(1)}${"BKMG"[power]}`;
}
