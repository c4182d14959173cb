// AssemblyScript (not plain TypeScript): cosines of one query with many int8 rows.
// Plain SIMD only: relaxed SIMD needs a flag on Node 20 and may answer differently on different machines.

/** Below every cosine: "no row of this document was met". */
const NOTHING: f32 = -2;

@inline function sum(v: v128): i32 {
  return i32x4.extract_lane(v, 0) + i32x4.extract_lane(v, 1) + i32x4.extract_lane(v, 2) + i32x4.extract_lane(v, 3);
}

@inline function part(v: v128, p: usize, q: v128): v128 {
  return i32x4.add(v, i32x4.dot_i16x8_s(v128.load_ext<i8>(p), q));
}

/** Writes the rows whose document the mask lets in, and counts them. Without a branch: a mask is hard to predict. */
export function pick(docOf: usize, count: i32, mask: usize, picked: usize): i32 {
  let n: usize = 0;
  for (let r = 0; r < count; r++) {
    store<i32>(picked + (n << 2), r);
    n += <usize>(load<u8>(mask + <usize>load<i32>(docOf + (<usize>r << 2))) != 0);
  }
  return <i32>n;
}

/**
 * out[doc] = the best cosine of any row of the document, NOTHING where it has none among the rows looked at: the `count`
 * that are listed in `picked`, or the first `count` when that is 0. Rows are `stride` int8 values (a multiple of 32); the
 * query is int16 of the same count, small enough that products and sums stay inside i32. `inverse` holds 1 / length of
 * each row, `scale` is 1 / length of the query. `out` has room for a multiple of 4.
 *
 * Four rows are read at a time. Of all rows, a quarter of them apart: memory answers four distant readers nearly twice as
 * fast as one. Of few listed rows, whose places the processor cannot guess, one after the other, and some are asked for
 * ahead.
 */
export function cosines(
  rows: usize, stride: usize, picked: usize, count: i32, docOf: usize, inverse: usize,
  query: usize, scale: f32, out: usize, docs: i32,
): void {
  const end = out + (<usize>docs << 2);
  const nothing = f32x4.splat(NOTHING);
  for (let p = out; p < end; p += 16) v128.store(p, nothing);
  const quarter = (count + 3) >> 2, last = count - 1;
  const isFew = picked != 0 && count << 2 < load<i32>(picked + (<usize>last << 2));
  const apart = isFew ? 1 : quarter;
  for (let n = 0; n < quarter; n++) {
    if (isFew && n % AHEAD == 0) askFor(rows, stride, picked + (n << 4), picked + (min((n + AHEAD) << 2, count) << 2));
    const first = isFew ? n << 2 : n;
    // Past the last one it is read again, which changes nothing.
    const r0 = rowAt(picked, first), r1 = rowAt(picked, min(first + apart, last));
    const r2 = rowAt(picked, min(first + 2 * apart, last)), r3 = rowAt(picked, min(first + 3 * apart, last));
    let p0 = rows + r0 * stride, p1 = rows + r1 * stride, p2 = rows + r2 * stride, p3 = rows + r3 * stride;
    let a = i32x4.splat(0), b = a, c = a, d = a;
    const until = query + stride * 2;
    for (let at = query; at < until; at += 16) {
      const q = v128.load(at);
      a = part(a, p0, q);
      b = part(b, p1, q);
      c = part(c, p2, q);
      d = part(d, p3, q);
      p0 += 8; p1 += 8; p2 += 8; p3 += 8;
    }
    keep(out, docOf, r0, <f32>sum(a) * load<f32>(inverse + (r0 << 2)) * scale);
    keep(out, docOf, r1, <f32>sum(b) * load<f32>(inverse + (r1 << 2)) * scale);
    keep(out, docOf, r2, <f32>sum(c) * load<f32>(inverse + (r2 << 2)) * scale);
    keep(out, docOf, r3, <f32>sum(d) * load<f32>(inverse + (r3 << 2)) * scale);
  }
}

/** So many times four rows fit the nearest cache. */
const AHEAD = 8;
const CACHE_LINE = 64;

/** One load of every cache line of the listed rows: so they come side by side. Nobody needs what is read. */
@inline function askFor(rows: usize, stride: usize, from: usize, to: usize): void {
  for (; from < to; from += 4) {
    const row = rows + <usize>load<i32>(from) * stride;
    for (let at = row; at < row + stride; at += CACHE_LINE) load<i32>(at);
  }
}

@inline function rowAt(picked: usize, n: i32): usize {
  return picked ? <usize>load<i32>(picked + (<usize>n << 2)) : <usize>n;
}

@inline function keep(out: usize, docOf: usize, row: usize, cosine: f32): void {
  const best = out + (<usize>load<i32>(docOf + (row << 2)) << 2);
  if (cosine > load<f32>(best)) store<f32>(best, cosine);
}

/** The documents that are no further than the `limit`-th nearest, written to `found` and counted. `heap` has room for `limit`. */
export function nearest(out: usize, docs: i32, limit: i32, heap: usize, found: usize): i32 {
  for (let at = 0; at < limit; at++) store<f32>(heap + (<usize>at << 2), NOTHING);
  for (let doc = 0; doc < docs; doc++) {
    const cosine = load<f32>(out + (<usize>doc << 2));
    if (cosine > load<f32>(heap)) sift(heap, limit, cosine);
  }
  const enough = load<f32>(heap);
  let n: usize = 0;
  for (let doc = 0; doc < docs; doc++) {
    const cosine = load<f32>(out + (<usize>doc << 2));
    if (cosine >= enough && cosine > NOTHING) store<i32>(found + (n++ << 2), doc);
  }
  return <i32>n;
}

/** Puts a larger number in place of the least, which is at the top; none is less than what stands at half its place. */
function sift(heap: usize, limit: i32, value: f32): void {
  let at = 0;
  for (let below = 1; below < limit; below = 2 * at + 1) {
    if (below + 1 < limit && load<f32>(heap + (<usize>below << 2), 4) < load<f32>(heap + (<usize>below << 2))) below++;
    const least = load<f32>(heap + (<usize>below << 2));
    if (least >= value) break;
    store<f32>(heap + (<usize>at << 2), least);
    at = below;
  }
  store<f32>(heap + (<usize>at << 2), value);
}

/** NOTHING becomes 0; answers the sum of all. */
export function settle(out: usize, docs: i32): f64 {
  const nothing = f32x4.splat(NOTHING);
  let low = f64x2.splat(0), high = low;
  const end = out + (<usize>docs << 2);
  for (let p = out; p < end; p += 16) {
    const raw = v128.load(p);
    const v = v128.andnot(raw, f32x4.eq(raw, nothing));
    v128.store(p, v);
    low = f64x2.add(low, f64x2.promote_low_f32x4(v));
    high = f64x2.add(high, f64x2.promote_low_f32x4(i8x16.shuffle(v, v, 8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15)));
  }
  const both = f64x2.add(low, high);
  return f64x2.extract_lane(both, 0) + f64x2.extract_lane(both, 1);
}
