import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Tokenizer } from "@huggingface/tokenizers";
import { describe, expect, it } from "vitest";
import { SENTENCES } from "../search/embed/_embedder.js";
import { resolveModelDir } from "./safetensors.js";
import { WordPieceTokenizer } from "./tokenizer.js";

const json = JSON.parse(readFileSync(join(resolveModelDir(), "tokenizer.json"), "utf8"));
json.truncation = null;
json.padding = null;
const reference = new Tokenizer(json, {});
const words: string[] = [];
for (const [word, id] of Object.entries(json.model.vocab as Record<string, number>)) words[id] = word;
const tokenizer = new WordPieceTokenizer(Buffer.from(words.join("\n")));

const HARD = [
  "",
  " ",
  "Café naïve Ünïcödé façade",
  "你好世界 hello",
  "漢字かな交じり文",
  "🎉 party time 🎂!!",
  "👩‍👩‍👧 family",
  "foo_bar.baz(qux) => {x: 1}",
  "https://example.com/a?b=c&d=e#f",
  "it’s “smart” quotes — em-dash…",
  "Zürich straße İstanbul",
  "zero\u200bwidth\u200djoiner",
  "soft\u00adhyphen",
  "nbsp\u00a0and\u3000ideographic",
  "tab\tnew\nline\r\n",
  "null\u0000byte \ufffd replaced",
  "\ufeffbyte order mark",
  "x".repeat(100),
  "x".repeat(101),
  "x".repeat(150),
  "こんにちは 안녕하세요 привет мир",
  "שלום مرحبا",
  "$100 ^caret `tick` |pipe| ~tilde <tag> a+b=c",
  "e\u0301 combining vs \u00e9",
  "ﬁne ligature ½ ² ™",
  "don't can't won't",
  "1,234.56 3.14e-10",
  "¿Qué? ¡Hola! «guillemets»",
  "𝒽𝑒𝓁𝓁𝑜 math",
  "a\u2028b\u2029c",
  "MiXeD CaSe ALLCAPS",
  "___---***",
  "हिन्दी ไทย",
  "豈更 compatibility ideographs",
];

describe("WordPieceTokenizer", () => {
  it.each([...HARD, ...SENTENCES])("Y50 agrees with the reference tokenizer on %j", (text) => {
    expect(tokenizer.encode(text, 10_000)).toEqual(reference.encode(text).ids);
  });

  it("Y51 separates ideographs beyond the BMP", () => {
    // The reference looks at UTF-16 units here and joins them; BERT's own rule is one word per ideograph.
    expect(tokenizer.encode("𠀀𪛖", 16)).toEqual([101, 100, 100, 102]);
  });

  it("Y52 treats special tokens in user text as text", () => {
    const ids = tokenizer.encode("[MASK]", 16);
    expect(ids).not.toContain(103);
    expect(ids.length).toBeGreaterThan(3);
  });

  it("Y53 cuts to the limit and keeps both end tokens", () => {
    const ids = tokenizer.encode("word ".repeat(1000), 256);
    expect(ids).toHaveLength(256);
    expect([ids[0], ids[255]]).toEqual([101, 102]);
  });

  it("Y54 of a huge text it reads no more than it needs", () => {
    expect(tokenizer.encode("word ".repeat(4_000_000), 256)).toHaveLength(256);
    expect(tokenizer.encode("é".repeat(4_000_000), 256)).toEqual([101, 100, 102]);
  });

  it("Y55 survives lone surrogates", () => {
    expect(tokenizer.encode("a\ud800b", 16)).toEqual(tokenizer.encode("ab", 16));
  });
});
