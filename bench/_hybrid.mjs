// A large store whose vectors are made up, so that measuring search needs no half hour of embedding: words give a text its
// direction, so that texts which share words are near each other. Texts, index, storage and search are the real ones.
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../dist/index.js";
import { dice, memories } from "./_sentences.mjs";

const SIZE = 384;
/** Turns of a conversation; every other memory is a turn of one. */
const TURNS = 20;

const directions = new Map();
function directionOf(word) {
  const known = directions.get(word);
  if (known) return known;
  let seed = 7;
  for (const letter of word) seed = (Math.imul(seed, 31) + letter.codePointAt(0)) >>> 0;
  const roll = dice(seed);
  const made = Float32Array.from({ length: SIZE }, () => roll() - 0.5);
  directions.set(word, made);
  return made;
}

/** Longer words are rarer and say more. */
function madeUp(text) {
  const vector = new Float32Array(SIZE);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const direction = directionOf(word);
    for (let at = 0; at < SIZE; at++) vector[at] += word.length * direction[at];
  }
  return vector;
}

/** Questions cost what the real model costs; documents cost nothing. */
export const madeUpEmbedder = (model) => ({
  id: "made-up",
  dimensions: SIZE,
  maxTokens: 256,
  languages: ["en"],
  local: true,
  embed: async (texts, kind, signal) => {
    if (kind === "query") await model.embed(texts, kind, signal);
    return texts.map(madeUp);
  },
  close: async () => undefined,
});

/** A store of so many memories, every one with its vector; half of them are turns of conversations. One that is there is used as it is. */
export async function embeddedStore(directory, size, model) {
  mkdirSync(directory, { recursive: true });
  const isMade = existsSync(join(directory, "palimpsest.db"));
  const store = await openStore(directory, { embedder: madeUpEmbedder(model) });
  if (!isMade) await fill(store, size);
  const embedding = await store.embedding();
  const shown = setInterval(
    () => console.error(`  ${embedding.state().waiting} are still to be embedded`),
    10_000,
  );
  const isDone = await embedding.done();
  clearInterval(shown);
  if (!isDone) throw new Error("Not everything could be embedded.");
  return store;
}

async function fill(store, size) {
  const items = memories(size).map(({ text }) => text);
  const turns = items.splice(0, size >> 1);
  await store.session({ agent: "bench" }).rememberMany(items.map((text) => ({ text, type: "note" })));
  for (let from = 0; from < turns.length; from += TURNS) {
    const talk = store.session({ agent: from % (2 * TURNS) ? "Ada" : "Ben", sessionId: `talk-${from}` });
    await talk.rememberMany(
      turns.slice(from, from + TURNS).map((text, turn) => ({ text, type: "message", turn })),
    );
  }
}
