import { testWorker } from "../../encoder/_worker.js";
import { type MiniLmOptions, miniLmEmbedder } from "./minilm.js";
import type { Embedder } from "./port.js";

/** The default model for the tests of one file, with one cache for all of them. */
export function testMiniLm(): {
  readonly directory: string;
  make(options?: Partial<MiniLmOptions>): Embedder;
} {
  const { directory, usual } = testWorker();
  return {
    directory,
    make: (options) => miniLmEmbedder({ ...usual, ...options }),
  };
}

export const SENTENCES = [
  "This is an example sentence",
  "The quick brown fox jumps over the lazy dog.",
  "When did Caroline go to the support group?",
  "I ran a charity race for mental health last Saturday, it was really rewarding.",
  "We decided to use PostgreSQL instead of MongoDB because of transactions.",
  "Deployments happen every Tuesday at 14:00 UTC unless there is an incident.",
  "My daughter is allergic to peanuts.",
  "function add(a, b) { return a + b; }",
  "The meeting was moved from Monday to Thursday.",
  "Who owns the billing service?",
  "She adopted a second cat named Bailey in March 2023.",
  "Error: ECONNREFUSED 127.0.0.1:5432 while connecting to the database",
  "Prefers dark mode, tabs over spaces, and short answers.",
  "Café owners in Zürich are naïve about façade regulations.",
  "That is ok with me.",
  "你好，世界! Hello from Tokyo 東京.",
  "Party time 🎉🎂 tonight at 8pm!!",
  "https://example.com/docs?page=2#section-3 describes the retry policy",
  "He said that he would never again, under any circumstances whatsoever, agree to review a pull request of more " +
    "than two thousand lines on a Friday afternoon, because the last time it had taken him the whole weekend.",
  "Interest rates rose by 0.25 percentage points, which was less than the market had expected.",
];
