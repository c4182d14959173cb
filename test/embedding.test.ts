import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const home = mkdtempSync(join(tmpdir(), "pal-embedding-"));
beforeAll(() => {
  expect(existsSync(join(ROOT, "dist/index.js")), "run `npm run build` first").toBe(true);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** A program that uses the built package; it has to end by itself. */
function program(code: string, env: Record<string, string> = {}) {
  const url = (file: string) => JSON.stringify(pathToFileURL(join(ROOT, "dist", file)).href);
  const script = `import { openStore } from ${url("index.js")};
    const store = await openStore(${JSON.stringify(join(home, "store"))});
    const pal = store.session({ agent: "orion" });
    ${code}`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
    timeout: 50_000,
    env: { ...process.env, PAL_CACHE: join(home, "cache"), PAL_EMBEDDER: "minilm", ...env },
  });
  return { status, stdout: stdout.trim().split("\n"), stderr };
}

describe("the built package", () => {
  it("Y140 finds its model, says that it prepares it the first time, and finds by meaning", () => {
    const ran = program(`
      await pal.remember({ id: "allergy", text: "My daughter cannot eat peanuts." });
      await pal.remember({ id: "deploy", text: "Deployments happen every Tuesday." });
      const embedding = await store.embedding();
      const phases = new Set();
      embedding.onProgress(() => phases.add(embedding.state().phase));
      const { hits } = await pal.semanticSearch("dangerous food", { waitMs: 40_000, minSimilarity: 0.1 });
      console.log(hits[0].id, [...phases][0]);
      await store.close();`);
    expect(ran).toMatchObject({ status: 0, stderr: "", stdout: ["allergy preparing"] });
    expect(readdirSync(join(home, "cache"))).toHaveLength(1);
  });

  it("RC8 what is asked of a name in other words than it was told in is known by its meaning, and what was never told is not", () => {
    const ran = program(`
      await pal.remember("Tom is allergic to peanuts");
      await pal.remember("Tom works as a paramedic in Leeds");
      const answered = async (question, mode) => (await pal.recall(question, { mode })).answered;
      for (const mode of ["lexical", "hybrid"])
        console.log(mode, await answered("Does Tom have any allergies?", mode), await answered("What is Tom's phone number?", mode));
      await store.close();`);
    expect(ran).toMatchObject({ status: 0, stdout: ["lexical false false", "hybrid true false"] });
  });

  it("Y141 work in the background keeps no process alive, and what it did is kept", () => {
    const ran = program(`
      await pal.rememberMany(Array.from({ length: 1500 }, (_, n) => ({ id: "n" + n, type: "note", text: ("Sentence " + n + ". ").repeat(8) })));
      const embedding = await store.embedding();
      embedding.start();
      const alive = setInterval(() => undefined, 100);
      await new Promise((seen) => embedding.onProgress(seen));
      clearInterval(alive);
      console.log(embedding.state().waiting > 1000);`);
    expect(ran).toMatchObject({ status: 0, stderr: "", stdout: ["true"] });
    const after = program(`
      const embedding = await store.embedding();
      embedding.pause();
      await embedding.done();
      console.log(embedding.state().embedded >= 3);
      await store.close();`);
    expect(after).toMatchObject({ status: 0, stderr: "", stdout: ["true"] });
  });

  it("Y142 nothing of the model is loaded by a program that asks for no vectors", () => {
    const loaded = `
      await pal.get("allergy"); await pal.list({ limit: 1 });
      await store.close();
      const threads = process.getActiveResourcesInfo().filter((name) => /Worker|MessagePort/.test(name));
      console.log(threads.length, "WebAssembly" in globalThis && compiled);`;
    const script = `let compiled = 0; const Module = WebAssembly.Module;
      WebAssembly.Module = class extends Module { constructor(bytes) { super(bytes); compiled++; } };
      process.on("worker", () => compiled++);`;
    expect(program(script + loaded)).toMatchObject({ status: 0, stderr: "", stdout: ["0 0"] });
  });

  it("Y143 without weights and cache a search by meaning says that it is unavailable, and everything else works", () => {
    const ran = program(
      `const answer = await pal.semanticSearch("x");
       console.log(answer.status, answer.hits.length, (await pal.remember("y")).verdict);
       await store.close();`,
      { PAL_EMBEDDER: "openai", OPENAI_BASE_URL: "http://127.0.0.1:9" },
    );
    expect(ran).toMatchObject({ status: 0, stderr: "", stdout: ["unavailable 0 accepted"] });
  });
});
