import { type Hash, type Timestamp, timestamp } from "../../core/base/index.js";
import type { Tip } from "../../core/ledger/index.js";
import type { Context } from "../context.js";
import type { Engine } from "../engine.js";
import type { Reader } from "../read/reader.js";
import { nowAt, tipAt } from "../time/as-of.js";
import { snapshotMoves } from "../time/snapshot-ring.js";
import type { Draft } from "./draft.js";
import { writing } from "./late.js";
import type { WriteOptions } from "./options.js";

/** What a use case asks of the session it belongs to, when it is more than one read or one write. */
export interface Desk {
  readonly context: Context;
  readonly engine: Engine;
  readonly reader: Reader;
  /** A long write as one commit, with a snapshot before the first that writes anything. It runs beside the queue, and again in it only if the head moved meanwhile. */
  write<T>(
    verb: string,
    options: WriteOptions,
    run: (draft: Draft) => Promise<T>,
  ): Promise<{ readonly value: T; readonly commit: Hash | undefined }>;
  /** The present, or what was there at a commit, branch, tag, snapshot or time. */
  read<T>(run: (tip: Tip, now: Timestamp) => Promise<T>, at?: string): Promise<T>;
}

export function deskOf(engine: Engine, context: Context): Desk {
  let isMarked = false;
  const { branch } = context;
  const { reader, writer } = engine;
  return {
    context,
    engine,
    reader,
    async read(run, at) {
      engine.assertOpen();
      if (at !== undefined) {
        const tip = await tipAt(context, reader, at);
        return run(tip, await nowAt(context, reader, tip));
      }
      return run(await engine.head(branch), timestamp(engine.clock()));
    },
    async write(verb, { message, meta, dryRun }, run) {
      engine.assertOpen();
      const marked = async (draft: Draft) => {
        if (!isMarked) for (const move of await snapshotMoves(context, draft, verb)) draft.move(move);
        return run(draft);
      };
      const { commitInfo } = await writing();
      const job = { branch, info: commitInfo(context, verb, { message, meta }), run: marked };
      const rehearsed = await writer.rehearse(job);
      if (dryRun) return { value: rehearsed.value, commit: undefined };
      const { value, tip, before } = await writer.submit({ ...job, rehearsed });
      if (tip) {
        isMarked = true;
        context.made?.({ branch, before, after: tip });
      }
      return { value, commit: tip?.hash };
    },
  };
}
