import { Worker } from "node:worker_threads";
import type { Job, SharedWeights, WorkerInput, WorkerOutput } from "./protocol.js";

export interface EncoderOptions {
  /** Where the quantized weights (23 MB) are kept between runs. */
  readonly cacheDir: string;
  /**
   * Threads used for work in the background when there is enough of it; default 1. One more is started when a question comes
   * while all are busy, so that nobody waits for that work. They share one copy of the weights.
   */
  readonly workers?: number;
  /** Threads end, and their memory is freed, after this long without work. Default 60 s. */
  readonly idleMs?: number;
  /** The folder of the fp16 weights and the tokenizer; default the installed package. */
  readonly modelDir?: string;
  /** Told when the weights are quantized, which happens once per machine and takes a second or two. */
  readonly onPreparing?: () => void;
  /** The worker's program; default the one beside this module. */
  readonly workerUrl?: URL;
}

/** Does somebody wait for it, or is it work in the background? */
export type Urgency = "urgent" | "bulk";

interface Task {
  readonly urgency: Urgency;
  readonly job: Job;
  resolve(numbers: Float32Array): void;
  reject(reason: unknown): void;
}

interface Slot {
  readonly worker: Worker;
  readonly index: number;
  ready: boolean;
  task: Task | undefined;
}

/** The threads in which the encoders run. All heavy work, loading included, happens there. */
export class EncoderThreads {
  readonly #options: EncoderOptions;
  readonly #workers: number;
  readonly #urgent: Task[] = [];
  readonly #bulk: Task[] = [];
  #slots: Slot[] = [];
  #shared: SharedWeights | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: EncoderOptions) {
    this.#options = options;
    this.#workers = Math.max(1, options.workers ?? 1);
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** The numbers that each job comes to. An abort drops what waits; a job that is under way ends in its thread. */
  async run(jobs: readonly Job[], urgency: Urgency, signal?: AbortSignal): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    if (this.#closed) throw new Error("closed");
    const queue = urgency === "urgent" ? this.#urgent : this.#bulk;
    const tasks: Task[] = [];
    const parts = jobs.map(
      (job) =>
        new Promise<Float32Array>((resolve, reject) => {
          tasks.push({ urgency, job, resolve, reject });
        }),
    );
    queue.push(...tasks);
    const onAbort = (): void => {
      for (const task of tasks) {
        const at = queue.indexOf(task);
        if (at >= 0) queue.splice(at, 1);
        task.reject(signal?.reason); // a job already in a worker ends there and is dropped
      }
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    this.#pump();
    try {
      return await Promise.all(parts);
    } finally {
      signal?.removeEventListener("abort", onAbort);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    const closed = new Error("closed");
    this.#rejectQueued(closed);
    await this.#stopWorkers(closed);
  }

  /** Hands jobs to free workers, and starts workers while there is more work than they can take. */
  #pump(): void {
    clearTimeout(this.#idleTimer);
    for (const slot of this.#slots) {
      if (!slot.ready || slot.task) continue;
      const task =
        this.#urgent.shift() ?? (this.#busyWithBulk < this.#workers ? this.#bulk.shift() : undefined);
      if (!task) break;
      slot.task = task;
      slot.worker.ref();
      slot.worker.postMessage(task.job);
    }
    const waiting = this.#urgent.length + this.#bulk.length;
    const starting = this.#slots.filter((slot) => !slot.ready).length;
    // The first worker loads the weights; others can only start once it has them.
    const isFirst = this.#slots.length === 0;
    const most = this.#workers + (this.#urgent.length > 0 ? 1 : 0);
    const canStart = isFirst || (this.#shared !== undefined && this.#slots.length < most);
    if (waiting > starting && canStart) this.#tryStart();
    if (waiting === 0 && this.#slots.every((slot) => !slot.task)) this.#startIdleTimer();
  }

  get #busyWithBulk(): number {
    return this.#slots.filter(({ task }) => task?.urgency === "bulk").length;
  }

  /** A system that gives no further thread costs those their answer who have none at all. */
  #tryStart(): void {
    try {
      this.#startWorker();
    } catch (error) {
      if (this.#slots.length === 0) this.#rejectQueued(error);
    }
  }

  #startWorker(): void {
    const { cacheDir, modelDir, workerUrl = new URL("./worker.cjs", import.meta.url) } = this.#options;
    const taken = new Set(this.#slots.map((slot) => slot.index));
    let index = 0;
    while (taken.has(index)) index++;
    const input: WorkerInput = {
      index,
      maxWorkers: this.#workers + 1,
      cacheDir,
      modelDir,
      shared: this.#shared,
    };
    // Flags are meant for the program, not for this thread; some of them it would refuse.
    const worker = new Worker(workerUrl, { workerData: input, execArgv: [] });
    const slot: Slot = { worker, index, ready: false, task: undefined };
    this.#slots.push(slot);
    worker.on("message", (message: WorkerOutput) => this.#heard(slot, message));
    worker.on("error", (error) => this.#workerGone(slot, error));
    worker.on("exit", (code) => this.#workerGone(slot, new Error(`its thread ended with code ${code}`)));
  }

  #heard(slot: Slot, message: WorkerOutput): void {
    // What was still on its way must not let go of a thread whose end is waited for.
    if (!this.#slots.includes(slot)) return;
    if (message.type === "preparing") {
      this.#options.onPreparing?.();
      return;
    }
    if (message.type === "ready") {
      slot.ready = true;
      this.#shared = message.shared;
    } else {
      slot.task?.resolve(message.numbers);
      slot.task = undefined;
    }
    slot.worker.unref(); // a worker without work must not keep the process alive
    this.#pump();
  }

  #workerGone(slot: Slot, error: unknown): void {
    if (!this.#slots.includes(slot)) return;
    this.#slots = this.#slots.filter((other) => other !== slot);
    slot.task?.reject(error);
    if (this.#slots.length === 0) {
      this.#shared = undefined;
      // It failed before it did anything (no weights): another start would fail the same way.
      if (!slot.ready) this.#rejectQueued(error);
    }
    this.#pump();
  }

  #rejectQueued(reason: unknown): void {
    for (const task of [...this.#urgent.splice(0), ...this.#bulk.splice(0)]) task.reject(reason);
  }

  #startIdleTimer(): void {
    if (this.#slots.length === 0) return;
    const stop = () => {
      this.#stopWorkers(new Error("its thread was stopped")).catch(() => undefined);
    };
    this.#idleTimer = setTimeout(stop, this.#options.idleMs ?? 60_000).unref();
  }

  async #stopWorkers(reason: unknown): Promise<void> {
    clearTimeout(this.#idleTimer);
    const slots = this.#slots;
    this.#slots = [];
    this.#shared = undefined;
    for (const slot of slots) slot.task?.reject(reason);
    await Promise.all(slots.map((slot) => slot.worker.terminate()));
  }
}
