import { expect, it } from "vitest";
import { hashOf, touchRow } from "../contract/data.js";
import { packTouch } from "../touch-codec.js";
import { placeOf, prefixOf, TOUCH_ID, TOUCH_LINK } from "./place.js";
import { eachTouchKey } from "./touch-index.js";

it.each([
  ["one event", [{ id: "a", links: ["x"] }]],
  ["one event that names a link twice", [{ id: "a", links: ["x", "y", "x"] }]],
  [
    "events of one id with shared links",
    [
      { id: "a", links: ["x"] },
      { id: "b", links: ["x", "a"] },
      { id: "a", links: ["b", "y"] },
    ],
  ],
])("the index gets each id and each link of a row once: %s", (_, events) => {
  const rows = events.map(({ id, links }) => touchRow({ id, links: links.map(hashOf) }));
  const found: string[] = [];
  eachTouchKey(packTouch(rows), 7, (prefix, place) => found.push(`${prefix} ${place}`));
  const wanted = new Set(
    rows.flatMap(({ id, links }) => [
      `${prefixOf(id)} ${placeOf(7, 0, TOUCH_ID)}`,
      ...links.map((link) => `${prefixOf(link)} ${placeOf(7, 0, TOUCH_LINK)}`),
    ]),
  );
  expect(found.toSorted()).toEqual([...wanted].sort());
});
