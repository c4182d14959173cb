import type { AgentInputItem, Session as AgentSession } from "@openai/agents-core";
import type { EraseReport, Session } from "../../session/index.js";
import { type Paper, Papers, type PapersOptions, paperId, wordsOf } from "./papers.js";

export type { PapersOptions } from "./papers.js";

const ITEM = "session-item";
const ownerOf = (conversation: string): string => `conversation ${conversation}`;

export interface AgentSessionOptions extends PapersOptions {
  /** The name of the conversation; a fresh one unless given. */
  readonly sessionId?: string;
}

/**
 * A conversation of the Agents SDK of OpenAI: each item is a document of a session, in order. Of two branches that were
 * merged the items stand in the order in which they were said.
 */
export class PalimpsestSession implements AgentSession {
  readonly #session: Session;
  readonly #papers: Papers;
  readonly #id: string;

  constructor(session: Session, { sessionId = session.newId(), ...options }: AgentSessionOptions = {}) {
    this.#session = session;
    this.#papers = new Papers(session, options);
    this.#id = sessionId;
  }

  async getSessionId(): Promise<string> {
    return this.#id;
  }

  async getItems(limit?: number): Promise<AgentInputItem[]> {
    const items = (await this.#said()).map(({ value }) => value as AgentInputItem);
    return limit === undefined ? items : items.slice(Math.max(0, items.length - Math.max(0, limit)));
  }

  async addItems(items: AgentInputItem[]): Promise<void> {
    if (items.length === 0) return;
    const last = (await this.#said()).at(-1)?.attributes;
    // A clock that was set back puts nothing before what was said earlier.
    const time = Math.max(Date.now(), Number(last?.time ?? 0));
    const from = Number(last?.at ?? 0) + 1;
    await this.#papers.change(`said in ${this.#id}`, async (changes) => {
      for (const [index, value] of items.entries()) {
        const attributes = { conversation: this.#id, time, at: from + index };
        const id = paperId(ITEM, this.#id, this.#session.newId());
        await changes.put(
          { id, type: ITEM, value, attributes },
          wordsOf(value, `item of ${this.#id}`),
          ownerOf(this.#id),
        );
      }
    });
  }

  /** Forgets the last item and answers with it; its history stays. */
  async popItem(): Promise<AgentInputItem | undefined> {
    const last = (await this.#said()).at(-1);
    if (!last) return undefined;
    await this.#papers.change(`taken back in ${this.#id}`, (changes) => changes.forget(last.id));
    return last.value as AgentInputItem;
  }

  /** Erases all that was said. */
  async clearSession(): Promise<void> {
    await this.eraseSession();
  }

  /** The same, with the report of what went, or of what waits for somebody who may erase. Undefined: there was nothing. */
  async eraseSession(): Promise<EraseReport | undefined> {
    return this.#papers.erase(ownerOf(this.#id));
  }

  async #said(): Promise<Paper[]> {
    const papers = await this.#papers.list(ITEM, { conversation: this.#id });
    return papers.sort(
      ({ attributes: a }, { attributes: b }) =>
        Number(a.time) - Number(b.time) || Number(a.at) - Number(b.at),
    );
  }
}
