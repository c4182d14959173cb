import fc from "fast-check";
import { expect, it } from "vitest";
import type { Hash } from "../core/base/hash.js";
import type { Trust } from "../core/ledger/types.js";
import { trustRank } from "../core/ledger/types.js";
import { openStore } from "../session/open-store.js";
import { memoryStorage } from "../storage/index.js";

const RUNS = process.env.PAL_TORTURE ? 10_000 : 150;
const WORDS = "amber basil cedar delta ember fjord grove heron iris jade kelp lotus maple nectar".split(" ");

interface Node {
  readonly id: string;
  readonly hash: Hash;
  readonly trust: Trust;
  readonly parents: readonly number[];
  readonly isPoisoned: boolean;
  readonly word: string;
}

/** A graph of derivations: seeds from inside and outside, and what agents make of what came before. */
const step = fc.record({
  kind: fc.constantFrom("inside", "outside", "page", "derive", "derive", "derive"),
  by: fc.constantFrom("ann", "bob"),
  source: fc.constantFrom("tool", "agent", "consolidation", "reflection", "extraction", "promotion"),
  from: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
  edits: fc.boolean(),
});

it("A36 in any graph of derivations planted memories and what is made of them are never found, and all others are (B13)", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), async (steps) => {
      const store = await openStore(memoryStorage());
      const [ann, bob] = [store.session({ agent: "ann" }), store.session({ agent: "bob" })];
      const outside = store.session({ agent: "stranger", trust: "external" });
      const nodes: Node[] = [];
      for (const [at, { kind, by, source, from, edits }] of steps.entries()) {
        const agent = by === "ann" ? ann : bob;
        const parents = kind === "derive" && at > 0 ? [...new Set(from.map((n) => n % at))] : [];
        const word = `${WORDS[at]}${at}`;
        const text = `${word} is what step ${at} says of the ${WORDS[(at + 5) % WORDS.length]}`;
        const id = `node-${at}`;
        const verdict = await (kind === "outside" ? outside : agent).remember(text, {
          id,
          source: kind === "page" ? "web" : source,
          ...(parents.length > 0 && { derivedFrom: parents.map((n) => (nodes[n] as Node).hash) }),
        });
        const isPoisoned =
          kind === "outside" || kind === "page" || parents.some((n) => nodes[n]?.isPoisoned === true);
        expect(verdict.verdict).toBe(isPoisoned ? "quarantined" : "accepted");
        const waits = verdict.staged === undefined ? undefined : await ann.reviewItem(verdict.staged);
        const hash = (verdict.hash ?? waits?.changes[0]?.after) as Hash;
        const trust = waits?.trust ?? ((await ann.get(id))?.origin.trust as Trust);
        for (const n of parents)
          expect(trustRank(trust)).toBeLessThanOrEqual(trustRank((nodes[n] as Node).trust));
        nodes.push({ id, hash, trust, parents, isPoisoned, word });
        // An edit is a new version; what was made of the old one still rests on the memory.
        if (edits && !isPoisoned) await agent.update(id, `${text}, they say`);
      }
      // Agents vouch for each other's words, not for what comes from outside.
      for (const session of [ann, bob])
        for (const item of await session.review())
          expect(await session.acceptReview(item.id)).toMatchObject({ accepted: false });
      for (const { id, word, isPoisoned } of nodes) {
        const found = (await ann.search(word)).hits.some((hit) => hit.id === id);
        expect([id, found]).toEqual([id, !isPoisoned]);
      }
      for (const [at, { id }] of nodes.entries()) {
        if (nodes[at]?.isPoisoned) continue;
        const rest = new Set([at]);
        for (const [n, { parents }] of nodes.entries())
          if (parents.some((parent) => rest.has(parent))) rest.add(n);
        const expected = [...rest].filter((n) => n !== at && !nodes[n]?.isPoisoned).map((n) => `node-${n}`);
        expect((await ann.taint(id)).map((found) => found.id).sort()).toEqual(expected.sort());
      }
      await store.close();
    }),
    { numRuns: RUNS },
  );
}, 3_600_000);
