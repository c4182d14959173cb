import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { saidOnLine, withoutHostWords } from "./transcript.js";

const saidIn = (host: string): string[] =>
  readFileSync(new URL(`../../test/fixtures/hosts/${host}.jsonl`, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .flatMap((line) => {
      const said = saidOnLine(JSON.parse(line));
      return said ? [`${said.role}: ${said.text}`] : [];
    });

describe("C810 of a transcript only what somebody said is said", () => {
  it("C810 Claude Code: commands, output, notices, side conversations, summaries and reminders are left out", () => {
    expect(saidIn("claude")).toEqual([
      "user: The orchard wall is two metres high.",
      "assistant: Noted: the wall is two metres high.",
      "user: And the gate opens inwards.",
    ]);
  });
  it("C810 Codex: its context, instructions and aborted turns are left out, and events that repeat", () => {
    expect(saidIn("codex")).toEqual([
      "user: The orchard wall is two metres high.",
      "assistant: Noted, two metres.",
    ]);
  });
  it("C810 Gemini CLI: its context and thoughts are left out", () => {
    expect(saidIn("gemini")).toEqual([
      "user: The orchard wall is two metres high.",
      "assistant: Noted, two metres.",
    ]);
  });
});

describe("C811 what hosts wrap into a text goes, what a person wrote stays", () => {
  it.each([
    ["<system-reminder>\nBe brief.\n</system-reminder>\nThe wall is high.", "The wall is high."],
    ["<system-reminder>Be brief.</system-reminder>The wall is high.", "The wall is high."],
    ["The wall is high. <system-reminder>Be brief.</system-reminder>", "The wall is high."],
    [
      "<some-new-wrapper kind='x'>\nof the host\n</some-new-wrapper>\n\nThe wall is high.",
      "The wall is high.",
    ],
    ["<note>one</note><note>two</note>\nThe wall is high.", "The wall is high."],
    ["<outer-thing><outer-thing>a</outer-thing>b</outer-thing>\nThe wall is high.", "The wall is high."],
    ["The wall is high.\n<cut-wrapper>\nnever closed", "The wall is high."],
    ["[Request interrupted by user for tool use]\nThe wall is high.", "The wall is high."],
    ["This session is being continued from a previous conversation: the wall is low.", ""],
  ])("C811 %j", (text, left) => {
    expect(withoutHostWords(text)).toBe(left);
  });
  it.each([
    "Make the <b>bold</b> words red.",
    "<b>Bold</b> is what I want.",
    "Use <my-element></my-element> in the header.",
    "Is a < b and b > c?",
    "A `Map<string, number>` holds it.",
    "I <3 this.",
    "```xml\n<dependency>\n  <id>x</id>\n</dependency>\n```\nWhy does it fail?",
    "<T> is the type.",
  ])("C811 stays: %j", (text) => {
    expect(withoutHostWords(text)).toBe(text);
  });
  it("C811 any text, however long and however many elements it has", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(typeof withoutHostWords(text)).toBe("string");
      }),
    );
    for (const part of ["<a>\n", "<a-b>\n", "\n<a>x</a> y", "<", "```\n<a>", "<a "])
      withoutHostWords(part.repeat(50_000));
  });
});
