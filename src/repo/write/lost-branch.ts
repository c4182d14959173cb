import { MAIN } from "../../core/base/index.js";
import { HEADS } from "../../core/ledger/index.js";
import { firstHead, lostHead, type Ref } from "../../storage/index.js";
import type { Reader } from "../read/reader.js";

/** Others may make and delete the branch while the log is read: then it is looked for again. */
const ROUNDS = 3;

/**
 * The head of a branch that was just not found. Mostly there is no such branch, or no write yet; but one that the operation
 * log left somewhere was lost by damage, and who took it for a new one would hide a history and write beside it.
 */
export async function unfoundHead(reader: Reader, branch: string): Promise<Ref | undefined> {
  const { storage } = reader;
  if (branch === MAIN) return firstHead(storage);
  for (let round = 1; ; round++) {
    const { seq } = await storage.version();
    const wasThere = await isLeft(reader, HEADS + branch);
    const ref = await storage.ref(HEADS + branch);
    if (ref || !wasThere) return ref;
    if (round === ROUNDS || (await storage.version()).seq === seq) throw lostHead(HEADS + branch);
  }
}

/** Did the last operation that moved it leave it anywhere? */
async function isLeft(reader: Reader, head: string): Promise<boolean> {
  for (let before = Number.MAX_SAFE_INTEGER; before > 0; ) {
    const page = await reader.storage.opsBefore(before, PAGE);
    const known = await reader.values("operation", page.ops);
    for (const hash of page.ops) {
      const move = known.get(hash)?.refs.find(({ name }) => name === head);
      if (move) return move.after !== undefined;
    }
    before = page.seq;
  }
  return false;
}

const PAGE = 256;
