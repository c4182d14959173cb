import { PalimpsestError } from "../../core/base/index.js";
import type { Touch } from "../../core/ledger/index.js";
import type { ImageReport } from "../../documents/index.js";
import { type ImageObject, ImageReader, linesOf } from "../../documents/index.js";
import type { Engine } from "../../repo/index.js";
import { chunksOf, isThere } from "../../repo/index.js";
import type { Storage } from "../../storage/index.js";
import type { LoadOptions } from "../options.js";
import { copyStore, publish, withScratchStore } from "../restore.js";
import { verifyFilled } from "../verify.js";

/** Fills an empty store from an image. A store that has memories of its own is never touched. */
export async function loadImage(
  engine: Engine,
  file: string,
  options: LoadOptions = {},
): Promise<ImageReport | undefined> {
  if (!(await isThere(file))) return undefined;
  return { file, ...(await fillFrom(engine.storage, textLines(file), options)) };
}

async function* textLines(file: string): AsyncGenerator<string> {
  for await (const line of linesOf(chunksOf(file), Number.POSITIVE_INFINITY)) {
    if ("problem" in line)
      throw new PalimpsestError("INVALID_TEXT", `Line ${line.number} of ${file} ${line.problem}.`);
    yield line.text;
  }
}

/**
 * The same from the lines of one. All of it is built and verified in a place of its own first, so that a file that is
 * cut, forged or hostile leaves nothing behind; hashes alone do not show a history that does not add up.
 */
export async function fillFrom(
  target: Storage,
  lines: AsyncIterable<string>,
  { onProgress }: LoadOptions = {},
): Promise<Omit<ImageReport, "file">> {
  return withScratchStore(target, async (scratch) => {
    const { refs, ...counts } = await fill(scratch, lines, onProgress);
    const { ok, problems, memories: live } = await verifyFilled(scratch);
    if (!ok)
      throw new PalimpsestError("DAMAGED", "The image does not hold a whole store.", {
        hint: "Nothing was loaded. Use an earlier image, or the store it was made from.",
        data: { problems: problems.slice(0, 10) },
      });
    const here = await target.refs("");
    if (here.size === 0) await copyStore(scratch, target);
    else if ([...refs].some(([name, { target: head }]) => here.get(name)?.target !== head))
      throw new PalimpsestError("REFUSED", "This store has memories of its own.", {
        hint: "Load an image into an empty store: choose another directory with --store.",
      });
    return { ...counts, live, refs: refs.size, ...(here.size > 0 && { unchanged: true as const }) };
  });
}

const PER_STEP = 1_000;

async function fill(
  storage: Storage,
  lines: AsyncIterable<string>,
  onProgress: (done: number) => void = () => undefined,
) {
  const { epoch } = await storage.version();
  const nothing = { refs: [], ops: [], touch: [], put: [], epoch };
  const image = new ImageReader();
  let [put, touch]: [ImageObject[], Touch[]] = [[], []];
  let [objects, memories] = [0, 0];
  const flush = async () => {
    if (put.length + touch.length > 0) await storage.transact({ ...nothing, put, touch });
    [put, touch] = [[], []];
    // Else all that was written would wait in memory to be indexed.
    await storage.tend();
    onProgress(objects);
  };
  for await (const line of lines) {
    const item = image.add(line);
    if (!item) continue;
    if ("event" in item) touch.push(item.event);
    else {
      put.push(item.object);
      objects++;
      if (item.object.kind === "memory") memories++;
    }
    if (put.length + touch.length >= PER_STEP) await flush();
  }
  await flush();
  const { refs, ops } = image.done();
  await publish(storage, { refs, ops });
  return { objects, memories, refs };
}
