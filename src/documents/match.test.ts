import { expect, it } from "vitest";
import type { MemoryId } from "../base/index.js";
import { Matcher } from "./match.js";
import type { DocNode, Placed } from "./node.js";

it("D4 equal siblings get ids of their own, however many there are", () => {
  const node = { type: "headline", text: "The same\n" } as DocNode;
  const list: Placed[] = [{ node, parent: undefined } as Placed];
  for (let at = 0; at < 50_000; at++) list.push({ node, parent: 0 } as Placed);
  const ids = new Matcher(list, "root" as MemoryId, []).run();
  expect(new Set(ids).size).toBe(list.length);
});
