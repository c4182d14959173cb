import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import {
  adapters,
  cycles,
  deepImports,
  defaultExports,
  doorsAreThin,
  filesAreOpenedInOnePlace,
  fragments,
  importOrder,
  importsOf,
  longFiles,
  missingDoors,
  namedSurface,
  ownDoor,
  proofStandsAlone,
  pureModules,
  RANKS,
  rootLoads,
  type Tree,
  terminalPackages,
  writesPassTheGate,
} from "./_architecture.js";

/** Files that are one idea in more than 600 lines, each with the reason. */
const LONG_FILES = new Map<string, string>();

/** Small files with one importer, each with the reason. */
const FRAGMENTS = new Map<string, string>([
  ["src/doors/cli/quiet-console.ts", "has to be the first that a process loads"],
  ["src/doors/mcp/catalog.ts", "the list of tools, read by name"],
  ["src/encoder/judge-weights.ts", "the layout of a file of weights"],
  ["src/encoder/kernels.ts", "written by npm run wasm"],
  ["src/encoder/words-kernel.ts", "written by npm run wasm"],
  ["src/index/vectors/kernel.ts", "written by npm run wasm"],
  ["src/index/checked-bytes.ts", "keeps checksums apart from what is pure"],
  ["src/index/rank/probability-weights.ts", "written by bench/train-probability.mjs"],
  ["src/index/rank/weights-hybrid.ts", "written by bench/train-ranker.mjs"],
  ["src/index/rank/weights-lexical.ts", "written by bench/train-ranker.mjs"],
  ["src/language/stem.ts", "keeps the tables of a package apart from what is pure"],
  ["src/recall/artifacts/cache.ts", "what was asked lately, an idea of its own"],
  ["src/recall/detect/wording-weights.ts", "written by bench/train-detector.mjs"],
  ["src/recall/detect/world-names.ts", "a list of names"],
  ["src/recall/texts.ts", "looks into the texts of answers, for whatever asks a layer"],
  ["src/repo/companion.ts", "a port that rooms above implement"],
  ["src/repo/write/waiting.ts", "what waits for a review, beside what is committed"],
]);

/** Who opens or writes files past storage, each with the reason. */
const OWN_FILES = new Map<string, string>([
  ["src/doors/cli/code-folder.ts", "makes a folder that only the user can enter, before anything is loaded"],
  ["src/doors/cli/kept-code.ts", "a cache in that folder, used before anything is loaded"],
  ["src/doors/cli/tour/scenes.ts", "files in a folder that the tour made for itself"],
  ["src/doors/cli/tour/tour.ts", "makes that folder and takes it away"],
  ["src/doors/cli/package-file.ts", "reads files of the package itself"],
  ["src/encoder/cache.ts", "the model's cache, read by a thread of one script"],
  ["src/encoder/judge-weights.ts", "the judge's weights, read by that thread"],
  ["src/encoder/quantize.ts", "reads the model's weights in that thread"],
  ["src/encoder/write-cache.ts", "writes that cache, by a new name and a rename"],
  ["src/judge/load.ts", "reads the figures that lie beside the judge's weights in the package"],
  ["src/repo/live/view-image.ts", "files of a store in the store's own folder, by new names"],
  ["src/care/verbs/repair-store.ts", "takes away the folder that it made"],
]);

