import { basename } from "node:path";
import { PalimpsestError, parseId, parseScope } from "../../core/base/index.js";
import { laneOf } from "../../core/ledger/index.js";
import type { Verdict, VerdictKind } from "../../gate/index.js";
import { forget } from "../../memories/index.js";
import type { Desk } from "../../repo/index.js";
import type { Storage } from "../../storage/index.js";
import { parentsFirst } from "../export.js";
import { ImageReader } from "../image.js";
import type { ImportFormat } from "../import/detect.js";
import type { ImportedBranch, ImportedMemory, ImportProblem } from "../import/item.js";
import { type ImportSource, openImport } from "../import-source.js";
import { judgeImported } from "./judge-imported.js";

export interface ImportOptions {
  readonly format?: ImportFormat | undefined;
  /** Where memories go that name no scope. */
  readonly scope?: string | undefined;
  /** The session vouches for the file; otherwise it has the trust of something from outside, and canon becomes register. */
  readonly trusted?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** Ends it between two commits; what is committed stays, and importing again goes on from there. */
  readonly signal?: AbortSignal | undefined;
}

export interface ImportReport extends Readonly<Record<VerdictKind, number>> {
  readonly format: ImportFormat;
  /** Forgotten here because the file says they were deleted. */
  readonly forgotten: number;
  /** Canon that came in as register because nobody vouched for the file. */
  readonly lowered: number;
  /** The store was empty and became the one that was exported, history and all. */
  readonly whole?: true;
  readonly interrupted?: true;
  /** Files beside those that were read, which are none of the format. */
  readonly passedOver?: number;
  /** The first thousand of the beliefs that say something else now, with what they said. */
  readonly replaced: readonly { readonly id: string; readonly scope: string; readonly text: string }[];
  /** What could not be read, and so was never judged. */
  readonly unreadable: number;
  /** The first thousand of what could not be read or was refused. */
  readonly problems: readonly ImportProblem[];
}

const PER_COMMIT = 1_000;
const MOST_PROBLEMS = 1_000;

/** Fills an empty store from the lines of an image, after verifying them. */
export type FillStore = (
  storage: Storage,
  lines: AsyncIterable<string>,
  options: { readonly onProgress: (done: number) => void },
) => Promise<unknown>;

/** The same session on a branch that a file tells of, which is made if there is none. */
export type DeskOn = (branch: ImportedBranch) => Promise<Desk>;

type Gone = { readonly id: string; readonly scope?: string };

/** Reads a file or folder of another memory system, or of an export, through the gate. Read twice, it changes nothing. */
export async function importFile(
  desk: Desk,
  path: string,
  options: ImportOptions,
  deskOn: DeskOn,
  fillStore: FillStore,
): Promise<ImportReport> {
  const source = await desk.read((_, now) => openImport(path, options.format, now));
  const work = new ImportWork(desk, path, options, source, deskOn, fillStore);
  await work.run();
  return work.report();
}

