import { createHash } from "node:crypto";
import {
  type EraseReport,
  type JsonObject,
  type Memory,
  type MemoryInput,
  PalimpsestError,
  type Session,
  type Transaction,
} from "../../session/index.js";

/** Attributes take 64 KB, and a document as many characters: what is longer is kept as text, in parts. */
const MOST_INSIDE = 40_000;
const PARTS = /[\s\S]{1,60000}/gu;

/** Where a framework's papers lie, and as of when they are read. */
export interface PapersOptions {
  /** The scope that they lie in; the home of the session unless given. */
  readonly scope?: string;
  /** A commit, tag, snapshot, branch or time: reads answer as it was then, and nothing can be written. */
  readonly at?: string;
}

/** What a framework keeps under a key: a value, and the attributes by which it is found. */
export interface Paper {
  readonly id: string;
  readonly type: string;
  readonly value: unknown;
  readonly attributes: JsonObject;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The id of what is kept under a key: every process and every branch finds it by the same one. */
export const paperId = (type: string, ...key: readonly unknown[]): string =>
  `${type}-${createHash("sha256").update(JSON.stringify(key)).digest("hex").slice(0, 40)}`;

/** By this in its text is found what was kept for a thread or a conversation, wherever and whenever that was. */
const markOf = (owner: string): string =>
  `\n(kept for ${createHash("sha256").update(owner).digest("hex").slice(0, 16)})`;
const MARK = /\n\(kept for [0-9a-f]{16}\)$/;

/** Values of a framework as documents of a session. Every change is one commit. */
export class Papers {
  readonly #session: Session;
  readonly #options: PapersOptions;

  constructor(session: Session, options: PapersOptions = {}) {
    this.#session = session;
    this.#options = options;
  }

  async get(id: string): Promise<Paper | undefined> {
    const memory = await this.#session.get(id, { ...this.#options, exact: true });
    return memory && this.#read(memory);
  }

