import { basename } from "node:path";
import { PalimpsestError, parseBranch, parseId, parseScope, parseTime } from "../../core/base/index.js";
import {
  type BranchStatus,
  canonicalRecord,
  contentHash,
  headRef,
  laneOf,
  type MemoryRecord,
} from "../../core/ledger/index.js";
import type { Verdict, VerdictKind } from "../../gate/index.js";
import { historyVerbs, type NewBranch } from "../../history/index.js";
import { forget, remember } from "../../memories/index.js";
import { Access, asVerdict, type Job, SnapshotBefore } from "../../repo/index.js";
import type { Storage } from "../../storage/index.js";
import { parentsFirst } from "../export.js";
import { ImageReader } from "../image.js";
import type { ImportFormat } from "../import/detect.js";
import type { ImportedBranch, ImportedMemory, ImportProblem } from "../import/item.js";
import { type ImportSource, openImport } from "../import-source.js";
import type { ImportOptions } from "../options.js";

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

type Gone = { readonly id: string; readonly scope?: string };

/** A branch that memories of the file go to, and the snapshot that is taken before the first. */
interface Target {
  readonly access: Access;
  readonly snapshot: SnapshotBefore;
}

/** Reads a file or folder of another memory system, or of an export, through the gate. Read twice, it changes nothing. */
export async function importFile(
  access: Access,
  path: string,
  options: ImportOptions,
  fillStore: FillStore,
): Promise<ImportReport> {
  const { engine } = access.context;
  try {
    const source = await access.look(undefined, ({ now }) => openImport(path, options.format, now));
    const work = new ImportWork(access, path, options, source, fillStore);
    await work.run();
    const report = work.report();
    if (!options.dryRun) engine.log(`loaded ${report.accepted + report.updated} memories from ${path}`);
    return report;
  } catch (error) {
    engine.log(`load failed: ${error instanceof Error ? error.message : String(error)}`);
    throw error;
  }
}

