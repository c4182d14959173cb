import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Storage } from "../src/index.js";
import { filled, tries, VERBS, verbsOfSession } from "./_every-verb.js";

/** Made up: nothing of the kind was ever issued. */
const TOKEN = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;

const folder = mkdtempSync(join(tmpdir(), "pal-secrets-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Everything that a store keeps, as text. */
async function kept(storage: Storage): Promise<string> {
  const parts: string[] = [];
  for await (const { bytes } of storage.scan()) parts.push(Buffer.from(bytes).toString());
  parts.push(JSON.stringify([...(await storage.refs(""))]), JSON.stringify([...(await storage.sides(""))]));
  parts.push(JSON.stringify((await storage.touchSince(0, 100_000)).touch));
  return parts.join("\n");
}

describe("secrets in what is kept for ever (A12, A27)", () => {
  it("A324 every verb of a session is called by this test", async () => {
    const { pal } = await filled();
    expect(verbsOfSession(pal)).toEqual(Object.keys(VERBS).sort());
  });

  it("A324 no verb keeps a secret, wherever it is given: words lose it, names that hold it are refused", async () => {
    const leaks: string[] = [];
    let count = 0;
    for await (const { what, session, run } of tries(TOKEN, folder)) {
      count++;
      const { storage, store, pal } = await filled();
      try {
        await run(session ? store.session({ agent: "ada", trust: "user", sessionId: "s", ...session }) : pal);
      } catch {
        // Refused: then nothing of it may be there either.
      }
      if ((await kept(storage)).includes(TOKEN)) leaks.push(what);
      await store.close();
    }
    expect(leaks).toEqual([]);
    expect(count).toBeGreaterThan(500);
  }, 120_000);
});