  /** Oldest first. */
  async list(type: string, attributes: JsonObject = {}): Promise<Paper[]> {
    const found = await this.#session.list({ ...this.#options, type, attributes });
    return Promise.all(found.map((memory) => this.#read(memory)));
  }

  /** Those that fit a question best, the best first, each with its score. */
  async search(type: string, query: string, limit: number): Promise<[paper: Paper, score: number][]> {
    const { hits } = await this.#session.search(query, { ...this.#options, type, limit });
    const found: [Paper, number][] = [];
    for (const { id, scope, score } of hits) {
      const memory = await this.#session.get(id, { ...this.#options, scope, exact: true });
      if (memory) found.push([await this.#read(memory), score]);
    }
    return found;
  }

  /** Several changes as one commit. */
  async change<T>(message: string, run: (tx: Changes) => Promise<T>): Promise<T> {
    if (this.#options.at !== undefined)
      throw new PalimpsestError("REFUSED", "What is read as of an earlier time cannot be changed.", {
        hint: "Leave out `at`, or make a branch there and write on it.",
      });
    const { scope } = this.#options;
    const done = await this.#session.transaction((tx) => run(new Changes(tx, scope)), { message });
    return done.value;
  }

  /**
   * Takes away the bytes of all that was ever kept for somebody: on every branch, and what was forgotten. A session of less
   * trust than a user's may only ask for that: until somebody agrees it is forgotten, and the report names what waits.
   */
  async erase(owner: string): Promise<EraseReport | undefined> {
    const { scope } = this.#options;
    const report = await this.#session.erase({
      containing: markOf(owner).trim(),
      ...(scope !== undefined && { scope }),
    });
    if (report.records === 0) return undefined;
    if (report.staged !== undefined)
      await this.change("forget what is to be erased", async (changes) => {
        for (const { id } of report.memories) await changes.forget(id);
      });
    return report;
  }

  async #read(memory: Memory): Promise<Paper> {
    const { id, type, attributes, createdAt, updatedAt, scope } = memory;
    const times = { createdAt: new Date(createdAt), updatedAt: new Date(updatedAt) };
    if (Array.isArray(attributes.value))
      return { id, type, attributes, value: attributes.value[0], ...times };
    const rest = await Promise.all(
      partIds(memory).map((part) => this.#session.get(part, { ...this.#options, scope, exact: true })),
    );
    const text = [memory, ...rest].map((part) => (part?.text ?? "").replace(MARK, "")).join("");
    return { id, type, attributes, value: JSON.parse(text), ...times };
  }
}

/** What may be done in one commit. */
export class Changes {
  readonly #tx: Transaction;
  readonly #where: { readonly scope?: string };

  constructor(tx: Transaction, scope: string | undefined) {
    this.#tx = tx;
    this.#where = scope === undefined ? {} : { scope };
  }

  async has(id: string): Promise<boolean> {
    return (await this.#tx.get(id, this.#where)) !== undefined;
  }

  /**
   * Keeps a value. As an attribute its secrets are cut out where they stand; what is longer is text, and `said` is what it
   * is found by.
   */
  async put(
    paper: Pick<Paper, "id" | "type" | "value" | "attributes">,
    said: string,
    owner?: string,
  ): Promise<void> {
    const { id, type, attributes } = paper;
    const mark = owner === undefined ? "" : markOf(owner);
    const known = await this.#tx.get(id, this.#where);
    const gone = Object.fromEntries(Object.keys(known?.attributes ?? {}).map((name) => [name, null]));
    const json = JSON.stringify(paper.value);
    const about = { ...(known && gone), ...attributes };
    if (json.length <= MOST_INSIDE) {
      const value = JSON.parse(json, (_, one) => (typeof one === "string" ? one.toWellFormed() : one));
      await this.#remember({
        id,
        type,
        text: said.toWellFormed() + mark,
        attributes: { ...about, value: [value] },
      });
      return;
    }
    const [text = "", ...rest] = json.match(PARTS) ?? [];
    const found = await this.#remember({
      id,
      type,
      text: text + mark,
      attributes: { ...about, parts: rest.length },
    });
    for (const [at, part] of rest.entries())
      found.push(
        ...(await this.#remember({ id: `${id}.${at + 1}`, type: `${type}-part`, text: part + mark })),
      );
    // What was cut out may have held more than a word, and what is left is no JSON any more.
    if (found.length > 0) await this.#stillReadable(id, rest.length, found);
  }

  async forget(id: string): Promise<void> {
    const known = await this.#tx.get(id, this.#where);
    if (!known) return;
    for (const one of [id, ...partIds(known)]) await this.#tx.forget(one, this.#where);
  }

  async #remember(input: MemoryInput): Promise<string[]> {
    const verdict = await this.#tx.remember({ ...this.#where, ...input });
    if (verdict.verdict === "rejected" || verdict.verdict === "quarantined")
      throw new PalimpsestError("REFUSED", verdict.reason ?? "The memory does not take this.");
    return [...(verdict.found ?? [])];
  }

  async #stillReadable(id: string, parts: number, found: readonly string[]): Promise<void> {
    const ids = [id, ...Array.from({ length: parts }, (_, at) => `${id}.${at + 1}`)];
    const texts = [];
    for (const one of ids) texts.push(((await this.#tx.get(one, this.#where))?.text ?? "").replace(MARK, ""));
    try {
      JSON.parse(texts.join(""));
    } catch {
      throw new PalimpsestError(
        "REFUSED",
        `This holds what memory must not keep (${[...new Set(found)].join(", ")}) in a value so long that it cannot be cut out of it.`,
        { hint: "Leave it out, or allow this kind in the gate of the session." },
      );
    }
  }
}

function partIds({ id, attributes }: Pick<Memory, "id"> & { readonly attributes?: JsonObject }): string[] {
  const parts = typeof attributes?.parts === "number" ? attributes.parts : 0;
  return Array.from({ length: parts }, (_, at) => `${id}.${at + 1}`);
}

/** All that a value says in words, for those who look for it. */
export function wordsOf(value: unknown, otherwise: string): string {
  const words: string[] = [];
  JSON.stringify(value, (_, one) => {
    if (typeof one === "string" && one.trim() !== "") words.push(one);
    return one;
  });
  const text = [...words.join("\n")].slice(0, MOST_INSIDE).join("");
  return text.trim() === "" ? otherwise : text;
}