class ImportWork {
  readonly #own: Target;
  readonly #path: string;
  readonly #options: ImportOptions;
  readonly #source: ImportSource;
  readonly #fillStore: FillStore;
  readonly #targets = new Map<string | undefined, Target>();
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
    access: Access,
    path: string,
    options: ImportOptions,
    source: ImportSource,
    fillStore: FillStore,
  ) {
    this.#own = targetOf(access);
    this.#path = path;
    this.#options = options;
    this.#source = source;
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
    if (image && (await this.#storage.refs("")).size === 0) return this.#fill();
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
    this.#forgotten = await forgetAll(this.#own, this.#path, this.#gone, this.#options);
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
    if (memory.branch !== undefined && !this.#targets.has(memory.branch)) {
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
    const target = this.#targets.get(part[0]?.branch) ?? this.#own;
    const value = await write(target, this.#path, this.#options, async (job) => {
      const verdicts: Verdict[] = [];
      for (const item of part) verdicts.push(await judgeImported(job, item, this.#options));
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

  /** It comes before memories do: a branch begins without what the file says of others. */
  async #begin(branch: ImportedBranch): Promise<void> {
    try {
      this.#targets.set(branch.name, await this.#targetOn(branch));
    } catch (error) {
      if (!(error instanceof PalimpsestError) || !error.code.startsWith("INVALID_")) throw error;
      this.#problem({ where: `branch ${branch.name}`, reason: error.message });
    }
  }

  /** A branch that the file describes is made if there is none. */
  async #targetOn(branch: ImportedBranch): Promise<Target> {
    const { access } = this.#own;
    const name = parseBranch(branch.name);
    const isKnown = (await this.#storage.ref(headRef(name))) !== undefined;
    // What would be on it is judged where it would begin.
    if (!isKnown && this.#options.dryRun) return this.#own;
    if (!isKnown) await historyVerbs.createBranch.bind(access, "createBranch")(name, newBranchOf(branch));
    return targetOf(new Access({ ...access.context, branch: name }));
  }

  get #storage(): Storage {
    return this.#own.access.context.engine.storage;
  }

  /** The image in the file says the same as its memories, and more. */
  async #fill(): Promise<void> {
    const { dryRun, signal, onProgress } = this.#options;
    const progress = { onProgress: (done: number) => onProgress?.(Math.min(done, this.#total), this.#total) };
    try {
      if (!dryRun) await this.#fillStore(this.#storage, this.#imageLines(), progress);
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

const targetOf = (access: Access): Target => ({ access, snapshot: new SnapshotBefore("import") });

const STATUS: readonly (string | undefined)[] = ["merged", "abandoned"] satisfies BranchStatus[];

const newBranchOf = ({ persona, purpose, status, created }: ImportedBranch): NewBranch => ({
  ...(persona !== undefined && { persona }),
  ...(purpose !== undefined && { purpose }),
  ...(STATUS.includes(status) && { status: status as BranchStatus }),
  ...(created !== undefined && { created: parseTime(created) }),
});

/** A part of the import as one commit. */
async function write<T>(
  { access, snapshot }: Target,
  path: string,
  { dryRun }: ImportOptions,
  run: (job: Job) => Promise<T>,
): Promise<T> {
  const options = { message: `import ${basename(path)}`, dryRun };
  const { value } = await access.commit({ verb: "import", options, snapshot, beside: true, run });
  return value;
}

async function forgetAll(
  target: Target,
  path: string,
  gone: readonly Gone[],
  options: ImportOptions,
): Promise<number> {
  if (gone.length === 0) return 0;
  return write(target, path, options, async (job) => {
    const { context, draft } = job;
    let count = 0;
    for (const { id, scope = options.scope } of gone) {
      const place = scope === undefined ? context.home : parseScope(scope);
      const entry = context.sight.sees(place) ? await draft.entry(place, parseId(id)) : undefined;
      if (!entry || !context.sight.seesRecord(entry.record)) continue;
      const reason = "Deleted in the imported file.";
      if ((await forget(job, id, { scope: place, reason })).verdict === "accepted") count++;
    }
    return count;
  });
}

/** Through the gate, as what a file says. */
async function judgeImported(
  job: Job,
  item: ImportedMemory,
  { scope, trusted }: { readonly scope?: string | undefined; readonly trusted?: boolean | undefined },
): Promise<Verdict> {
  const { context, draft } = job;
  const { tier, source: _, branch: __, where: ___, made, ...rest } = item;
  const place = item.scope ?? scope;
  const isBelief = laneOf(item.type ?? "fact") === "belief";
  return asVerdict(draft, async () => {
    const known = await draft.entry(place === undefined ? context.home : parseScope(place), parseId(item.id));
    if (known && laneOf(known.record.type) !== laneOf(item.type ?? "fact"))
      throw new PalimpsestError("INVALID_ID", `The id belongs to a memory of type "${known.record.type}".`);
    // What is there word for word needs no judgement, whatever its author.
    // Its commit says when it was made, unless that was elsewhere.
    const isOwn = known && known.record.attributes?.at === undefined;
    const attributes = made && !isOwn ? { ...item.attributes, ...made } : item.attributes;
    const stated = attributes ? { ...item, attributes } : item;
    if (known && context.sight.seesRecord(known.record) && saysTheSame(known.record, stated))
      return { verdict: "duplicate", id: known.record.id, scope: known.record.scope, branch: draft.branch };
    const input = {
      ...rest,
      ...(attributes && { attributes }),
      ...(place !== undefined && { scope: place }),
      // Others give documents a tier too; here only beliefs have one.
      ...(tier && (trusted || tier !== "canon") && isBelief && { tier }),
      ...(!trusted && { source: "import" }),
    };
    return remember(job, input, "add", true);
  });
}

/** Does a memory say all that a file says of it? */
function saysTheSame(record: MemoryRecord, item: ImportedMemory): boolean {
  const { text, type = "fact", triple, attributes, category, tags, parent, topic, confidence } = item;
  // What is no list is for the gate to refuse.
  if (tags !== undefined && !Array.isArray(tags)) return false;
  const given = { text, type, triple, attributes, category, tags };
  const named = Object.entries(given).filter(([, value]) => value !== undefined);
  const identified = canonicalRecord({ ...record, ...Object.fromEntries(named) } as MemoryRecord);
  return (
    contentHash(identified) === contentHash(record) &&
    (parent === undefined || parent === record.parent) &&
    (topic === undefined || topic === record.topic) &&
    (confidence ?? 1) === (record.confidence ?? 1) &&
    (item.tier ?? "register") === (record.tier ?? "register") &&
    (item.sensitivity ?? "normal") === (record.sensitivity ?? "normal")
  );
}
