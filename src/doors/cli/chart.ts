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
