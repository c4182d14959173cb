import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/**
 * A slow digest with a salt of its own: what remains of an erased text, so that it is known when it comes back. Whoever
 * has the store can try texts against it, but each try costs it milliseconds and megabytes.
 */
const COST = { N: 4_096, r: 8, p: 1 } as const;
/** What a later version may have chosen; more would only be a way to keep us busy. */
const MOST = 131_072;
const BYTES = 32;

export async function textDigest(text: string): Promise<string> {
  const salt = randomBytes(16);
  const digest = await derive(text, salt, COST);
  return ["scrypt", COST.N, COST.r, COST.p, salt.toString("hex"), digest.toString("hex")].join("$");
}

/** Was the digest made of this text? One of an unknown making is of no text. */
export async function isDigestOf(digest: string, text: string): Promise<boolean> {
  const [name, n, r, p, salt = "", expected = ""] = digest.split("$");
  const cost = { N: Number(n), r: Number(r), p: Number(p) };
  const isOurs = name === "scrypt" && cost.N >= 1024 && cost.N <= MOST && cost.r === 8 && cost.p === 1;
  if (!isOurs || expected.length !== 2 * BYTES) return false;
  const found = await derive(text, Buffer.from(salt, "hex"), cost);
  return timingSafeEqual(found, Buffer.from(expected, "hex"));
}

function derive(
  text: string,
  salt: Uint8Array,
  cost: { readonly N: number; readonly r: number; readonly p: number },
) {
  return new Promise<Buffer>((resolve, reject) => {
    scrypt(text, salt, BYTES, { ...cost, maxmem: 256 * cost.N * cost.r }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
