import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AskedFor, askedFor } from "./asked-for.js";
import { mayAnswer } from "./may-answer.js";

describe("RC118 what a question wants to be told", () => {
  it.each<[string, AskedFor | undefined]>([
    ["Who maintains the gateway?", "person"],
    ["and whose car is it", "person"],
    ["Who is Priya?", undefined],
    ["who's priya", undefined],
    ["Who is Maya's daughter?", "person"],
    ["When does the lease end?", "time"],
    ["how long do we keep logs?", "span"],
    ["how old is the cat", "age"],
    ["How many seats are left?", "amount"],
    ["What is Dr. Hassan's phone number?", "amount"],
    ["where do failed jobs end up?", "place"],
    ["Why did we drop Redis?", "reason"],
    ["What colour is the car?", "colour"],
    ["What is Felix's favourite game?", "liking"],
    ["What did Sofia say about the logo?", "opinion"],
    ["what's the cat called", "name"],
    ["Wie hoch ist das Budget?", "amount"],
    ["wo wohnt Lena?", "place"],
    ["Qui remplace Sophie ?", "person"],
    ["¿Cuándo es la reunión?", "time"],
    ["项目的预算是多少？", "amount"],
    ["How do we deploy?", undefined],
    ["Which database do we use?", undefined],
  ])("RC118 %s", (question, kind) => {
    expect(askedFor(question)).toBe(kind);
  });
});

describe("RC118 a fact may answer a question if it shows what is wanted", () => {
  it.each([
    ["who pays for the staging cluster?", "The staging cluster belongs to Dana."],
    ["who answers refund mails?", "Refund mails go to the support team."],
    ["Whose washing machine is it?", "The washing machine belongs to the landlord."],
    ["how old is the washing machine?", "The washing machine was bought in 2019."],
    ["how much is the rent?", "The rent is 1,150 euros."],
    ["how long does the cake bake?", "The cake has to bake for an hour."],
    ["when does the sweep come?", "The chimney sweep visits in the first week of May."],
    ["where does Ben live?", "Ben's flat is on Mill Road."],
    ["where is tara from", "Tara is a vet from Cork."],
    ["why no whale watching?", "Tim gets seasick, so no whale watching."],
    ["when is a rollout stopped?", "The rollout is stopped if precision falls."],
    ["Wer kümmert sich ums Deployment?", "Jonas kümmert sich um das Deployment."],
    ["Comment s'appelle la voisine ?", "La voisine est Madame Petit."],
    ["¿Dónde vive Diego?", "Mi hermano Diego vive en Valencia."],
    ["小李什么时候来？", "小李星期三来。"],
  ])("RC118 %s %s", (question, text) => {
    expect(mayAnswer(question, text)).toBe(true);
  });
  it.each([
    ["who pays for the staging cluster?", "The staging cluster runs in Frankfurt."],
    ["Who maintains the gateway?", "The default port of the gateway is 8443."],
    ["how old is the washing machine", "The washing machine belongs to the landlord."],
    ["how much does a piano lesson cost?", "Emma's piano lesson is every Tuesday at 4 pm."],
    ["How many people are in the design guild?", "Katja leads the design guild."],
    ["how long are logs kept in Loki?", "Logs are shipped to Loki by Promtail."],
    ["When is Omar's last day?", "Omar asked for a standing desk."],
    ["Why did we choose Turborepo?", "The monorepo is managed with Turborepo."],
    ["Where does Ben live?", "Ben quit smoking in April."],
    ["What is Felix's favourite game?", "The board game night is at Felix's place."],
    ["What did Marta say about the runbook?", "Marta is the owner of the runbook."],
    ["Wie alt ist Lukas?", "Lukas hat am 9. Mai Geburtstag."],
    ["Wo wohnt Frau Berger?", "Unsere Vermieterin heißt Frau Berger."],
    ["我们的服务器有多少内存？", "我们的服务器在上海。"],
  ])("RC118 not: %s %s", (question, text) => {
    expect(mayAnswer(question, text)).toBe(false);
  });
  it("RC118 any question and any text, however long", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (question, text) => {
        expect(typeof mayAnswer(`who ${question}`, text)).toBe("boolean");
      }),
    );
    for (const part of ["A", "Anna and ", "in ", "12:", "um ", "x-", "1."])
      for (const question of ["who?", "when?", "how much?", "where?", "why?", "what is it called?"])
        mayAnswer(question, part.repeat(20_000));
  });
});
