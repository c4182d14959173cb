import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blobInRam } from "../storage/index.js";
import { forged, type ImageHeader } from "./_forged-image.js";
import { held, SCOPES, type Sketch } from "./_world.js";
import { type Columns, LAYOUT } from "./frozen.js";
import { decodeImage, encodeImage } from "./image.js";
import { View } from "./view.js";

const TAG = { commit: "c", root: "r", analyser: "a", epoch: 1 };
const SKETCH: Omit<Sketch, "number" | "scope"> = {
  type: "fact",
  text: "Ann likes green tea",
  tags: undefined,
  topic: undefined,
  parent: undefined,
  todo: undefined,
  sensitivity: "normal",
  expires: undefined,
  created: 1,
  session: "s1",
  turn: 0,
  speaker: "ann",
};
const column = fc.constantFrom(...(Object.keys(LAYOUT) as (keyof Columns)[]));
/** How long these are follows from nothing but what is in them. */
const FREE = new Set<keyof Columns>(["idBytes", "commits", "ending", "uses", "turns", "termBytes"]);
const lie = fc.oneof(
  fc.constantFrom(-8, -1, 0, 1, 8, 0.5, 2 ** 31, 2 ** 32, 2 ** 53, 1e308, -1e308, null, "8"),
  fc.nat(4096),
);

describe("Q145 an image whose columns do not lie as they are written is not used, although its checksums are right", () => {
  const view = new View();
  for (let number = 0; number < 3; number++)
    view.add(held({ ...SKETCH, number, scope: SCOPES[number % 2]! }));
  const image = Buffer.concat(encodeImage(view.compact(), TAG));
  const read = (change: (header: ImageHeader) => void) => decodeImage(blobInRam(forged(image, change)), TAG);

  it("Q145 a forgery that changes nothing is the image", () => {
    expect(new View(read(() => undefined)).live).toBe(3);
  });

  it("Q145 places and lengths outside the file, negative, huge, broken or of another kind", () => {
    fc.assert(
      fc.property(column, fc.constantFrom(0, 1), lie, (name, which, value) => {
        const found = read(({ sections }) => {
          const [start, length] = sections[name];
          fc.pre((which === 0 ? start : length) !== value);
          // The bytes of texts may be fewer where padding follows: no place tells.
          const isHidden = (more: number) => which === 1 && FREE.has(name) && value === Number(length) + more;
          fc.pre(![-7, -6, -5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 6, 7].some(isHidden));
          sections[name][which] = value;
        });
        expect(found).toBeUndefined();
      }),
      { numRuns: 400 },
    );
  });

  it("Q145 columns in each other's place, and two in one", () => {
    fc.assert(
      fc.property(column, column, fc.boolean(), (one, other, isTwice) => {
        const found = read(({ sections }) => {
          fc.pre(`${sections[one]}` !== `${sections[other]}`);
          const moved = sections[one];
          sections[one] = sections[other];
          if (!isTwice) sections[other] = moved;
        });
        expect(found).toBeUndefined();
      }),
    );
  });

  it("Q145 lengths that fit into the file and not to each other, to the partitions or the names", () => {
    // Padding hides a byte less, and all that follows stays in its place.
    const shorter = (header: ImageHeader, name: keyof Columns) => {
      header.sections[name][1] = (header.sections[name][1] as number) - 1;
    };
    for (const name of ["traits", "weights", "version", "hashes", "sayingNext"] as const)
      expect(
        read((header) => shorter(header, name)),
        name,
      ).toBeUndefined();
    expect(read(({ partitions }) => partitions.pop())).toBeUndefined();
    expect(read(({ names }) => names.push("one more"))).toBeUndefined();
  });
});
