import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { openStore, type Session } from "../src/index.js";
import { PATIENCE, ROOT, SEED, TORTURE } from "./_processes.js";

const ERASURES = TORTURE ? 1000 : 6;

/** A process with a warm view, which answers one question at a time. */
class Watcher {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;

  constructor(directory: string) {
    this.#child = spawn(process.execPath, [join(ROOT, "test/_watcher.mjs"), directory]);
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  async ask(verb: string, id: string, word: string) {
    this.#child.stdin.write(`${verb} ${id} ${word}\n`);
    return JSON.parse((await this.#lines.next()).value) as {
      hits: number;
      text: string | null;
      code: string | null;
    };
  }

  async end(): Promise<void> {
    this.#child.stdin.end("end\n");
    await new Promise((resume) => this.#child.on("close", resume));
  }
}

const filesIn = (directory: string): Buffer[] =>
  readdirSync(directory)
    .map((name) => join(directory, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path));

/** As plain text, as UTF-16, and in base64 at each of its phases. */
function isIn(file: Buffer, word: string): boolean {
  const inside = [0, 1, 2].map((phase) => {
    const text = Buffer.concat([Buffer.alloc(phase), Buffer.from(word)]).toString("base64");
    return Buffer.from(text.slice(phase === 0 ? 0 : phase + 1, -4));
  });
  return [Buffer.from(word), Buffer.from(word, "utf16le"), ...inside].some((spelling) =>
    file.includes(spelling),
  );
}

describe("erasing beside other processes (B21)", () => {
  it(
    "CA27 after random erasures no byte of any file holds their words, nobody finds them, and the chain verifies",
    PATIENCE,
    async () => {
      const directory = mkdtempSync(join(tmpdir(), "pal-b21-"));
      const place = join(directory, "store");
      const store = await openStore(place);
      const pal = store.session({ agent: "ada", trust: "user", scopes: ["*"], clearance: "confidential" });
      await pal.rememberMany(
        Array.from({ length: 300 }, (_, n) => ({
          id: `plain-${n}`,
          text: `Plain memory ${n} of tea`,
          type: "note",
        })),
      );
      await pal.createBranch("side");
      const side = store.session({
        agent: "ada",
        trust: "user",
        branch: "side",
        scopes: ["*"],
        clearance: "confidential",
      });
      const watchers = [new Watcher(place), new Watcher(place)];
      const waiting: { id: string; word: string }[] = [];
      const erased: { id: string; word: string }[] = [];
      let state = SEED;
      const below = (n: number) => {
        state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
        return (state >>> 8) % n;
      };
      for (let n = 0; n < ERASURES; n++) {
        const word = `kanari${(n * 7919 + 104729).toString(36)}vogel${n}`;
        waiting.push({ id: `secret-${n}-${word.length}`, word });
        await plant(pal, side, waiting.at(-1)!, n % 5);
        for (const watcher of watchers)
          if (n % (TORTURE ? 50 : 3) === 0)
            expect((await watcher.ask("look", `secret-${n}-${word.length}`, word)).hits).toBeGreaterThan(0);
        const [gone] = waiting.splice(below(waiting.length), 1);
        if (n % 3 === 2) waiting.push(gone!);
        else {
          const { receipt } = await pal.erase(gone!.id);
          expect(receipt).toMatchObject({ clean: true });
          erased.push(gone!);
        }
      }
      for (const { id } of waiting.splice(0, TORTURE ? 0 : 1))
        expect((await pal.erase(id)).receipt?.clean).toBe(true);
      for (const { id, word } of erased.slice(-5))
        for (const watcher of watchers)
          expect(await watcher.ask("look", id, word)).toMatchObject({ hits: 0, text: null });
      const { id, word } = erased.at(-1)!;
      await pal.remember({ id: "kept-apart", text: "Something else", type: "note" });
      expect(["ERASED", null]).toContain((await watchers[0]!.ask("back", id, `${word}x`)).code);
      for (const watcher of watchers) await watcher.end();
      await store.close();
      const files = filesIn(place);
      const words = erased.map((one) => one.word).filter((one) => one !== word);
      for (const file of files) expect(words.filter((one) => isIn(file, one))).toEqual([]);
      const again = await openStore(place);
      expect(await again.verify()).toMatchObject({ ok: true, problems: [] });
      await again.close();
      rmSync(directory, { recursive: true });
    },
  );
});

/** In one of the ways in which a text gets into a store. */
async function plant(
  pal: Session,
  side: Session,
  { id, word }: { id: string; word: string },
  way: number,
): Promise<void> {
  const text = `A note about ${word} and what it sings`;
  if (way === 0) await pal.remember({ id, text, type: "note" }, { message: `because of ${word}` });
  else if (way === 1) {
    await pal.remember({ id, text: `${"long ".repeat(3000)}${word}${" text".repeat(3000)}`, type: "note" });
    await pal.update(id, text);
  } else if (way === 2) {
    await side.remember({ id, text, type: "note" });
    await pal.remember({ id, text: `${text} on main`, type: "note" });
  } else if (way === 3)
    await pal.rememberMany([
      { id, text, type: "note", attributes: { TITLE: `The title of ${word}` } },
      { id: `neighbour-${[...word].reverse().join("")}`, text: "A neighbour", type: "note" },
    ]);
  else {
    await pal.remember({ id, text, type: "note", sensitivity: "private" });
    await pal.forget(id);
    await pal.undo();
  }
}
