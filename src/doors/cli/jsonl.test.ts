import { expect, it } from "vitest";
import { linesOf, MAX_LINE, type TextLine } from "../../documents/text-lines.js";
import { itemOf } from "./bulk.js";

async function lines(...chunks: (string | Uint8Array)[]): Promise<TextLine[]> {
  const all: TextLine[] = [];
  async function* source() {
    for (const chunk of chunks) yield Buffer.from(chunk as string);
  }
  for await (const line of linesOf(source())) all.push(line);
  return all;
}

it("C39 lines: LF, CRLF, a byte order mark, blank lines, no last line feed, cut anywhere", async () => {
  const text = '\ufeff{"a":1}\r\n\r\n  \n{"b":"é漢🎉"}\n"c"';
  const expected = [
    { number: 1, text: '{"a":1}\r' },
    { number: 4, text: '{"b":"é漢🎉"}' },
    { number: 5, text: '"c"' },
  ];
  expect(await lines(text)).toEqual(expected);
  const bytes = Buffer.from(text);
  for (let at = 0; at <= bytes.length; at++)
    expect(await lines(bytes.subarray(0, at), bytes.subarray(at))).toEqual(expected);
  expect(await lines(...[...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(expected);
  expect(await lines("")).toEqual([]);
});

it("C39 a line that is not UTF-8, or endless, is refused and the next one is read", async () => {
  const half = "x".repeat(MAX_LINE / 2 + 1);
  expect(await lines(Uint8Array.of(0xff, 10), "ok\n", half, half, half, "\nend")).toEqual([
    { number: 1, problem: "is not UTF-8 text" },
    { number: 2, text: "ok" },
    { number: 3, problem: `is longer than ${MAX_LINE} bytes` },
    { number: 4, text: "end" },
  ]);
});

it("C37 an item: an object or a text, with defaults, flat triples and times to live in words", () => {
  const item = (text: string, defaults = {}) => itemOf({ number: 7, text }, defaults);
  expect(item('{"text":"a","topic":"t"}\r', { scope: "shared" })).toEqual({
    number: 7,
    input: { text: "a", topic: "t", scope: "shared" },
  });
  expect(item('"a"')).toEqual({ number: 7, input: { text: "a" } });
  expect(item('{"subject":"Ann","predicate":"likes","object":"tea","ttl":"2h"}')).toEqual({
    number: 7,
    input: { triple: { subject: "Ann", predicate: "likes", object: "tea" }, ttl: 7_200_000 },
  });
  expect(item('{"text":"a","ttl":5000}')).toEqual({ number: 7, input: { text: "a", ttl: 5000 } });
  expect(item('{"text":"a","ttl":"soon"}')).toEqual({ number: 7, input: { text: "a", ttl: "soon" } });
  for (const bad of ["[1]", "null", "3", "true"])
    expect(item(bad)).toEqual({ number: 7, problem: "is not a JSON object" });
  expect(item("{oops")).toEqual({ number: 7, problem: expect.stringMatching(/^is not JSON/) });
});
