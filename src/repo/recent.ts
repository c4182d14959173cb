import type { Clock } from "../core/base/index.js";

const HOUR = 3_600_000;

/** How many new beliefs a session had accepted within the last hour. */
export class Recent {
  readonly #clock: Clock;
  #times: number[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(count: number): void {
    for (let at = 0; at < count; at++) this.#times.push(this.#clock());
  }

  count(): number {
    const since = this.#clock() - HOUR;
    if ((this.#times[0] ?? since) < since) this.#times = this.#times.filter((time) => time >= since);
    return this.#times.length;
  }
}
