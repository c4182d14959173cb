import type { BranchName, Clock, MemoryId, Random, Scope } from "../core/base/index.js";
import type { Author, Tip, Trust } from "../core/ledger/index.js";
import { fold, type Principal, type Rules } from "../gate/index.js";
import type { Views } from "./live/views.js";
import type { Sight } from "./sight.js";

/** What a session did to a branch. */
export interface Made {
  readonly branch: BranchName;
  readonly before: Tip;
  readonly after: Tip;
}

/** Who writes and reads, and what they may see: everything that a rule needs to know about a session. */
export interface Caller {
  readonly agent: string;
  readonly author: Author;
  readonly sight: Sight;
  readonly branch: BranchName;
  readonly sessionId: string | undefined;
  /** The door the session came through. */
  readonly channel: string;
  /** The most that anything written here can be trusted. */
  readonly trust: Trust;
  /** Where new memories go when no scope is named. */
  readonly home: Scope;
  /** How its writes are judged. */
  readonly rules: Rules;
  readonly served: Served;
  readonly recent: Recent;
  /** What becomes of a quarantined write: it waits in staging, is part of a proposal, or is only answered. */
  readonly onQuarantine?: "include" | "answer";
  /** Who else stands behind what is written here. */
  readonly vouchers?: readonly Principal[];
  /** Called with every commit that this session makes. */
  readonly made?: (made: Made) => void;
  readonly newId: () => MemoryId;
  readonly random: Random;
  readonly views: Views;
}

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

const HOUR = 3_600_000;

/** How many new beliefs a session had accepted within the last hour. */
export class Recent {
  readonly #clock: Clock;
  #times: number[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(count: number): void {
    for (let at = 0; at < count; at++) this.#times.push(this.#clock());
  }

  count(): number {
    const since = this.#clock() - HOUR;
    if ((this.#times[0] ?? since) < since) this.#times = this.#times.filter((time) => time >= since);
    return this.#times.length;
  }
}
