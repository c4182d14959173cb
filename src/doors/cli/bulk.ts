import type { MemoryInput, Session, Verdict } from "../../session/index.js";
import { linesOf } from "../../session/opening.js";
import { BulkReport, type LineVerdict } from "./bulk-report.js";
import type { Call } from "./command.js";
import { failureOf } from "./fail.js";
import { writingOf } from "./fields.js";
import { type Item, itemOf } from "./jsonl.js";
import { withSession } from "./open.js";
import { progressBar } from "./progress.js";
import { openSource } from "./source.js";

/** One commit each, so that what is held in memory does not grow with the file. */
const BATCH = 1_000;

/** `remember --jsonl`: a bad line never stops the rest, and what is committed stays whatever happens later. */
export async function rememberLines(call: Call, defaults: MemoryInput): Promise<number> {
  const { io, out, options } = call;
  const source = await openSource(io, options.text("jsonl") as string);
  const bar = progressBar(io, out.quiet, "remembering");
  const report = new BulkReport(out);
  let interrupted = false;
  const ignore = io.onInterrupt(() => {
    interrupted = true;
    source.stop();
  });
  try {
    await withSession(call, "creatable", async (session) => {
      for await (const batch of batchesOf(source.bytes, defaults)) {
        if (interrupted) return;
        await report.add(await rememberBatch(session, batch, writingOf(options)));
        bar.show(report.total, source.fraction());
      }
    });
  } catch (error) {
    // Stopping the source ends its reader with an error of its own.
    if (!interrupted) {
      if (report.total === 0) throw error;
      await bar.clear();
      const failure = await failureOf(error);
      await report.end({ error: failure.error });
      return failure.exit;
    }
  } finally {
    ignore();
    source.stop();
    await bar.clear();
  }
  await report.end(interrupted ? { interrupted: true } : {});
  return interrupted ? 130 : report.refused > 0 ? 1 : 0;
}

async function* batchesOf(
  source: AsyncIterable<Uint8Array>,
  defaults: MemoryInput,
): AsyncGenerator<readonly Item[]> {
  let batch: Item[] = [];
  for await (const line of linesOf(source)) {
    batch.push(itemOf(line, defaults));
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Verdicts in the order of the lines; those that say nothing never reach the gate. */
async function rememberBatch(
  session: Session,
  batch: readonly Item[],
  writing: ReturnType<typeof writingOf>,
): Promise<LineVerdict[]> {
  const inputs = batch.flatMap((item) => ("input" in item ? [item.input] : []));
  const judged = (await session.rememberMany(inputs, writing)).values();
  return batch.map((item) => ({
    line: item.number,
    ...("input" in item ? (judged.next().value as Verdict) : notALine(item, session)),
  }));
}

const notALine = ({ number, problem }: Item & { problem: string }, session: Session): Verdict => ({
  verdict: "rejected",
  code: "INVALID_VALUE",
  check: "shape",
  reason: `Line ${number} ${problem}.`,
  hint: 'Give one JSON object per line, such as {"text":"Likes tea"}.',
  branch: session.branch as Verdict["branch"],
});