class ImportWork {
  readonly #desk: Desk;
  readonly #path: string;
  readonly #options: ImportOptions;
  readonly #source: ImportSource;
  readonly #deskOn: DeskOn;
  readonly #fillStore: FillStore;
  readonly #desks = new Map<string | undefined, Desk>();
  readonly #counts: Record<VerdictKind, number> = {
    accepted: 0,
    updated: 0,
    duplicate: 0,
    rejected: 0,
    quarantined: 0,
  };
  readonly #problems: ImportProblem[] = [];
  readonly #replaced: ImportReport["replaced"][number][] = [];
  readonly #gone: Gone[] = [];
  /** Children that came before their parent; tried once more at the end. */
  readonly #early: ImportedMemory[] = [];
  #batch: ImportedMemory[] = [];
  #total = 0;
  #done = 0;
  #lowered = 0;
  #forgotten = 0;
  #unreadable = 0;
  #isWhole = false;

  constructor(
    desk: Desk,
    path: string,
    options: ImportOptions,
    source: ImportSource,
    deskOn: DeskOn,
    fillStore: FillStore,
  ) {
    this.#desk = desk;
    this.#path = path;
    this.#options = options;
    this.#source = source;
    this.#deskOn = deskOn;
    this.#fillStore = fillStore;
  }

  async run(): Promise<void> {
    // Read once without writing: a file that cannot be read to its end changes nothing.
    let image: ImageReader | undefined;
    for await (const entry of this.#source.entries()) {
      if ("memory" in entry) this.#total++;
      else if ("whole" in entry) image ??= new ImageReader();
      else if ("image" in entry) image?.add(entry.image);
      if (this.#options.signal?.aborted) return;
    }
    image?.done();
    if (image && (await this.#desk.reader.storage.refs("")).size === 0) return this.#fill();
    for await (const entry of this.#source.entries()) {
      if ("memory" in entry) await this.#add(entry.memory);
      else if ("branch" in entry) await this.#begin(entry.branch);
      else if ("problem" in entry) {
        if (!entry.problem.expired) this.#unreadable++;
        this.#problem(entry.problem);
      } else if ("forgotten" in entry) this.#gone.push(entry.forgotten);
      if (this.#options.signal?.aborted) return;
    }
    await this.#flush(false);
    for (const memory of this.#early.splice(0)) {
      if (this.#batch[0] && this.#batch[0].branch !== memory.branch) await this.#flush(true);
      this.#batch.push(memory);
      if (this.#batch.length === PER_COMMIT) await this.#flush(true);
    }
    await this.#flush(true);
    if (this.#options.signal?.aborted) return;
    this.#forgotten = await forgetAll(this.#desk, this.#path, this.#gone, this.#options);
  }

  report(): ImportReport {
    return {
      ...this.#counts,
      format: this.#source.format,
      forgotten: this.#forgotten,
      lowered: this.#lowered,
      unreadable: this.#unreadable,
      ...(this.#isWhole && { whole: true }),
      ...(this.#options.signal?.aborted && { interrupted: true }),
      ...(this.#source.passedOver && { passedOver: this.#source.passedOver }),
      problems: this.#problems,
      replaced: this.#replaced,
    };
  }

  #problem(problem: ImportProblem): void {
    if (this.#problems.length < MOST_PROBLEMS) this.#problems.push(problem);
  }

  async #add(memory: ImportedMemory): Promise<void> {
    this.#done++;
    if (memory.branch !== undefined && !this.#desks.has(memory.branch)) {
      this.#counts.rejected++;
      return this.#problem({
        where: memory.where ?? memory.id,
        reason: `There is no branch ${JSON.stringify(memory.branch)}.`,
      });
    }
    const isBelief = laneOf(memory.type ?? "fact") === "belief";
    if (memory.tier === "canon" && isBelief && !this.#options.trusted) this.#lowered++;
    if (this.#batch[0] && this.#batch[0].branch !== memory.branch) await this.#flush(false);
    this.#batch.push(memory);
    if (this.#batch.length === PER_COMMIT) await this.#flush(false);
  }

  async #flush(isLast: boolean): Promise<void> {
    const part = parentsFirst(this.#batch.splice(0));
    if (part.length === 0 || this.#options.signal?.aborted) return;
    const desk = this.#desks.get(part[0]?.branch) ?? this.#desk;
    const { context } = desk;
    const { value } = await desk.write("import", writing(this.#path, this.#options), async (draft) => {
      const verdicts: Verdict[] = [];
      for (const item of part) verdicts.push(await judgeImported({ context, draft }, item, this.#options));
      return verdicts;
    });
    for (const [index, { verdict, reason = "", check, id, scope, replacedText: text }] of value.entries()) {
      const item = part[index] as ImportedMemory;
      if (
        text !== undefined &&
        id !== undefined &&
        scope !== undefined &&
        this.#replaced.length < MOST_PROBLEMS
      )
        this.#replaced.push({ id, scope, text });
      if (verdict === "rejected" && check === "parent" && !isLast) this.#early.push(item);
      else {
        this.#counts[verdict]++;
        if (verdict === "rejected" || verdict === "quarantined")
          this.#problem({ where: item.where ?? item.id, reason });
      }
    }
    this.#options.onProgress?.(this.#done, this.#total);
  }

  /** Told before memories are: a branch begins without what the file says of others. */
  async #begin(branch: ImportedBranch): Promise<void> {
    try {
      this.#desks.set(branch.name, await this.#deskOn(branch));
    } catch (error) {
      if (!(error instanceof PalimpsestError) || !error.code.startsWith("INVALID_")) throw error;
      this.#problem({ where: `branch ${branch.name}`, reason: error.message });
    }
  }

  /** The image in the file says the same as its memories, and more. */
  async #fill(): Promise<void> {
    const { dryRun, signal, onProgress } = this.#options;
    const said = { onProgress: (done: number) => onProgress?.(Math.min(done, this.#total), this.#total) };
    try {
      if (!dryRun) await this.#fillStore(this.#desk.reader.storage, this.#imageLines(), said);
    } catch (error) {
      if (signal?.aborted) return;
      throw error;
    }
    this.#isWhole = true;
    this.#counts.accepted = this.#total;
  }

  async *#imageLines(): AsyncGenerator<string> {
    for await (const entry of this.#source.entries()) {
      this.#options.signal?.throwIfAborted();
      if ("image" in entry) yield entry.image;
    }
  }
}

const writing = (path: string, { dryRun }: ImportOptions) => ({
  message: `import ${basename(path)}`,
  dryRun,
});

async function forgetAll(
  desk: Desk,
  path: string,
  gone: readonly Gone[],
  options: ImportOptions,
): Promise<number> {
  if (gone.length === 0) return 0;
  const { context } = desk;
  const { value } = await desk.write("import", writing(path, options), async (draft) => {
    let count = 0;
    for (const { id, scope = options.scope } of gone) {
      const place = scope === undefined ? context.home : parseScope(scope);
      const entry = context.sight.sees(place) ? await draft.entry(place, parseId(id)) : undefined;
      if (!entry || !context.sight.seesRecord(entry.record)) continue;
      const reason = "Deleted in the imported file.";
      if ((await forget({ context, draft }, id, { scope: place, reason })).verdict === "accepted") count++;
    }
    return count;
  });
  return value;
}
