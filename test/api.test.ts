import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const script = fileURLToPath(new URL("../scripts/api.mjs", import.meta.url));
let root: string;

const put = (files: Record<string, string>): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
};
const api = (...args: string[]): { status: number | null; out: string } => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, "--root", root, ...args], {
    encoding: "utf8",
  });
  return { status, out: stdout + stderr };
};
const snapshot = (): string => readFileSync(join(root, "test/api.snapshot.txt"), "utf8");

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "pal-api-"));
  put({
    "package.json": JSON.stringify({
      name: "pkg",
      exports: {
        ".": { types: "./dist/index.d.ts" },
        "./proof": { types: "./dist/proof.d.ts" },
        "./package.json": "./package.json",
      },
    }),
    "test/.keep": "",
    "dist/index.d.ts":
      '/** The surface. */\nexport { open, type Options, Store as Vault, } from "./session/index.js";\nexport type { Json } from "other";\n',
    "dist/session/index.d.ts":
      'export { open } from "./open.js";\nexport * from "./store.js";\nimport type { Options } from "./options.js";\nexport type { Options };\n',
    "dist/session/open.d.ts":
      'import type { Store } from "./store.js";\nimport type { Options } from "./options.js";\nexport declare function open(path: string): Store;\nexport declare function open(options: Options): Store;\ndeclare const hidden: unique symbol;\nexport {};\n',
    "dist/session/options.d.ts":
      'export interface Options {\n    /** Where; not "// here". */\n    readonly path: "a//b" | "/*c*/";\n    readonly nested?: {\n        readonly deep: true;\n    };\n}\n',
    "dist/session/store.d.ts":
      "export declare class Store {\n    #private;\n    private readonly secret;\n    private constructor();\n    get(id: string): Promise<string | undefined>;\n}\n",
    "dist/proof.d.ts":
      "export declare const verify: (text: string) => boolean;\nexport type Verdict =\n    | 1\n    | 2;\n",
  });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("the API snapshot", () => {
  it("lists every exported name with its declaration, through all re-exports", () => {
    expect(api("--write")).toMatchObject({ status: 0 });
    expect(snapshot()).toBe(`The public API. Written by \`npm run api\`; every change here is a decision.

== pkg ==

Json
  Json from "other"

Options
  interface Options {
    readonly path: "a//b" | "/*c*/";
    readonly nested?: {
      readonly deep: true;
    };
  }

Vault
  class Store {
    private constructor();
    get(id: string): Promise<string | undefined>;
  }

open
  function open(path: string): Store;
  function open(options: Options): Store;

== pkg/proof ==

Verdict
  type Verdict =
    | 1
    | 2;

verify
  const verify: (text: string) => boolean;
`);
  });

  it("is silent about what does not change the API, and says what does", () => {
    api("--write");
    expect(api()).toEqual({ status: 0, out: "api: unchanged\n" });
    put({
      "dist/proof.d.ts":
        "/** New words. */\nexport declare const verify: (text: string) => boolean;\nexport type Verdict =\n    | 1\n    | 2;\n",
    });
    expect(api().status).toBe(0);
    put({
      "dist/proof.d.ts":
        "export declare const verify: (bytes: Uint8Array) => boolean;\nexport type More = 1;\n",
    });
    const { status, out } = api();
    expect(status).toBe(1);
    expect(out).toContain("added   pkg/proof: More");
    expect(out).toContain("removed pkg/proof: Verdict");
    expect(out).toContain("changed pkg/proof: verify");
    expect(out).toContain("-  const verify: (text: string) => boolean;");
    expect(out).toContain("+  const verify: (bytes: Uint8Array) => boolean;");
    expect(out).not.toContain("pkg: open");
  });

  it("shows what a type is computed from: the options of a verb lie in a value, and what a class adds to in another", () => {
    put({
      "dist/proof.d.ts":
        'declare class Base {\n    close(): void;\n}\nexport declare class Check extends Base {\n}\ndeclare const ASK: {\n    limit: import("./options.js").Field<number>;\n};\nexport type Ask = Given<typeof ASK>;\n',
    });
    api("--write");
    expect(snapshot()).toContain(`
Ask
  type Ask = Given<typeof ASK>;
  const ASK: {
    limit: Field<number>;
  };

Check
  class Check extends Base {
  }
  class Base {
    close(): void;
  }
`);
  });

  it.each([
    ["there is no snapshot", {}, /snapshot\.txt is missing; write it with `npm run api`/],
    [
      "a name leads nowhere",
      { "dist/proof.d.ts": 'export { gone } from "./session/open.js";\n' },
      /gone, but its decl/,
    ],
    [
      "a statement is not understood",
      { "dist/proof.d.ts": "export = something;\n" },
      /cannot read `export = some/,
    ],
    [
      "files re-export each other",
      { "dist/proof.d.ts": 'export { a } from "./proof.js";\n' },
      /exports a, but its/,
    ],
  ])("fails when %s", (_, files, message) => {
    put(files);
    const { status, out } = api();
    expect(status).toBe(1);
    expect(out).toMatch(message);
  });

  it("fails when nothing was built", () => {
    rmSync(join(root, "dist"), { recursive: true });
    expect(api("--write")).toEqual({
      status: 1,
      out: "api: ./dist/index.d.ts is missing; run `npm run build` first\n",
    });
  });
});
