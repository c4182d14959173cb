import { resolve } from "node:path";
import type { Readable } from "node:stream";
import type { MemoryInput, Session, TextLine, Verdict } from "../../session/index.js";
import { linesOf, openPlain } from "../../session/opening.js";
import type { Call } from "./command.js";
import { failureOf } from "./fail.js";
import { writingOf } from "./fields.js";
import { unusable } from "./input-text.js";
import type { Io } from "./io.js";
import { withSession } from "./open.js";
import { progressBar } from "./progress.js";
import { durationOf } from "./values.js";
import { BulkReport, type LineVerdict } from "./verdict-lines.js";

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

/** A line of a file of memories: what it says, or why it says nothing. */
type Item = { readonly number: number } & ({ readonly input: MemoryInput } | { readonly problem: string });

/** Reads one line: an object with the keys of a memory, or a bare text; the gate judges the rest. */
export function itemOf(line: TextLine, defaults: MemoryInput): Item {
  const { number } = line;
  if ("problem" in line) return line;
  let value: unknown;
  try {
    value = JSON.parse(line.text);
  } catch (error) {
    return { number, problem: `is not JSON (${error instanceof Error ? error.message : error})` };
  }
  if (typeof value === "string") return { number, input: { ...defaults, text: value } };
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { number, problem: "is not a JSON object" };
  return { number, input: { ...defaults, ...unflattened(value as Fields) } };
}

type Fields = Readonly<Record<string, unknown>>;

/** A triple may be given by its parts, a time to live in words. */
function unflattened(fields: Fields): MemoryInput {
  const { subject, predicate, object, ...rest } = fields;
  const flat = [subject, predicate, object].some((part) => part !== undefined) && rest.triple === undefined;
  const ttl = typeof rest.ttl === "string" ? (durationOf(rest.ttl) ?? rest.ttl) : rest.ttl;
  return {
    ...(flat ? { ...rest, triple: { subject, predicate, object } } : fields),
    ...(ttl !== undefined && { ttl }),
  } as MemoryInput;
}

/** A stream of bytes that can be stopped, and how far it has been read. */
interface Source {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Undefined when nobody knows its length. */
  fraction(): number | undefined;
  stop(): void;
}

/** A file, or stdin for `-`; a file that cannot be read is found out before anything is written. */
async function openSource(io: Io, path: string): Promise<Source> {
  if (path === "-") {
    const stdin = io.stdin.open();
    return { bytes: reading(stdin, "stdin"), fraction: () => undefined, stop: () => stdin.destroy() };
  }
  try {
    const file = await openPlain(resolve(io.cwd, path), { as: path });
    const { size } = await file.stat();
    const stream = file.createReadStream();
    const fraction = () => (size > 0 ? stream.bytesRead / size : undefined);
    return { bytes: reading(stream, path), fraction, stop: () => stream.destroy() };
  } catch (error) {
    throw unusable(path, error);
  }
}

async function* reading(stream: Readable, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* stream as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw unusable(name, error);
  }
}