const root = fileURLToPath(new URL("..", import.meta.url));
const tree: Tree = new Map(
  readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .map((path) => `src/${path.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".ts"))
    .sort()
    .map((path) => [path, readFileSync(join(root, path), "utf8")]),
);

const fake = (files: Record<string, string>): Tree => new Map(Object.entries(files));

/** Holds on the real tree, and is shown to fail on a fake one: a check that cannot fail checks nothing. */
function rule(
  name: string,
  check: (tree: Tree) => string[],
  bad: readonly (readonly [files: Record<string, string>, problem: RegExp])[],
  good: readonly Record<string, string>[] = [],
): void {
  describe(name, () => {
    it("holds", () => {
      expect(check(tree)).toEqual([]);
    });
    it.each(bad)("can fail: %o", (files, problem) => {
      expect(check(fake(files)).join("\n")).toMatch(problem);
    });
    if (good.length > 0)
      it.each(good)("lets pass: %o", (files) => {
        expect(check(fake(files))).toEqual([]);
      });
  });
}

it("there are sources to check", () => {
  expect(tree.size).toBeGreaterThan(5);
  expect([...tree].flatMap(([path, text]) => importsOf(path, text)).length).toBeGreaterThan(5);
});

it("imports of every form are found, and none in comments", () => {
  const text = [
    'import { a } from "./a.js";',
    'import type { B } from "../b/index.js";',
    "import {\n  c,\n  type D,\n} from './c.js';",
    'import * as e from "e";',
    'import "./f.js";',
    'export { g } from "./g.js";',
    'export type * from "./h.js";',
    'const i = await import("@scope/i/sub");',
    'let j: import("./j.js").J;',
    '/**\n * import { no } from "./no1.js";\n */',
    '// const no = import("./no2.js");',
    'export const from = "./no3.js";',
  ].join("\n");
  expect(
    importsOf("src/x/y.ts", text).map(({ target, specifier, kind }) => [target ?? specifier, kind]),
  ).toEqual([
    ["src/x/a.ts", "static"],
    ["src/b/index.ts", "type"],
    ["src/x/c.ts", "static"],
    ["e", "static"],
    ["src/x/g.ts", "static"],
    ["src/x/h.ts", "type"],
    ["src/x/f.ts", "static"],
    ["@scope/i/sub", "dynamic"],
    ["src/x/j.ts", "dynamic"],
  ]);
});

it("the import order names each module once", () => {
  expect(new Set(RANKS.flat()).size).toBe(RANKS.flat().length);
});

const to = (path: string): string => `import { x } from "${path}";\n`;

rule(
  "the tree is the data flow: a module imports only what is below it",
  importOrder,
  [
    [{ "src/core/base/a.ts": to("../merkle/index.js") }, /merkle is not below core\/base/],
    [{ "src/index/a.ts": `import type { X } from "../session/index.js";` }, /session is not below index/],
    [{ "src/gate/a.ts": to("../search/index.js") }, /search is not below gate/],
    [{ "src/mind/a.ts": to("../care/index.js") }, /care is not below mind/],
    [{ "src/session/a.ts": 'await import("../doors/cli/main.js");' }, /doors is not below session/],
    [{ "src/index.ts": to("./doors/cli/main.js") }, /doors is not below index\.ts/],
    [{ "src/session/a.ts": to("../index.js") }, /index\.ts is not below session/],
    [{ "src/util/a.ts": "export const a = 1;\n" }, /src\/util has no place in the import order/],
  ],
  [
    {
      "src/index/a.ts": to("../core/base/index.js") + to("./b.js"),
      "src/index.ts": to("./session/index.js"),
    },
  ],
);

rule(
  "a module is imported through its door only",
  deepImports,
  [
    [{ "src/core/ledger/a.ts": to("../base/hash.js") }, /come in through src\/core\/base\/index\.ts/],
    [{ "src/index.ts": to("./session/open.js") }, /come in through src\/session\/index\.ts/],
    [{ "src/session/a.ts": to("../storage/sqlite/index.js") }, /come in through src\/storage\/index\.ts/],
    [{ "src/doors/cli/a.ts": to("../../session/open.js") }, /come in through src\/session\/index\.ts/],
  ],
  [
    {
      "src/core/ledger/a.ts": to("../base/index.js") + to("./b.js") + to("node:fs") + to("left-pad"),
      "src/session/a.ts": to("../core/merkle/proof.js") + to("../storage/testing.js"),
      "src/core/ledger/a.test.ts": to("../base/hash.js"),
    },
  ],
);

rule(
  "nobody uses the door of the house they are in",
  ownDoor,
  [
    [{ "src/core/base/a.ts": to("./index.js") }, /src\/core\/base\/index\.ts, its own door/],
    [{ "src/storage/sqlite/a.ts": to("../index.js") }, /src\/storage\/index\.ts, its own door/],
    [{ "src/session/a.ts": to("../index.js") }, /src\/index\.ts, its own door/],
  ],
  [{ "src/storage/index.ts": to("./sqlite/index.js"), "src/index.ts": to("./session/index.js") }],
);

rule(
  "every module has a door",
  missingDoors,
  [[{ "src/gate/checks.ts": "" }, /src\/gate has no index\.ts/]],
  [{ "src/gate/index.ts": "", "src/gate/checks.ts": "", "src/index.ts": "", "src/doors/cli/main.ts": "" }],
);

rule(
  "storage adapters are leaves",
  adapters,
  [
    [{ "src/storage/sqlite/a.ts": to("../memory/index.js") }, /another adapter/],
    [{ "src/storage/port.ts": to("./memory/index.js") }, /only the entries of storage import an adapter/],
    [{ "src/session/a.ts": to("../storage/sqlite/index.js") }, /only the entries of storage import/],
    [{ "src/storage/index.ts": to("./sqlite/rows.js") }, /come in through src\/storage\/sqlite\/index\.ts/],
  ],
  [
    {
      "src/storage/index.ts": to("./sqlite/index.js"),
      "src/session/a.ts": 'await import("../storage/postgres/index.js");',
      "src/storage/sqlite/a.ts": to("../port.js") + to("./b.js"),
      "src/storage/testing.ts": to("./memory/index.js"),
    },
  ],
);

rule(
  "no import cycles, not even of types",
  cycles,
  [
    [
      {
        "src/core/base/a.ts": to("./b.js"),
        "src/core/base/b.ts": to("./c.js"),
        "src/core/base/c.ts": to("./a.js"),
      },
      /import cycle: src\/core\/base\/a\.ts -> src\/core\/base\/b\.ts -> src\/core\/base\/c\.ts -> src\/core\/base\/a\.ts/,
    ],
    [
      {
        "src/core/base/a.ts": 'import type { B } from "./b.js";',
        "src/core/base/b.ts": 'import type { A } from "./a.js";',
      },
      /import cycle/,
    ],
    [{ "src/core/base/a.ts": to("./a.js") }, /src\/core\/base\/a\.ts -> src\/core\/base\/a\.ts/],
  ],
  [
    {
      "src/core/base/a.ts": to("./b.js") + to("./c.js"),
      "src/core/base/b.ts": to("./c.js"),
      "src/core/base/c.ts": "",
    },
  ],
);

rule(
  "a proof is verified with nothing but Node",
  proofStandsAlone,
  [
    [{ "src/core/merkle/proof.ts": to("./node.js") }, /imports \.\/node\.js/],
    [
      { "src/core/merkle/proof.ts": 'import type { Hash } from "../base/index.js";' },
      /nothing but node:crypto/,
    ],
    [{ "src/core/merkle/proof.ts": to("left-pad") }, /left-pad/],
    [{ "src/core/merkle/proof-chain.ts": to("node:fs") }, /node:fs/],
  ],
  [{ "src/core/merkle/proof.ts": to("node:crypto") }, { "src/core/merkle/proof.ts": to("./proof-chain.js") }],
);

rule(
  "pure modules reach for nothing outside",
  pureModules,
  [
    [{ "src/core/merkle/a.ts": to("node:fs") }, /node:fs, but core\/merkle is pure/],
    [{ "src/core/ledger/a.ts": to("left-pad") }, /left-pad, but core\/ledger is pure/],
    [{ "src/core/base/json.ts": 'import type { Hash } from "node:crypto";' }, /base is pure/],
    [{ "src/core/ledger/a.ts": 'await import("node:fs");' }, /ledger is pure/],
  ],
  [
    {
      "src/core/base/hash.ts": to("node:crypto"),
      "src/core/merkle/proof-fields.ts": to("node:crypto"),
      "src/repo/a.ts": to("node:fs"),
    },
  ],
);

rule(
  "only doors talk to a terminal",
  terminalPackages,
  [
    [{ "src/session/a.ts": to("commander") }, /src\/session\/a\.ts imports commander/],
    [{ "src/care/a.ts": 'await import("picocolors");' }, /picocolors/],
  ],
  [{ "src/doors/cli/main.ts": to("commander") + to("picocolors") }],
);

rule(
  "doors are thin: they import the session only",
  doorsAreThin,
  [
    [{ "src/doors/cli/a.ts": to("../../core/base/index.js") }, /a door imports src\/session\/index\.ts only/],
    [{ "src/doors/cli/a.ts": 'import type { X } from "../../index.js";' }, /src\/index\.ts; a door/],
    [{ "src/doors/cli/a.ts": to("../../session/open.js") }, /src\/session\/open\.ts; a door/],
  ],
  [
    {
      "src/doors/cli/a.ts":
        to("../../session/index.js") + to("./b.js") + to("../mcp/serve.js") + to("commander"),
    },
  ],
);

rule(
  "the public surface names every export",
  namedSurface,
  [
    [{ "src/index.ts": 'export * from "./session/index.js";\n' }, /export \* from/],
    [{ "src/index.ts": 'export type * from "./session/index.js";\n' }, /export type \*/],
    [{ "src/index.ts": 'export * as all from "./session/index.js";\n' }, /export \* as all/],
  ],
  [{ "src/index.ts": 'export { a, type B } from "./session/index.js";\n' }],
);

rule(
  "no default exports",
  defaultExports,
  [
    [{ "src/core/base/a.ts": "export default 1;\n" }, /src\/core\/base\/a\.ts has a default export/],
    [{ "src/core/base/a.ts": "const a = 1;\nexport { a as default };\n" }, /default export/],
    [{ "src/core/base/a.ts": 'export { x as default } from "./b.js";\n' }, /default export/],
  ],
  [{ "src/core/base/a.ts": "export const defaults = 1;\n// export default\n" }],
);

rule(
  "importing the library loads no package",
  rootLoads,
  [
    [{ "src/index.ts": to("commander") }, /src\/index\.ts -> commander/],
    [
      { "src/index.ts": to("./session/index.js"), "src/session/index.ts": to("@photostructure/sqlite") },
      /src\/index\.ts -> src\/session\/index\.ts -> @photostructure\/sqlite; load it with import\(\)/,
    ],
    [{ "src/index.ts": to("node:sqlite") }, /node:sqlite/],
    [{ "src/index.ts": 'import { type X } from "left-pad";' }, /left-pad/],
  ],
  [
    {
      "src/index.ts": to("./session/index.js") + to("node:fs"),
      "src/session/index.ts": 'import type { X } from "left-pad";\nconst x = () => import("left-pad");\n',
      "src/doors/cli/main.ts": to("commander"),
    },
  ],
);

describe("files are one idea", () => {
  const long = fake({ "src/core/base/a.ts": "x;\n".repeat(601), "src/core/base/b.ts": "x;\n".repeat(600) });

  it("holds", () => {
    expect(longFiles(tree, LONG_FILES)).toEqual([]);
  });
  it("can fail: a file of 601 lines", () => {
    expect(longFiles(long, new Map())).toEqual(["src/core/base/a.ts has 601 lines; is it still one idea?"]);
  });
  it("lets pass: a long file with a reason", () => {
    expect(longFiles(long, new Map([["src/core/base/a.ts", "a table"]]))).toEqual([]);
  });
  it("can fail: a reason that is no longer needed", () => {
    expect(longFiles(long, new Map([["src/core/base/b.ts", "was long"]])).join()).toMatch(
      /take it off the list/,
    );
  });
  it("every long file on the list has a reason", () => {
    for (const reason of LONG_FILES.values()) expect(reason.length).toBeGreaterThan(10);
  });
});

describe("a small file with one importer has a reason", () => {
  const small: Tree = new Map([
    ["src/core/base/a.ts", "export const a = 1;"],
    ["src/core/base/b.ts", 'import { a } from "./a.js";\nexport const b = a;'],
    ["src/core/base/index.ts", 'export { b } from "./b.js";'],
  ]);

  it("holds", () => {
    expect(fragments(tree, FRAGMENTS)).toEqual([]);
  });
  it("can fail: a file of one line for one other", () => {
    expect(fragments(small, new Map())).toEqual([
      "src/core/base/a.ts serves src/core/base/b.ts alone; put it there, or say why not",
    ]);
  });
  it("can fail: a reason that is no longer needed", () => {
    const reasons = new Map([
      ["src/core/base/a.ts", "a table"],
      ["src/core/base/b.ts", "was one"],
    ]);
    expect(fragments(small, reasons)).toEqual(["src/core/base/b.ts is no fragment; take it off the list"]);
  });
});

rule(
  "nothing is written past the gate: one file puts records into a draft, and one makes drafts",
  writesPassTheGate,
  [
    [
      { "src/session/verbs/sneak.ts": 'await draft.write("add", record, author);' },
      /sneak\.ts writes past src\/memories\/admit\.ts/,
    ],
    [
      { "src/session/verbs/sneak.ts": "const draft = new Draft(reader, branch, tip, now);" },
      /sneak\.ts makes a draft/,
    ],
    [
      { "src/session/verbs/sneak.ts": 'encodeObject("memory", x); storage.transact({});' },
      /sneak\.ts commits/,
    ],
    [
      { "src/care/sneak.ts": "await other.exclusive(async (transact) => transact({}));" },
      /sneak\.ts commits/,
    ],
  ],
  [
    {
      "src/memories/admit.ts": "await draft.write(op, ready, author);",
      "src/repo/write/writer.ts": "new Draft(reader)",
    },
  ],
);

rule(
  "X640 files are opened, written, named and removed by storage",
  (files) => filesAreOpenedInOnePlace(files, files === tree ? OWN_FILES : new Map()),
  [
    [{ "src/doors/cli/a.ts": `import { writeFile } from "node:fs/promises";` }, /a\.ts uses writeFile/],
    [{ "src/session/a.ts": `import { existsSync, openSync as o } from "node:fs";` }, /uses openSync/],
    [{ "src/session/a.ts": `import * as fs from "node:fs";` }, /uses \* as fs|uses \*/],
    [{ "src/session/a.ts": `import fs from "node:fs";` }, /uses fs/],
    [{ "src/session/a.ts": `const { rm } = await import("node:fs/promises");` }, /uses rm/],
    [{ "src/session/a.ts": `(await import("node:fs")).rmSync("x");` }, /uses node:fs/],
    [{ "src/session/a.ts": `const fs = require("node:fs");` }, /uses node:fs/],
  ],
  [
    {
      "src/session/a.ts": `import { type Stats, statSync } from "node:fs";\nimport { lstat } from "node:fs/promises";`,
      "src/storage/a.ts": `import { rename } from "node:fs/promises";`,
    },
  ],
);
