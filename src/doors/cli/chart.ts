const LEVELS = "▁▂▃▄▅▆▇█";

/** A row of bars, one column each, the highest for the largest value; more values than columns are thinned out. */
export function sparkline(values: readonly number[], columns = values.length): string {
  const most = Math.max(1, ...values);
  const count = Math.max(1, Math.min(values.length, Math.floor(columns)));
  return Array.from({ length: count }, (_, index) => {
    const at = count === 1 ? values.length - 1 : Math.round((index * (values.length - 1)) / (count - 1));
    const level = Math.round(((values[at] ?? 0) / most) * (LEVELS.length - 1));
    return LEVELS[level];
  }).join("");
}

const UNITS = ["B", "kB", "MB", "GB", "TB"] as const;

/** 1,234,567 → 1.23 MB. */
export function bytes(size: number): string {
  const step = size < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(size) / 3));
  const value = size / 1000 ** step;
  return `${step === 0 ? value : Number(value.toPrecision(3))} ${UNITS[step]}`;
}
