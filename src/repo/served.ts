import type { MemoryId } from "../core/base/index.js";
import { fold } from "../gate/index.js";

const KEPT = 5_000;

/** The texts this session was shown lately, so that they are known when they come back as news. */
export class Served {
  readonly #texts = new Map<string, MemoryId>();
  /** As they were shown; folded when somebody asks, for that takes longer than showing them. */
  readonly #shown = new Map<string, MemoryId>();
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
    this.#shown.clear();
  }

  note(memories: Iterable<{ readonly id: MemoryId; readonly text: string }>): void {
    this.#mindErased();
    for (const { id, text } of memories) renew(this.#shown, text, id);
    shorten(this.#shown);
  }

  #fold(): void {
    for (const [text, id] of this.#shown) renew(this.#texts, fold(text), id);
    this.#shown.clear();
    shorten(this.#texts);
  }

  /** Bullets, quotation marks and a note in brackets at either end do not make it another text. */
  find(text: string): MemoryId | undefined {
    this.#mindErased();
    this.#fold();
    if (this.#texts.size === 0) return undefined;
    return this.#texts.get(fold(text)) ?? this.#texts.get(fold(bare(text)));
  }
}

/** What was shown last stands last. */
function renew(texts: Map<string, MemoryId>, text: string, id: MemoryId): void {
  texts.delete(text);
  texts.set(text, id);
}

function shorten(texts: Map<string, MemoryId>): void {
  for (const text of texts.keys()) {
    if (texts.size <= KEPT) break;
    texts.delete(text);
  }
}

const bare = (text: string): string =>
  text
    .trim()
    .replace(/^(?:[-*•>]\s+|\d{1,4}[.)]\s+)/, "")
    .replace(/^\[[^\]\n]{1,80}\]\s*/, "")
    .replace(/(?<!\s)\s*[([][^()[\]\n]{1,80}[)\]]$/, "")
    .replace(/^["“„«'](.*)["”“»']$/su, "$1");
