import assert from "node:assert/strict";
import { PalimpsestError } from "../../core/base/index.js";
import type { ContractCase } from "../../storage/testing.js";
import type { Embedder } from "./port.js";

/** One embedder for one case; `cleanup` comes after it was closed. */
export interface EmbedderUnderTest {
  readonly embedder: Embedder;
  cleanup?(): Promise<void>;
}

const ODD = ["🎉", "漢字かな", "\u0000", "a\ud800b", "   \n", "", "x".repeat(5000), "[MASK] [CLS]"];
const TEXTS = ["How do I reset my password?", "I forgot my login", "The volcano erupted at dawn", "ok"];

type Check = (embedder: Embedder) => Promise<void>;

const isCode = (code: string) => (error: unknown) => error instanceof PalimpsestError && error.code === code;

const CHECKS: readonly (readonly [name: string, check: Check])[] = [
  [
    "Y20 says who it is before it is asked anything",
    async (embedder) => {
      assert.match(embedder.id, /^\S+$/);
      assert.ok(Number.isSafeInteger(embedder.dimensions) && embedder.dimensions > 0);
      assert.ok(embedder.maxTokens > 0);
      for (const language of embedder.languages)
        assert.equal(Intl.getCanonicalLocales(language)[0], language);
      assert.equal(typeof embedder.local, "boolean");
    },
  ],
  [
    "Y21 gives one vector per text, in order, of the stated size and without holes",
    async (embedder) => {
      for (const kind of ["document", "query"] as const) {
        const vectors = await embedder.embed(TEXTS, kind);
        assert.equal(vectors.length, TEXTS.length);
        for (const vector of vectors) {
          assert.ok(vector instanceof Float32Array);
          assert.equal(vector.length, embedder.dimensions);
          assert.ok(vector.every(Number.isFinite) && vector.some((value) => value !== 0));
        }
        const [backwards] = (await embedder.embed(TEXTS.toReversed(), kind)).toReversed();
        assert.deepEqual(backwards, vectors[0]);
      }
      assert.deepEqual(await embedder.embed([], "document"), []);
    },
  ],
  [
    "Y22 gives the same vector for the same text, alone or among many, now or later",
    async (embedder) => {
      const many = await embedder.embed([...TEXTS, ...TEXTS, ...TEXTS], "document");
      for (const [at, text] of TEXTS.entries()) {
        const [alone] = await embedder.embed([text], "document");
        assert.deepEqual(many[at], alone);
        assert.deepEqual(many[at + TEXTS.length], alone);
      }
    },
  ],
  [
    "Y23 takes whatever text there is: empty, blank, broken, very long",
    async (embedder) => {
      const vectors = await embedder.embed(ODD, "document");
      assert.equal(vectors.length, ODD.length);
      for (const vector of vectors) assert.ok(vector.every(Number.isFinite));
    },
  ],
  [
    "Y24 stops at once when it is aborted, with the signal's reason, and works on afterwards",
    async (embedder) => {
      const reason = new Error("enough");
      await assert.rejects(embedder.embed(["x"], "query", AbortSignal.abort(reason)), reason);
      const controller = new AbortController();
      const pending = embedder.embed(Array<string>(64).fill(TEXTS[0]!), "document", controller.signal);
      controller.abort(reason);
      await assert.rejects(pending, reason);
      assert.equal((await embedder.embed(["still there"], "query")).length, 1);
    },
  ],
  [
    "Y25 answers calls made at the same time, each with its own",
    async (embedder) => {
      const together = await Promise.all(TEXTS.map((text) => embedder.embed([text], "document")));
      assert.deepEqual(together.flat(), await embedder.embed(TEXTS, "document"));
    },
  ],
  [
    "Y26 after close it refuses with CLOSED, also what was under way; closing twice is fine",
    async (embedder) => {
      const begun = embedder.embed(Array<string>(64).fill(TEXTS[0]!), "document");
      const ended = assert.rejects(begun, isCode("CLOSED"));
      await Promise.all([embedder.close(), embedder.close()]);
      await ended;
      await assert.rejects(embedder.embed(["x"], "query"), isCode("CLOSED"));
      await embedder.close();
    },
  ],
];

/** What every embedder must do, as cases that need no test runner (src/search/SPEC.md). */
export function embedderContract(make: () => Promise<EmbedderUnderTest>): ContractCase[] {
  return CHECKS.map(([name, check]) => ({
    name,
    async run() {
      const { embedder, cleanup } = await make();
      try {
        await check(embedder);
      } finally {
        await embedder.close();
        await cleanup?.();
      }
    },
  }));
}
