import { type Hash, type JsonObject, MAIN, PalimpsestError, timestamp } from "../../core/base/index.js";
import { encodeObject, GENESIS, GENESIS_CHANGESET, headRef, type Touch } from "../../core/ledger/index.js";
import {
  firstHead,
  type RefMove,
  type StoredObject,
  type Transaction,
  type TransactResult,
} from "../../storage/index.js";
import type { Context } from "../context.js";
import type { Engine } from "../engine.js";
import type { CommitInfo } from "./commit-info.js";
import { writing } from "./late.js";
import { encodeOperation } from "./operation.js";
import { FIRST_BRANCH } from "./writer.js";

/** Moves to make, judged on the refs as they are, and what to answer when they are made. */
export interface RefPlan<T> {
  readonly moves: readonly RefMove[];
  /** Objects and rows that the refs need. */
  readonly put?: readonly StoredObject[];
  readonly touch?: readonly Touch[];
  readonly value: T;
}

/** A text without what must not be kept: what a plan answers is what is stored. */
export type Clean = (text: string) => string;

/** Everybody may be moving refs at once; somebody always gets through. */
const ROUNDS = 50;

/**
 * Moves refs without a commit: branches, tags, snapshots. The plan is made again when a ref moved meanwhile, and
 * the whole is one operation of the log. A plan that rests on what is *not* there, as that nobody works on a branch, is
 * made alone: no ref it does not name can appear before its moves are made.
 */
export async function changeRefs<T>(
  engine: Engine,
  context: Context,
  info: CommitInfo,
  plan: (clean: Clean) => Promise<RefPlan<T>>,
  { alone = false } = {},
): Promise<T> {
  const { storage } = engine;
  const { cleanMoves, cleanText } = await writing();
  const clean: Clean = (text) => cleanText(text, context.rules.modes.message);
  const attempt = async (
    transact: (transaction: Transaction) => Promise<TransactResult>,
  ): Promise<{ readonly value: T } | undefined> => {
    const { epoch } = await storage.version();
    const first = await firstBranch(engine);
    const { moves: planned, value, put: needed = [], touch = [] } = await plan(clean);
    const moves = cleanMoves(context, info, planned);
    if (moves.length === 0) return { value };
    const put: StoredObject[] = [...first.put, ...needed];
    // Whoever changes the first branch before there is one makes it.
    const isFirst = ({ name }: RefMove) => first.moves.some((made) => made.name === name);
    const refs = [
      ...first.moves.filter(({ name }) => !moves.some((move) => move.name === name)),
      ...moves.map((move) => (isFirst(move) ? { ...move, expect: null } : move)),
    ];
    const said = await saidBefore(engine, moves);
    const { message } = info;
    const why =
      said || message !== undefined
        ? encodeObject("note", {
            ...(message !== undefined && { why: message }),
            ...(said && { meta: { before: said } }),
          })
        : undefined;
    const operation = encodeOperation(info, refs, timestamp(engine.clock()), why?.hash);
    put.push(operation, ...(why ? [why] : []));
    const done = await transact({ put, refs, touch, ops: [operation.hash], epoch });
    return done === "ok" ? { value } : undefined;
  };
  await engine.writer.idle();
  for (let round = 0; round < ROUNDS; round++) {
    const done = await (alone
      ? storage.exclusive(attempt)
      : attempt((transaction) => storage.transact(transaction)));
    if (!done) continue;
    engine.forgetHeads();
    return done.value;
  }
  throw new PalimpsestError("STORE_BUSY", "The refs kept moving under this change.");
}

/** What was said of refs that change or go: a move names targets only, and undo has to bring back the rest. */
async function saidBefore(
  { storage }: Engine,
  moves: readonly RefMove[],
): Promise<{ [ref: string]: JsonObject } | undefined> {
  const said: { [ref: string]: JsonObject } = {};
  for (const { name, expect } of moves) {
    const meta = expect === null ? undefined : (await storage.ref(name))?.meta;
    if (meta) said[name] = meta;
  }
  return Object.keys(said).length > 0 ? said : undefined;
}

/** A ref needs a commit to point to: in an empty store the constant first one, and `main` with it. */
async function firstBranch(engine: Engine): Promise<{ put: StoredObject[]; moves: RefMove[] }> {
  const name = headRef(MAIN);
  if (await firstHead(engine.storage)) return { put: [], moves: [] };
  const target: Hash = GENESIS.hash;
  return {
    put: [GENESIS_CHANGESET, GENESIS],
    moves: [{ name, expect: null, next: { target, meta: FIRST_BRANCH } }],
  };
}
