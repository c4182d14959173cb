import { expect, it } from "vitest";
import type { MemoryId } from "../core/base/names.js";
import type { DocNode, Placed } from "./ast.js";
import { Matcher } from "./match.js";

it("D4 equal siblings get ids of their own, however many there are", async () => {
  const node: DocNode = { type: "headline", text: "The same\n", attributes: {}, tags: [], children: [] };
  const list: Placed[] = [{ node, parent: undefined }];
  for (let at = 0; at < 50_000; at++) list.push({ node, parent: 0 });
  const ids = await new Matcher(list, "root" as MemoryId, []).run();
  expect(new Set(ids).size).toBe(list.length);
});
