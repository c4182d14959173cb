import { expect, it } from "vitest";
import { tooOld } from "./node-version.js";

it("C294 a Node before 20.19 is told so in one line, a later one nothing", () => {
  for (const old of ["18.20.8", "20.18.3", "v16.0.0", "19.9.0", "20.9.0"])
    expect(tooOld(old)).toBe(`This is Node ${old}; Palimpsest needs 20.19 or later.`);
  for (const fit of ["20.19.0", "v20.20.2", "22.0.0", "24.1.0", "100.0.0"])
    expect(tooOld(fit)).toBeUndefined();
});
