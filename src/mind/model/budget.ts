import { PalimpsestError } from "../../core/base/index.js";

/** How much a mind may spend. Everything has a limit unless somebody says otherwise. */
export interface Budget {
  /** Default 200. */
  readonly callsPerDay?: number;
  /** In and out together; default 400,000. */
  readonly tokensPerDay?: number;
  /** In and out together; default 24,000. */
  readonly tokensPerCall?: number;
}

export interface Spent {
  readonly calls: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
}

/** What was spent on one day, as a whole and by prompt. */
export interface DaySpent extends Spent {
  readonly day: string;
  readonly byTask: Readonly<Record<string, Spent>>;
}

/** Where spending is noted, apart from memories: small notes that several processes change by compare-and-swap. */
export interface Purse {
  read(key: string): Promise<string | undefined>;
  swap(key: string, value: string, expect: string | null): Promise<boolean>;
}

const DEFAULTS = { callsPerDay: 200, tokensPerDay: 400_000, tokensPerCall: 24_000 };
const NOTHING: Spent = { calls: 0, tokensIn: 0, tokensOut: 0 };
const INDEX = "mind/spent";
/** Days kept for looking back. */
const KEPT = 62;

/** The cost ledger. A call is paid before it is made, with the most it may cost, and settled after it. */
export class CostLedger {
  readonly #purse: Purse;
  readonly #today: () => string;
  readonly limits: Required<Budget>;

  constructor(
    purse: Purse,
    budget: Budget = {},
    today: () => string = () => new Date().toISOString().slice(0, 10),
  ) {
    this.#purse = purse;
    this.#today = today;
    this.limits = { ...DEFAULTS, ...budget };
  }

  /** Takes the most a call may cost; refused when the day's or the call's limit would be passed. */
  async reserve(task: string, tokensIn: number, mostOut: number): Promise<Reservation> {
    const whole = tokensIn + mostOut;
    const { callsPerDay, tokensPerDay, tokensPerCall } = this.limits;
    if (whole > tokensPerCall)
      throw spent(`A call of up to ${whole} tokens is more than one may cost (${tokensPerCall}).`);
    const day = this.#today();
    await this.#change(day, task, (before) => {
      const used = before.tokensIn + before.tokensOut;
      if (before.calls + 1 > callsPerDay) throw spent(`The ${callsPerDay} calls of this day are used up.`);
      if (used + whole > tokensPerDay)
        throw spent(
          `The ${tokensPerDay} tokens of this day do not suffice: ${used} are spent, ${whole} are needed.`,
        );
      return { calls: 1, tokensIn, tokensOut: mostOut };
    });
    return {
      settle: (inside, out) =>
        this.#change(day, task, () => ({ calls: 0, tokensIn: inside - tokensIn, tokensOut: out - mostOut })),
    };
  }

  /** What was spent, newest day first. */
  async days(): Promise<DaySpent[]> {
    const days = parse<string[]>(await this.#purse.read(INDEX)) ?? [];
    const found = await Promise.all(
      days.map(async (day) => parse<DaySpent>(await this.#purse.read(keyOf(day)))),
    );
    return found.filter((one) => one !== undefined).sort((a, b) => (a.day < b.day ? 1 : -1));
  }

  async #change(day: string, task: string, by: (before: DaySpent) => Spent): Promise<void> {
    for (;;) {
      const note = await this.#purse.read(keyOf(day));
      const before = parse<DaySpent>(note) ?? { day, ...NOTHING, byTask: {} };
      const more = by(before);
      const after: DaySpent = {
        day,
        ...added(before, more),
        byTask: { ...before.byTask, [task]: added(before.byTask[task] ?? NOTHING, more) },
      };
      if (!(await this.#purse.swap(keyOf(day), JSON.stringify(after), note ?? null))) continue;
      if (note === undefined) await this.#enter(day);
      return;
    }
  }

  async #enter(day: string): Promise<void> {
    for (;;) {
      const note = await this.#purse.read(INDEX);
      const days = [day, ...(parse<string[]>(note) ?? []).filter((one) => one !== day)].slice(0, KEPT);
      if (await this.#purse.swap(INDEX, JSON.stringify(days), note ?? null)) return;
    }
  }
}

export interface Reservation {
  settle(tokensIn: number, tokensOut: number): Promise<void>;
}

const keyOf = (day: string): string => `${INDEX}/${day}`;
const added = (a: Spent, b: Spent): Spent => ({
  calls: a.calls + b.calls,
  tokensIn: Math.max(0, a.tokensIn + b.tokensIn),
  tokensOut: Math.max(0, a.tokensOut + b.tokensOut),
});
const spent = (message: string): PalimpsestError => new PalimpsestError("BUDGET_SPENT", message);

/** A note that cannot be read is as good as none. */
function parse<T>(note: string | undefined): T | undefined {
  try {
    return note === undefined ? undefined : (JSON.parse(note) as T);
  } catch {
    return undefined;
  }
}

/** What asking models took. */
export interface Cost {
  readonly [unit: string]: number;
  readonly calls: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
}

export const FREE: Cost = { calls: 0, tokensIn: 0, tokensOut: 0 };

export const sumCosts = (a: Cost, b: Cost): Cost => ({
  calls: a.calls + b.calls,
  tokensIn: a.tokensIn + b.tokensIn,
  tokensOut: a.tokensOut + b.tokensOut,
});

/** A model that cannot help: rules stand in for it, and that is said. */
export const isModelFailure = (error: unknown): error is PalimpsestError =>
  error instanceof PalimpsestError &&
  ["MODEL_UNAVAILABLE", "MODEL_ANSWER", "BUDGET_SPENT"].includes(error.code);
