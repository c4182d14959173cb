import { expect, it } from "vitest";
import { DEFAULT_CONFIG, editConfig, readConfig } from "./config.js";

it("PA6 a setting is changed and every comment stays", async () => {
  const text = "# Ours\nscratchpad:\n  # notes\n  ttl: 60 # a minute\nother: [1, 2] # kept\n";
  expect(await editConfig(text, "scratchpad.ttl", 7200)).toBe(
    "# Ours\nscratchpad:\n  # notes\n  ttl: 7200 # a minute\nother: [ 1, 2 ] # kept\n",
  );
  const routed = await editConfig(DEFAULT_CONFIG, "promotion.routes.postgres", "systems/database");
  expect(routed).toContain("# Words of a summary");
  expect(await readConfig(routed)).toEqual({
    scratchpad: { ttl: 3600 },
    promotion: { routes: { postgres: "systems/database" } },
  });
  expect(await editConfig("a: 1\n# end\nb: 2\n", "a", undefined)).toContain("b: 2");
});
it("PA6 what is not as it should be counts as not said", async () => {
  for (const text of [
    "",
    "- 1",
    "scratchpad: [1]",
    "scratchpad: {ttl: soon}",
    ": : :",
    "a: &x [*x]",
    "!!js/function x",
  ])
    expect(await readConfig(text)).toEqual({});
  await expect(editConfig("a: [", "b", 1)).rejects.toMatchObject({ code: "INVALID_FILE" });
  await expect(editConfig("", "a..b", 1)).rejects.toMatchObject({ code: "INVALID_NAME" });
});
