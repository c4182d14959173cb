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

/**
 * When it answers, every transaction of an older age is committed, or is stale. Two that begin one at once must not
 * begin the same: what one of them took after the other began would be leant on.
 */
export async function beginNodeAge(storage: Storage): Promise<void> {
  for (let begun = false; !begun; ) {
    const { value } = await nodeAge(storage);
    begun = await storage.setSide(KEY, String(Number(value ?? 0) + 1), value);
  }
  await storage.exclusive(async () => undefined);
}
