import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withoutFrame } from "./frame.js";

describe("RC5 what a question is about, without the words that ask whether it is remembered", () => {
  it.each([
    ["Do you remember what the editor theme is?", "what the editor theme is?"],
    ["do you remember the editor theme", "the editor theme"],
    ["Hey, can you still recall which command runs the tests?", "which command runs the tests?"],
    ["What did I tell you about the garden fence?", "the garden fence?"],
    ["Have I ever mentioned my wife's name to you?", "my wife's name?"],
    ["Please remind me when school starts.", "when school starts."],
    ["What is the theme, do you remember?", "what is the theme?"],
    ["Weißt du noch, wie das Thema des Editors heißt?", "wie das Thema des Editors heißt?"],
    ["Was habe ich dir über den Zaun erzählt?", "den Zaun?"],
    ["Te souviens-tu du thème de l'éditeur ?", "thème de l'éditeur ?"],
    ["¿Recuerdas cuál es el tema del editor?", "cuál es el tema del editor?"],
    ["你还记得编辑器的主题是什么吗？", "编辑器的主题是什么？"],
  ])("RC5 %s", (question, about) => {
    expect(withoutFrame(question).toLowerCase()).toBe(about.toLowerCase());
  });
  it.each([
    ["What's the status of PAL-198?", "PAL-198?"],
    ["status of the migration", "the migration"],
    ["Was ist der Stand der Migration?", "Migration?"],
    ["What does ADR-9 say?", "what does ADR-9?"],
  ])("RC121 nor those that ask how things stand: %s", (question, about) => {
    expect(withoutFrame(question).toLowerCase()).toBe(about.toLowerCase());
  });
  it.each([
    "What is the editor theme?",
    "Do you remember?",
    "What did you recommend for the fence?",
    "Who told Anna about the party?",
    "What do we know about the outage?",
    "Sabesan's address",
    "",
  ])("RC5 %s stays as it is", (question) => {
    expect(withoutFrame(question)).toBe(question);
  });
  it("RC5 something is left of whatever says something, in time that does not grow with it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 80 }), (text) => {
        expect(withoutFrame(text) === "").toBe(text === "");
      }),
    );
    for (const part of ["do you remember ", "please ", "again ", " , ", "你还记得"])
      withoutFrame(part.repeat(50_000));
  });
});
