import { type Hash, PalimpsestError } from "../core/base/index.js";
import { best, NEAREST, type Nearness, type View } from "../index/index.js";
import { detectLanguage, tailOf } from "../language/index.js";
import type { Context, Engine } from "../repo/index.js";
import type { Corpus, Seen } from "./corpus.js";
import type { Embedding } from "./embedding.js";
import { Vectors } from "./vectors.js";

export type SearchMode = "hybrid" | "lexical" | "vector";

/** What vectors had to do with an answer. */
export interface VectorUse {
  /**
   * complete: every memory seen was compared. partial: some have no vector yet. none: nothing is embedded so far.
   * unavailable: the question could not be compared. unused: it was asked for words only.
   */
  readonly vectors: "complete" | "partial" | "none" | "unavailable" | "unused";
  /** Why it is not complete, or did not count. */
  readonly reason?: string;
  /** Memories seen that have no vector yet: they are found by words. */
  readonly missing?: number;
  readonly model?: string;
}

export interface VectorLeg extends VectorUse {
  /** To be called on a view, at once. */
  readonly near?: (view: View) => Nearness;
  /** The cosine of another text with the nearest of some memories, given by their hashes. */
  readonly nearestOf?: (text: string, hashes: readonly Hash[]) => Promise<number>;
}

/** A caller that asks for vectors waits for them; any other gets words when it takes longer than this … */
const TOLD_MS = 30_000;
const UNTOLD_MS = 250;
/** … and the first time, when the model is loaded, a little more. */
const FIRST_MS = 1_000;

interface Asked {
  readonly engine: Engine;
  readonly context: Context;
  readonly now: string;
  readonly text: string;
}

/**
 * The vectors of a question. By default vectors are used where there are any: nothing is loaded for a store that has
 * none, but a process that stays after its first search gets them by and by. Where only meaning counts, `most` of the
 * nearest are looked at.
 */
export async function vectorLeg(
  asked: Asked,
  mode: SearchMode | undefined,
  waitMs: number,
  most: number,
): Promise<VectorLeg> {
  const { engine, context } = asked;
  if (mode === "lexical") return { vectors: "unused" };
  if (asked.text.trim() === "") return { vectors: "unused", reason: "There is nothing to compare." };
  const vectors = engine.companion(Vectors);
  const before = vectors.inUse;
  if (mode === undefined && !before && !(await vectors.areThere()))
    return { vectors: "none", reason: "Nothing is embedded yet." };
  const embedding = await vectors.embedding();
  if (mode !== undefined) embedding.start(context.branch);
  else if (before && !embedding.isLoaded(context.branch))
    return { vectors: "unavailable", reason: "The vectors are being loaded." };
  const limit = mode !== undefined ? TOLD_MS + waitMs : before ? UNTOLD_MS : FIRST_MS;
  try {
    return (
      (await within(
        limit,
        legOf(asked, embedding, { waitMs, limit, most: mode === "vector" ? most : undefined }),
      )) ?? late(limit)
    );
  } catch (error) {
    if (error instanceof PalimpsestError && error.code !== "EMBEDDER_UNAVAILABLE") throw error;
    return { vectors: "unavailable", reason: error instanceof Error ? error.message : String(error) };
  }
}

const late = (ms: number): VectorLeg => ({
  vectors: "unavailable",
  reason: `The vectors were not there within ${ms} ms.`,
});

