import type { Guard, Storage } from "./port.js";

/**
 * Nodes that are stored lean on nodes that were stored before. Whoever stores some asks for the age first, then looks
 * what is there, and names the age in the transaction; whoever drops nodes first takes the roots, then begins a new
 * age. So nothing that is stored after that leans on a state whose root is gone.
 */
const KEY = "node-age";

export async function nodeAge(storage: Storage): Promise<Guard> {
  return { key: KEY, value: (await storage.side(KEY)) ?? null };
}

/** When it answers, every transaction of an older age is committed, or is stale. */
export async function beginNodeAge(storage: Storage): Promise<void> {
  const { value } = await nodeAge(storage);
  await storage.setSide(KEY, String(Number(value ?? 0) + 1));
  await storage.exclusive(async () => undefined);
}
