/*
 * Numbers, the high byte first. Every commit writes a dozen of them, and the methods of a buffer, with all that they check,
 * would cost more than the rest of a row.
 */
export function putU16(out: Uint8Array, at: number, value: number): void {
  out[at] = value >>> 8;
  out[at + 1] = value;
}

export function putU32(out: Uint8Array, at: number, value: number): void {
  putU16(out, at, value >>> 16);
  putU16(out, at + 2, value);
}

const float = new Float64Array(1);
const floatBytes = new Uint8Array(float.buffer);
/** A machine may have the low byte of a number first. */
const isLowFirst = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

export function putF64(out: Uint8Array, at: number, value: number): void {
  float[0] = value;
  for (let byte = 0; byte < 8; byte++) out[at + byte] = floatBytes[isLowFirst ? 7 - byte : byte]!;
}
