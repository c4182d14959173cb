import fc from "fast-check";
import { checkSync } from "recheck";
import { describe, expect, it } from "vitest";
import { cardBrand, isIban, isSsn, luhn } from "./personal.js";
import { PROVIDER_RULES } from "./provider-rules.js";
import { scan } from "./scan.js";
import { SHAPE_RULES } from "./shape-rules.js";

const kinds = (text: string): string[] => scan(text).map(({ kind }) => kind);
/** A made-up token: nothing of the kind was ever issued. */
const TOKEN = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;

describe("A12 secrets and personal data are found by shape and by what stands around them (B19, B20)", () => {
  it.each([
    ["secret", `use ${TOKEN} for now`],
    ["secret", "postgres://heron:rJ8cJk3acOR0jt@db1.heron.example:5432/main"],
    ["secret", "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n-----END RSA PRIVATE KEY-----"],
    ["password", "The admin password of the printer is Kettle+Meadow71"],
    ["password", "la contraseña del taller es limonVerde52"],
    ["password", "The PIN of the garage door is 8052"],
    ["password", "my passcode is 774411"],
    ["password", "The password of the old router was 20418855, she said"],
    ["password", "La clave del wifi es Perro$2024"],
    ["ssn", "social security number 412-63-7085"],
    ["card", "paid by Mastercard 5425 2334 3010 9903 in May"],
    ["iban", "Transfer to DE89 3704 0044 0532 0130 00"],
    ["email", "Write to anna@example.com"],
    ["phone", "call me at +1 (212) 555-0187"],
    ["ip", "the printer answers at 203.0.113.77"],
  ])("A12 %s: %s", (kind, text) => expect(kinds(text)).toContain(kind));

  it.each([
    "Passwords expire after 90 days unless renewed",
    "The longest password is 1024 characters",
    "La clave del éxito es la paciencia",
    "The password lies in the safe of the front office",
    "password = <ask the operator>",
    "set API_TOKEN=your-token-goes-here first",
    "The key to the archive hangs behind the counter",
    "Revision 7d1f0c3a9b52e84416ac0d93be5f27c81a60d4e9 is stable",
    "epoch 1712345678901 marks the start",
    "Recorded on 2031-11-02-23-59-07",
    "the job reads os.environ.MAILER_API_KEY at start",
    "The secret to a calm harbour is a long pier",
    "See chapter 7.4.1.12 of the manual",
  ])("A12 nothing in: %s", (text) => expect(kinds(text)).toEqual([]));
});

describe("A13 a hidden form is found like the plain one (B19)", () => {
  const twins: Record<string, string> = {
    "zero-width": [...TOKEN].join("\u200b"),
    "full-width": TOKEN.replace(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0)),
    "split line": `${TOKEN.slice(0, 20)}\n${TOKEN.slice(20)}`,
    base64: Buffer.from(TOKEN).toString("base64"),
  };
  it.each(Object.entries(twins))("A13 %s", (_, twin) => {
    const text = `note: ${twin} is it`;
    const [finding] = scan(text);
    expect(finding?.kind).toBe("secret");
    expect(text.slice(finding?.start, finding?.end)).toContain(twin.slice(0, 10));
    expect(text.slice(finding?.end)).toMatch(/is it$/);
  });
});

describe("A14 numbers are judged by their checksums (B20)", () => {
  it("A14 any single wrong digit makes a card or IBAN none", () => {
    for (const [digits, check] of [
      ["4539578763621486", (text: string) => luhn(text)],
      ["DE89370400440532013000", isIban],
    ] as const)
      for (let at = 2; at < digits.length; at++)
        for (let digit = 0; digit < 10; digit++) {
          const other = digits.slice(0, at) + digit + digits.slice(at + 1);
          expect(check(other)).toBe(other === digits);
        }
  });
  it("A14 social security areas 000, 666 and from 900, group 00 and serial 0000 are never issued", () => {
    for (let area = 0; area < 1000; area++)
      expect(isSsn(`${String(area).padStart(3, "0")}228146`)).toBe(area !== 0 && area !== 666 && area < 900);
    expect([isSsn("536008146"), isSsn("536220000"), isSsn("078051120")]).toEqual([false, false, false]);
  });
  it("A14 a number that other things have too needs the word", () => {
    expect([cardBrand("4539578763621486"), cardBrand("1234567890123")]).toEqual(["sure", undefined]);
  });
});

describe("A15 no input makes a rule slow (B18)", () => {
  // No time limits, so that a busy machine gives the same answer; the search is kept small instead.
  const SEARCH = {
    timeout: null,
    checker: "fuzz",
    randomSeed: 1,
    maxIteration: 3,
    maxInitialGenerationSize: 100,
    maxGenerationSize: 30,
  } as const;
  const status = ({ source, flags }: RegExp) => checkSync(source, flags, SEARCH).status;
  /** In the default run those whose parts of any length stand side by side. */
  const rules = process.env.PAL_TORTURE
    ? [...PROVIDER_RULES, ...SHAPE_RULES]
    : SHAPE_RULES.filter(({ name }) => ["jwt", "url", "account"].includes(name));

  it.each(rules.map((rule) => [rule.name, rule.pattern] as const))("A15 %s %s", (_, pattern) =>
    expect(status(pattern)).toBe("safe"),
  );
  it("A15 and a slow one would be found", () => {
    expect(status(/(?:a+)+b/)).toBe("vulnerable");
  });
  it("A16 every code point passes every rule without a throw, and findings lie within the text in order", () => {
    for (let from = 0; from < 0x110000; from += 0x1000) {
      let text = "";
      for (let code = from; code < from + 0x1000; code++)
        if (code < 0xd800 || code > 0xdfff) text += String.fromCodePoint(code);
      let last = 0;
      for (const { start, end } of scan(text)) {
        expect(start).toBeGreaterThanOrEqual(last);
        expect(end).toBeGreaterThan(start);
        last = end;
      }
    }
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        for (const { start, end } of scan(text)) expect(start < end && end <= text.length).toBe(true);
      }),
    );
  });
});
