import { type MemoryId, unreadable } from "../core/base/index.js";
import type { Tip } from "../core/ledger/index.js";
import type { MemoryChange, MemoryInput, Verdict } from "../gate/index.js";
import {
  type Access,
  action,
  COMMIT_NOTE,
  checkGiven,
  checkOptions,
  commitVerdict,
  findKey,
  findWhole,
  type Given,
  type Job,
  Late,
  list,
  read,
  readOnce,
  verb,
  WRITING,
  type WriteOptions,
  withOptions,
  write,
} from "../repo/index.js";
import { inBulk } from "./bulk.js";
import { isEnded, type Memory } from "./memory.js";
import {
  type BulkOptions,
  FORGET,
  type ForgetOptions,
  GET,
  type GetOptions,
  LIST,
  MANY,
  MOVE,
  UPDATE,
  VIEW,
} from "./options.js";
import type { Transaction, TransactionResult } from "./transaction.js";

const remembering = new Late(() => import("./verbs/remember.js"));
const forgetting = new Late(() => import("./verbs/forget.js"));

const NOTHING = {};
/** So many of a list are remembered as shown; nobody puts more into a prompt. */
const SHOWN = 1_000;

/** What a session does with single memories. */
export const memoryVerbs = {
  /** Adds one memory through the gate, or renews the one with the same id or topic. */
  remember: verb("writes", WRITING, (access) => {
    return (memory: string | MemoryInput, input: MemoryInput & WriteOptions = NOTHING): Promise<Verdict> => {
      let given: ReturnType<typeof withOptions>;
      try {
        const stated = typeof memory === "string" ? { text: memory } : memory;
        given = withOptions("remember", input === NOTHING ? { ...stated } : { ...input, ...stated });
      } catch (error) {
        return Promise.reject(unreadable(error));
      }
      const { options, rest } = given;
      return access.write(remembering, async ({ remember }, context) => {
        const change = { verb: "remember", options, run: (job: Job) => remember(job, rest) };
        const verdict = await commitVerdict(context, change);
        const more = context.engine.written([rest], [verdict]);
        if (more) await more;
        return verdict;
      });
    };
  }),

  /** Many at once: one verdict each in the order given; one bad item never stops the rest. One commit per 1,000. */
  rememberMany: verb("writes", { ...WRITING, ...MANY }, (access, name) => {
    return async (
      items: readonly (string | MemoryInput)[],
      options: WriteOptions & BulkOptions = NOTHING,
    ): Promise<Verdict[]> => {
      checkOptions(name, options, { ...WRITING, ...MANY });
      const all = readOnce(items);
      checkGiven(name, { items: all }, { items: list });
      const add = (
        { remember }: typeof import("./verbs/remember.js"),
        job: Job,
        item: string | MemoryInput,
      ) => remember(job, typeof item === "string" ? { text: item } : readOnce(item));
      return inBulk(access, remembering, "remember", all, options, add, (part, verdicts) =>
        access.context.engine.written(part, verdicts),
      );
    };
  }),

  /** Changes a memory: a new text, or the fields that are named. */
  update: write(
    "update",
    UPDATE,
    () => import("./verbs/update.js"),
    ({ update }, job, options, id: string, change: string | MemoryChange) =>
      update(job, id, typeof change === "string" ? { text: change } : readOnce(change), options),
  ),

  /** Takes a memory out of what is believed; its history stays. */
  forget: write(
    "forget",
    FORGET,
    () => forgetting.load(),
    ({ forget }, job, options, id: string) => forget(job, id, options),
  ),

  /**
   * Several at once: one verdict each in the order given. What is not found is a verdict too and never stops the rest. One
   * commit per 1,000.
   */
  forgetMany: verb("writes", { ...WRITING, ...MANY, ...FORGET }, (access, name) => {
    return async (
      ids: readonly string[],
      options: ForgetOptions & WriteOptions & BulkOptions = NOTHING,
    ): Promise<Verdict[]> => {
      checkOptions(name, options, { ...WRITING, ...MANY, ...FORGET });
      const all = readOnce(ids);
      checkGiven(name, { ids: all }, { ids: list });
      return inBulk(access, forgetting, "forget", all, options, ({ forget }, job, id) =>
        forget(job, id, options),
      );
    };
  }),

  /** Takes a memory to another scope, under its id: forgotten there and added here in one commit, through the gate. */
  move: write(
    "move",
    MOVE,
    () => import("./verbs/move.js"),
    ({ move }, job, options, id: string, scope: string) => move(job, id, scope, options),
  ),

  /** Adds evidence to a memory by id, or notes a text as an uncertain observation. */
  observe: verb("writes", WRITING, (access, name) => {
    const code = new Late(() => import("./verbs/observe.js"));
    return async (
      target: string,
      input: Omit<MemoryInput, "text" | "id"> & WriteOptions = NOTHING,
    ): Promise<Verdict> => {
      const { options, rest } = withOptions(name, readOnce(input));
      return access.write(code, ({ observe }, context) =>
        commitVerdict(context, { verb: "observe", options, run: (job) => observe(job, target, rest) }),
      );
    };
  }),

  /**
   * Several writes as one commit. `fn` runs once and sees its own writes; if it throws, nothing is written.
   * What it wrote is judged again on the head it is committed on, and those are the verdicts returned.
   */
  transaction: verb("writes", COMMIT_NOTE, (access, name) => {
    return async <T>(
      fn: (tx: Transaction) => Promise<T> | T,
      options: Given<typeof COMMIT_NOTE> = NOTHING,
    ): Promise<TransactionResult<T>> => {
      checkGiven(name, { function: fn }, { function: action });
      checkOptions(name, options, COMMIT_NOTE);
      return access.open(async (context) => {
        const { runTransaction } = await import("./transaction.js");
        return runTransaction(context, fn, options);
      });
    };
  }),

  /** One memory that is seen, by its id or, unless `exact`, its topic or 6 or more of the id's first or last characters. */
  get: verb("reads", GET, hotGet),

  /** A fresh id of one's own: unique, lower-case, sortable by time. */
  newId: verb("reads", {}, (access) => (): MemoryId => access.context.newId()),

  /** Memories that fit a filter, oldest first. */
  list: read(
    LIST,
    () => import("./verbs/list.js"),
    async ({ list }, at, filter) => {
      const found = await list(at, filter);
      at.context.served.note(found.slice(0, SHOWN));
      return found;
    },
  ),

  /** What is believed: canon, then what holds a topic, then the newest, at most `max` (50). */
  view: read(
    VIEW,
    () => import("./verbs/view.js"),
    async ({ view }, at, options) => {
      const found = await view(at, options);
      at.context.served.note(found.items);
      return found;
    },
  ),
};

/** `get` keeps what it answered by bare id, exact for one head. */
function hotGet(access: Access, name: string) {
  const hot = new Map<string, Memory>();
  let head: Tip | undefined;
  const code = new Late(() => import("./verbs/get.js"));
  const keep = (tip: Tip, memory: Memory): void => {
    if (head !== tip || hot.size > 10_000) hot.clear();
    head = tip;
    hot.set(memory.id, memory);
  };
  return async (id: string, options?: GetOptions): Promise<Memory | undefined> => {
    const { engine, branch } = access.context;
    if (options === undefined && engine.isFresh && head === engine.knownHead(branch)) {
      const known = hot.get(id);
      if (known !== undefined) return isEnded(known, engine.clock) ? undefined : known;
    }
    if (options !== undefined) checkOptions(name, options, GET);
    return access.read(options?.at, async (at) => {
      const { get } = code.loaded ?? (await code.load());
      const memory = await get(at, id, options?.scope, options?.exact ? findWhole : findKey);
      // One with children is not kept: they may end at a time of their own.
      const isLeaf = memory?.id === id && memory.children.length === 0;
      if (isLeaf && options === undefined) keep(at.tip, memory);
      return memory;
    });
  };
}
