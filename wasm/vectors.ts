// AssemblyScript (not plain TypeScript): cosines of one query with many int8 rows.
// Plain SIMD only: relaxed SIMD needs a flag on Node 20 and may answer differently on different machines.

/** Below every cosine: "no row of this document was met". */
const NOTHING: f32 = -2;

@inline function sum(v: v128): i32 {
  return i32x4.extract_lane(v, 0) + i32x4.extract_lane(v, 1) + i32x4.extract_lane(v, 2) + i32x4.extract_lane(v, 3);
}

@inline function dot(p: usize, end: usize, q: usize): i32 {
  let a = i32x4.splat(0), b = a, c = a, d = a;
  while (p < end) {
    a = i32x4.add(a, i32x4.dot_i16x8_s(v128.load_ext<i8>(p), v128.load(q)));
    b = i32x4.add(b, i32x4.dot_i16x8_s(v128.load_ext<i8>(p, 8), v128.load(q, 16)));
    c = i32x4.add(c, i32x4.dot_i16x8_s(v128.load_ext<i8>(p, 16), v128.load(q, 32)));
    d = i32x4.add(d, i32x4.dot_i16x8_s(v128.load_ext<i8>(p, 24), v128.load(q, 48)));
    p += 32;
    q += 64;
  }
  return sum(i32x4.add(i32x4.add(a, b), i32x4.add(c, d)));
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
 * out[doc] = the best cosine of any row of the document, 0 where it has none among the rows looked at: the `count`
 * that are listed in `picked`, or the first `count` when that is 0. Rows are `stride` int8 values (a multiple of 32); the
 * query is int16 of the same count, small enough that products and sums stay inside i32. `inverse` holds 1 / length of
 * each row, `scale` is 1 / length of the query. `out` has room for a multiple of 4.
 */
export function cosines(
  rows: usize, stride: usize, picked: usize, count: i32, docOf: usize, inverse: usize,
  query: usize, scale: f32, out: usize, docs: i32,
): void {
  const end = out + (<usize>docs << 2);
  const nothing = f32x4.splat(NOTHING);
  for (let p = out; p < end; p += 16) v128.store(p, nothing);
  for (let n = 0; n < count; n++) {
    const r = picked ? load<i32>(picked + (<usize>n << 2)) : n;
    const at = <usize>r << 2;
    const p = rows + <usize>r * stride;
    const cosine = <f32>dot(p, p + stride, query) * load<f32>(inverse + at) * scale;
    const best = out + (<usize>load<i32>(docOf + at) << 2);
    if (cosine > load<f32>(best)) store<f32>(best, cosine);
  }
  for (let p = out; p < end; p += 16) {
    const v = v128.load(p);
    v128.store(p, v128.andnot(v, f32x4.eq(v, nothing)));
  }
}
