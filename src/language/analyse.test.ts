import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { analyse, analyserId } from "./analyse.js";
import { detectLanguage } from "./detect.js";

const terms = (text: string, language?: string) => analyse(text, language).map(({ term }) => term);
const telling = (text: string, language?: string) =>
  analyse(text, language)
    .filter(({ stop }) => !stop)
    .map(({ term }) => term);

describe("T1 case, compatible forms and accents do not tell words apart", () => {
  it.each([
    ["Café", "cafe"],
    ["ＣＡＦＥ", "cafe"],
    ["cafe\u0301", "cafe"],
    ["Straße", "strasse"],
    ["Łódź", "lodz"],
    ["Ελλάδα", "ελλαδα"],
  ])("T1 %s", (written, term) => {
    expect(terms(written, "en")).toEqual([term]);
  });
});

describe("T2 words are stemmed by their language", () => {
  it.each([
    ["en", "running connections", ["run", "connect"]],
    ["de", "Häuser Katzen", ["haus", "katz"]],
    ["fr", "chevaux", ["cheval"]],
    ["es", "canciones", ["cancion"]],
    ["ru", "книгами", ["книг"]],
    ["xx", "running", ["run"]],
  ])("T2 %s %s", (language, text, expected) => {
    expect(terms(text, language)).toEqual(expected);
  });

  it("T2 a Latin word in another script's text is English", () => {
    expect(terms("сервер running", "ru")).toEqual(["сервер", "run"]);
  });
});

it("T3 function words are marked, not dropped", () => {
  expect(analyse("The Who")).toEqual([
    { term: "the", start: 0, end: 3, stop: true },
    { term: "who", start: 4, end: 7, stop: true },
  ]);
  expect(telling("I don't know Caroline's cat")).toEqual(["know", "carolin", "cat"]);
});

describe("T4 identifiers are found whole and in parts", () => {
  it.each([
    ["getUserById", ["getuserbyid", "get", "user", "by", "id"]],
    ["HTTPServer", ["httpserver", "http", "server"]],
    ["src/auth/login.ts", ["src/auth/login.ts", "src", "auth", "login.ts", "login", "ts"]],
    ["#1234", ["#1234", "1234"]],
    ["v2.3.1", ["v2.3.1", "2.3.1", "v2", "3", "1"]],
    ["ada@example.com", ["ada@example.com", "ada", "example.com", "exampl", "com"]],
    ["snake_case", ["snake_case", "snake", "case"]],
    ["kebab-case", ["kebab-case", "kebab", "case"]],
    ["__init__", ["__init__", "init"]],
  ])("T4 %s", (name, expected) => {
    expect(terms(`see ${name}.`, "en").slice(1)).toEqual(expected);
  });
});

describe("T5 scripts without blanks", () => {
  it("T5 Chinese gives characters and pairs, also beside Latin", () => {
    expect(terms("iPhone手机")).toEqual(["iphone", "i", "phone", "手", "手机", "机"]);
  });
  it("T5 Japanese gives pairs over kana", () => {
    expect(terms("東京タワー")).toEqual(["東", "東京", "京", "京タ", "タワ", "ワー"]);
  });
  it("T5 Thai gives words", () => {
    expect(terms("สวัสดีชาวโลก")).toEqual(["สวัสดี", "ชาว", "โลก"]);
  });
  it("T5 a Korean word is found with and without its particle", () => {
    expect(terms("학교에")).toContain(terms("학교")[0]);
  });
});

describe("T6 the language of a short text", () => {
  it.each([
    ["Where does she live?", "en"],
    ["Ada plays in Berlin", "en"],
    ["I don't know, it's Caroline's", "en"],
    ["Wo wohnt Ada?", "de"],
    ["C'est l'amie de Paul", "fr"],
    ["¿Dónde vive Ana?", "es"],
    ["Onde ela mora?", "pt"],
    ["Dove abita lei?", "it"],
    ["Waar woont zij?", "nl"],
    ["Jag bor i Malmö", "sv"],
    ["Хочу домой", "ru"],
    ["我住在北京", "zh"],
    ["東京に住んでいます", "ja"],
    ["สวัสดีชาวโลก", "th"],
    ["안녕하세요", "ko"],
    ["Kubernetes", undefined],
    ["", undefined],
  ])("T6 %s", (text, code) => {
    expect(detectLanguage(text)?.code).toBe(code);
  });
});

describe("T7 any text is analysed", () => {
  it("T7 tokens lie inside the text, are not empty, and come the same every time", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        fc.constantFrom(undefined, "en", "de", "zh", "tr"),
        (text, language) => {
          const tokens = analyse(text, language);
          for (const { term, start, end } of tokens) {
            expect(term).not.toBe("");
            expect(term.length).toBeLessThanOrEqual(100);
            expect(start >= 0 && start < end && end <= text.length).toBe(true);
          }
          expect(analyse(text, language)).toEqual(tokens);
        },
      ),
    );
  });

  it("T7 a word is found however it is punctuated", () => {
    const around = fc.stringMatching(/^[ !"$%&()*,;<=>?[\]^`{|}~\n\t]*$/);
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{3,12}$/), around, around, (word, before, after) => {
        expect(terms(`${before}${word}${after}`, "en")).toEqual(terms(word, "en"));
      }),
    );
  });

  it("T7 a blob of a megabyte is analysed in linear time", () => {
    expect(analyse("x".repeat(1_000_000))[0]?.term).toHaveLength(100);
    expect(analyse("a/".repeat(200_000)).length).toBeGreaterThan(100_000);
  });
});

it("T8 the analyser has a name that an index can be tagged with", () => {
  expect(analyserId).toMatch(/^text-\d+\/icu-/);
});
