import type { MemoryId } from "../base/index.js";
import { fold } from "../gate/index.js";

const KEPT = 5_000;

/** The texts this session was shown lately, so that they are known when they come back as news. */
export class Served {
  readonly #texts = new Map<string, MemoryId>();
  readonly #epoch: () => number;
  #seen: number;

  /** After an erasure nothing of before is kept. */
  constructor(epoch: () => number) {
    this.#epoch = epoch;
    this.#seen = epoch();
  }

  #mindErased(): void {
    if (this.#epoch() === this.#seen) return;
    this.#seen = this.#epoch();
    this.#texts.clear();
  }

  note(memories: Iterable<{ readonly id: MemoryId; readonly text: string }>): void {
    this.#mindErased();
    for (const { id, text } of memories) {
      const key = fold(text);
      this.#texts.delete(key);
      this.#texts.set(key, id);
    }
    for (const key of this.#texts.keys()) {
      if (this.#texts.size <= KEPT) break;
      this.#texts.delete(key);
    }
  }

  /** Bullets, quotation marks and a note in brackets at either end do not make it another text. */
  find(text: string): MemoryId | undefined {
    this.#mindErased();
    if (this.#texts.size === 0) return undefined;
    return this.#texts.get(fold(text)) ?? this.#texts.get(fold(bare(text)));
  }
}

const bare = (text: string): string =>
  text
    .trim()
    .replace(/^(?:[-*•>]\s+|\d{1,4}[.)]\s+)/, "")
    .replace(/^\[[^\]\n]{1,80}\]\s*/, "")
    .replace(/\s*[([][^()[\]\n]{1,80}[)\]]$/, "")
    .replace(/^["“„«'](.*)["”“»']$/su, "$1");
