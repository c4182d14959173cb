import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { PalimpsestError } from "../core/base/index.js";
import { cacheFolder, type EncoderOptions, type EncoderThreads } from "../encoder/index.js";
import type { Figures } from "./figures.js";
import type { Judge } from "./port.js";

/** Which judge is wanted: an own one, or a name as `$PAL_JUDGE` takes it: `small` or `none`. */
export type JudgeChoice = Judge | string;

export interface LoadJudgeOptions extends Partial<EncoderOptions> {
  /** Those of the embedder, when it runs in threads here. */
  readonly threads?: EncoderThreads | undefined;
  /** The folder of the weights; default the one in the package. */
  readonly folder?: string;
}

/** The judge that was chosen, undefined for `none`. Its weights are read when it is first asked. */
export async function loadJudge(
  choice?: JudgeChoice,
  options: LoadJudgeOptions = {},
): Promise<Judge | undefined> {
  if (typeof choice === "object") return choice;
  const name = choice ?? (process.env.PAL_JUDGE || "small");
  if (name === "none") return undefined;
  if (name !== "small")
    throw new PalimpsestError("INVALID_VALUE", `There is no judge ${JSON.stringify(name)}.`, {
      hint: "Choose small or none.",
    });
  const { EncoderJudge } = await import("./encoder-judge.js");
  const { threads, folder = packaged(), ...rest } = options;
  const figures = await readFigures(join(folder, "judge.json"));
  const weights = join(folder, "judge.int8.bin");
  if (threads) return new EncoderJudge({ figures, weights, threads, ownsThreads: false });
  const { EncoderThreads: Threads } = await import("../encoder/threads.js");
  const own = new Threads({ ...rest, cacheDir: rest.cacheDir ?? (await cacheFolder()) });
  return new EncoderJudge({ figures, weights, threads: own, ownsThreads: true });
}

/** The package's folder of weights, above whichever file of it this code came to lie in. */
function packaged(): string {
  let place = fileURLToPath(import.meta.url);
  while (dirname(place) !== place) {
    place = dirname(place);
    const folder = join(place, "models", "judge");
    if (existsSync(join(folder, "judge.json"))) return folder;
  }
  throw new PalimpsestError("JUDGE_UNAVAILABLE", "The weights of the judge are not in the package.");
}

async function readFigures(path: string): Promise<Figures> {
  try {
    const { readFile } = await import("node:fs/promises");
    return JSON.parse(await readFile(path, "utf8")) as Figures;
  } catch (error) {
    throw new PalimpsestError("JUDGE_UNAVAILABLE", `${path} cannot be read.`, { cause: error });
  }
}