async function legOf(
  { context, now, text }: Asked,
  embedding: Embedding,
  { waitMs, limit, most }: { waitMs: number; limit: number; most: number | undefined },
): Promise<VectorLeg> {
  const insists = most !== undefined;
  const { branch, sight } = context;
  const embedder = await embedding.embedder();
  const corpus = await embedding.corpus(branch);
  if (!embedder || !corpus) return { vectors: "none", reason: "There is no embedder." };
  if (waitMs > 0) await embedding.done(branch, waitMs);
  const { id: model, languages } = embedder;
  const known = new Set(languages.map((one) => one.split("-")[0]));
  const knows = (language: string): boolean => known.size === 0 || known.has(language);
  const names = corpus.names(sight);
  const [asked, end] = [names.strip(text).trim(), names.strip(tailOf(text)).trim()];
  // Most questions are short, and their end is all of them: that is one text to embed, not two.
  const [whole, tail] = await Promise.all(
    (asked === end ? [asked] : [asked, end]).map((one) => embedding.query(one)),
  );
  if (!whole) return { vectors: "unused", reason: "There is nothing to compare." };
  const { embedded, missing } = corpus.seenBy(sight, now);
  const language = detectLanguage(text)?.code;
  const knowsLanguage = language === undefined || knows(language);
  const reason = knowsLanguage
    ? missing > 0 && `${missing} memories have no vector yet.`
    : `The model knows ${languages.join(", ")}, not ${language}, the language of the question.`;
  return {
    vectors: missing === 0 ? "complete" : embedded === 0 ? "none" : "partial",
    ...(missing > 0 && { missing }),
    ...(reason && { reason }),
    model,
    // The index may have moved on since: it is asked for who is seen when it is asked for cosines.
    near: (view) =>
      nearnessOf(view, corpus, {
        whole,
        tail: tail ?? whole,
        seen: corpus.seenBy(sight, now),
        knowsLanguage: knowsLanguage || insists,
        most: most ?? 0,
        knows: insists ? () => true : knows,
      }),
    nearestOf: async (other, hashes) => {
      // A model that fails or is late now leaves the answer to words.
      const vector = await within(limit, embedding.query(other)).catch(() => undefined);
      const numbers = hashes
        .flatMap((hash) => corpus.numberOf(hash) ?? [])
        .filter((one) => corpus.index.has(one));
      return vector ? Math.max(0, ...numbers.map((one) => corpus.index.cosine(one, vector))) : 0;
    },
  };
}

/** What a promise gives, or undefined when it takes longer. */
async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<undefined>((resume) => {
    timer = setTimeout(() => resume(undefined), ms);
  });
  try {
    return await Promise.race([promise, end]);
  } finally {
    clearTimeout(timer);
  }
}

/** A question as vectors. */
interface AskedVectors {
  /** Of the question and of its end, both without names. */
  readonly whole: Float32Array;
  readonly tail: Float32Array;
  /** Whom it is compared with. */
  readonly seen: Seen;
  readonly knowsLanguage: boolean;
  /** How many of the nearest are wanted, if more than usual. */
  readonly most: number;
  /** Of a memory. */
  knows(language: string): boolean;
}

/** What the vectors of a branch know about a question, by the numbers of a view. */
function nearnessOf(view: View, corpus: Corpus, asked: AskedVectors): Nearness {
  const { index } = corpus;
  const { mask, embedded, hidesAny } = asked.seen;
  const most = Math.max(NEAREST, asked.most);
  const { cosines, sum, nearest: near } = index.compare(asked.whole, most, hidesAny ? mask : undefined);
  const ordered = best(near, cosines, most);
  const knowsLanguageOf = (doc: number): boolean => asked.knows(view.languageOf(doc));
  const numbers = numbersOf(view, corpus);
  const numberOf = (doc: number): number | undefined => {
    if (numbers[doc] === UNKNOWN) {
      const found = corpus.numberOf(view.hashOf(doc));
      numbers[doc] = found !== undefined && index.has(found) ? found : NONE;
    }
    return numbers[doc] === NONE || !knowsLanguageOf(doc) ? undefined : numbers[doc];
  };
  const nearest = ordered.flatMap((number) => {
    const doc = view.find(corpus.doc(number)!.hash);
    return doc === undefined || (asked.knowsLanguage && !knowsLanguageOf(doc)) ? [] : doc;
  });
  return {
    mean: embedded === 0 ? 0 : sum / embedded,
    max: ordered.length === 0 ? 0 : Math.max(0, cosines[ordered[0]!]!),
    near: (doc) => {
      const number = numberOf(doc);
      return number === undefined ? undefined : cosines[number];
    },
    tail: (doc) => {
      const number = numberOf(doc);
      if (number === undefined) return undefined;
      return asked.tail === asked.whole ? cosines[number] : index.cosine(number, asked.tail);
    },
    nearest,
    knowsLanguage: asked.knowsLanguage,
    knowsLanguageOf,
  };
}

const UNKNOWN = -2;
const NONE = -1;

interface Numbers {
  readonly view: View;
  readonly viewVersion: number;
  readonly version: number;
  readonly numbers: Int32Array;
}
const NUMBERS = new WeakMap<Corpus, Numbers>();

/** The corpus's numbers of a view's documents, found as they are asked for; good until either changes. */
function numbersOf(view: View, corpus: Corpus): Int32Array {
  const known = NUMBERS.get(corpus);
  if (known?.view === view && known.viewVersion === view.version && known.version === corpus.version)
    return known.numbers;
  const numbers = new Int32Array(view.size).fill(UNKNOWN);
  NUMBERS.set(corpus, { view, viewVersion: view.version, version: corpus.version, numbers });
  return numbers;
}
