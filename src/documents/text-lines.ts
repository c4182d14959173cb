/** One line of a file: its text, or why it has none. */
export type TextLine = { readonly number: number } & (
  | { readonly text: string }
  | { readonly problem: string }
);

/** No memory comes near this; a file without line feeds must not fill the machine's. */
export const MAX_LINE = 4 * 1024 * 1024;

/**
 * Lines of a stream of UTF-8 bytes, holding no more than one of them: LF or CRLF, with or without a byte order
 * mark, blank ones left out but counted.
 */
export async function* linesOf(
  source: AsyncIterable<Uint8Array | string>,
  longest = MAX_LINE,
): AsyncGenerator<TextLine> {
  let parts: Buffer[] = [];
  let size = 0;
  let number = 0;
  const take = (): TextLine | undefined => {
    number++;
    const bytes = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    const tooLong = size > longest;
    parts = [];
    size = 0;
    return tooLong ? { number, problem: `is longer than ${longest} bytes` } : decoded(bytes, number);
  };
  const keep = (piece: Buffer): void => {
    size += piece.length;
    if (size > longest) parts = [];
    else if (piece.length > 0) parts.push(piece);
  };
  for await (const chunk of source) {
    const bytes = Buffer.from(chunk as Uint8Array);
    let from = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      keep(bytes.subarray(from, end));
      from = end + 1;
      const line = take();
      if (line) yield line;
    }
    keep(bytes.subarray(from));
  }
  const last = size > 0 ? take() : undefined;
  if (last) yield last;
}

const STRICT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decoded(bytes: Buffer, number: number): TextLine | undefined {
  try {
    const text = STRICT.decode(bytes);
    const plain = number === 1 && text.startsWith("\ufeff") ? text.slice(1) : text;
    return plain.trim() === "" ? undefined : { number, text: plain };
  } catch {
    return { number, problem: "is not UTF-8 text" };
  }
}
