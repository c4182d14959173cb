/** All matches of a global pattern. Most texts have none, and asking first is several times cheaper than looking one by one. */
export const matchesOf = (text: string, pattern: RegExp): Iterable<RegExpExecArray> =>
  text.search(pattern) < 0 ? [] : text.matchAll(pattern);
