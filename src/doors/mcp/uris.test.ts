import fc from "fast-check";
import { expect, it } from "vitest";
import { readUri, uriOf } from "./uris.js";
import { listenedTo } from "./watching.js";

it("J18 a uri reads back to the very id or branch, and anything else to nothing", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("memory", "branch"),
      fc.string({ unit: "grapheme", minLength: 1 }),
      (kind, name) => {
        expect(readUri(uriOf(kind as "memory", name))).toEqual({ kind, name });
      },
    ),
  );
  for (const uri of [
    "",
    "memory://",
    "memory://memory/",
    "memory://other/x",
    "memory://memory/a/b",
    "memory://memory/%E0%A4%A",
  ])
    expect(readUri(uri)).toBeUndefined();
});

it("J20 subscriptions are read from requests of the newer protocol and from nothing else", () => {
  const message = (method: unknown, resourceSubscriptions: unknown) => ({
    ...{ method, params: { notifications: { resourceSubscriptions } } },
  });
  expect(listenedTo(message("subscriptions/listen", ["a", 7, "b"]))).toEqual(["a", "b"]);
  for (const other of [
    message("tools/call", ["a"]),
    message("subscriptions/listen", "a"),
    null,
    7,
    {},
    { method: "subscriptions/listen" },
  ])
    expect(listenedTo(other)).toEqual([]);
});
