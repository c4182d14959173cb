import { describe, expect, it } from "vitest";
import { readTranscript } from "./transcript.js";

const said = (second: number, role: string, text: string) =>
  JSON.stringify({
    timestamp: `2026-01-01T00:00:0${second}Z`,
    type: "response_item",
    payload: { type: "message", role, content: [{ type: "text", text }] },
  });

describe("transcripts", () => {
  it("RC73 a message without an id has the same key when only the end of a transcript is read", () => {
    const lines = [said(1, "user", "yes"), said(2, "assistant", "Done."), said(3, "user", "yes")];
    const whole = readTranscript(lines.join("\n")).map(({ key }) => key);
    expect(new Set(whole).size).toBe(3);
    expect(readTranscript(lines.slice(1).join("\n")).map(({ key }) => key)).toEqual(whole.slice(1));
  });
});
