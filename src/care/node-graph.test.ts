import fc from "fast-check";
import { expect, it } from "vitest";
import { type Hash, hashBytes } from "../core/base/hash.js";
import { NodeGraph } from "./thin.js";

it("nodes by number hold what each names of them, through every growth, and nothing else", () => {
  const hashOf = (number: number): Hash => hashBytes("node", Buffer.from(String(number)));
  const some = fc.integer({ min: 0, max: 600 });
  const named = fc.array(fc.tuple(some, fc.uniqueArray(some, { maxLength: 16 })), { maxLength: 500 });
  fc.assert(
    fc.property(named, (nodes) => {
      const [graph, model] = [new NodeGraph(), new Map(nodes)];
      for (const [node] of nodes) graph.add(hashOf(node));
      expect(graph.size).toBe(model.size);
      for (const [node, names] of model) graph.link(graph.numberOf(hashOf(node))!, names.map(hashOf));
      for (const [node, names] of model) {
        const number = graph.numberOf(hashOf(node))!;
        expect(graph.hashOf(number)).toBe(hashOf(node));
        const found = Array.from(graph.namedBy(number), (name) => graph.hashOf(name));
        expect(found).toEqual(names.filter((name) => model.has(name)).map(hashOf));
      }
      for (let node = 0; node < 600; node += 13) expect(graph.has(hashOf(node))).toBe(model.has(node));
    }),
    { numRuns: 50 },
  );
});
