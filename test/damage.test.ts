import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { verifyStore } from "../src/care/verify.js";
import { PalimpsestError } from "../src/core/base/errors.js";
import { EMPTY_ROOT } from "../src/core/merkle/node.js";
import { sqliteStorage } from "../src/storage/index.js";
import { answers, everything, isHonest, openSeeded, seeded, writeSome } from "./_damage.js";

/**
 * The file of a closed store, damaged byte by byte and page by page. Each case must be refused at opening with a
 * typed error, or reported by verify, or be shown to be harmless: the same answers. No case may give a wrong one.
 */
const TORTURE = process.env.PAL_TORTURE !== undefined;
if (TORTURE) vi.setConfig({ testTimeout: 3_600_000 });
const SEED = Number(process.env.PAL_SEED ?? 20261115);
const random = seeded(SEED);
const below = (limit: number): number => Math.floor(random() * limit);
const PAGE = 4096;

/** In memory where there is such a place: what is tried here is not the disk. */
const base = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "pal-damage-"));
const origin = join(base, "origin");
const fileOf = (directory: string) => join(directory, "palimpsest.db");
let file: Buffer;
let ids: string[];
let right: Map<string, unknown>;
let head: string;
let stored: number;

beforeAll(async () => {
  const store = await openSeeded(origin);
  const pal = everything(store);
  await writeSome(pal);
  await pal.rememberMany(
    Array.from({ length: TORTURE ? 300 : 60 }, (_, at) => `Fact number ${at} of many, with some words in it`),
  );
  for (let at = 0; at < 30; at++)
    await pal.remember({ id: `single-${at}`, text: `A single fact, number ${at}` });
  ids = ["tree", "leaf-2", "diary", "single-3", "single-11"];
  await store.close();
  file = readFileSync(fileOf(origin));
  const again = await openSeeded(origin);
  right = await answers(everything(again), ids);
  ({ head, objects: stored } = await again.verify());
  await again.close();
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** The first item in which two answers differ, for the message of a failure. */
function difference(answer: unknown, expected: unknown): string {
  if (answer instanceof Error) return `${answer.stack} ${JSON.stringify(answer)}`;
  if (!Array.isArray(answer)) return String(answer).slice(0, 300);
  const all = new Set((expected as unknown[]).map((item) => JSON.stringify(item)));
  const item = answer.find((one) => !all.has(JSON.stringify(one)));
  const like = (expected as { id?: string }[]).find((one) => one.id !== undefined && one.id === item?.id);
  return `${JSON.stringify(item)} instead of ${JSON.stringify(like)}`;
}

let cases = 0;
function storeOf(bytes: Uint8Array, log?: Uint8Array): string {
  const directory = join(base, `case-${cases++}`);
  mkdirSync(directory);
  writeFileSync(fileOf(directory), bytes);
  if (log) writeFileSync(`${fileOf(directory)}-wal`, log);
  return directory;
}

/** An error may be met, but only one of ours. */
const typed = (error: unknown): void => {
  if (!(error instanceof PalimpsestError)) throw error;
};

type Class = "refused" | "reported" | "harmless";
const counts: Record<Class, number> = { refused: 0, reported: 0, harmless: 0 };

async function judge(directory: string): Promise<Class> {
  const storage = sqliteStorage(directory);
  try {
    return (await verifyStore(storage, {})).ok ? "harmless" : "reported";
  } catch (error) {
    typed(error);
    return "refused";
  } finally {
    await storage.close().catch(typed);
  }
}

/** What can be read of a store, as hashes. */
async function readable(directory: string): Promise<Set<string>> {
  const found = new Set<string>();
  const storage = sqliteStorage(directory);
  try {
    for await (const { hash } of storage.scan()) found.add(hash);
  } catch (error) {
    typed(error);
  } finally {
    await storage.close().catch(typed);
  }
  return found;
}

/** The whole judgement of one damaged file; `what` names it in a failure. */
async function check(what: string, bytes: Uint8Array): Promise<Class> {
  const directory = storeOf(bytes);
  const found = await judge(directory);
  counts[found]++;
  const store = await openSeeded(directory);
  const wrong: string[] = [];
  for (const [name, answer] of await answers(everything(store), ids)) {
    const same = JSON.stringify(answer) === JSON.stringify(right.get(name));
    if (!same && (found === "harmless" || !isHonest(name, answer, right.get(name), store.damaged, true)))
      wrong.push(`${name}: ${difference(answer, right.get(name))}`);
  }
  await store.close().catch(typed);
  expect(wrong, `${what} (seed ${SEED}) is ${found}`).toEqual([]);
  if (cases % 4 === 0) await checkWrite(what, directory);
  rmSync(directory, { recursive: true });
  return found;
}

/** A write on a damaged store may work or be refused; either way nothing that could be read is lost. */
async function checkWrite(what: string, directory: string): Promise<void> {
  const before = await readable(directory);
  const store = await openSeeded(directory, 5);
  await everything(store).remember({ id: "late", text: "Written on a damaged store" }).catch(typed);
  await store.close().catch(typed);
  const after = await readable(directory);
  expect(existsSync(fileOf(directory))).toBe(true);
  expect(
    [...before].filter((hash) => !after.has(hash)),
    `${what} (seed ${SEED})`,
  ).toEqual([]);
}

const withPage = (page: number, bytes: Uint8Array): Buffer => {
  const copy = Buffer.from(file);
  copy.set(bytes, page * PAGE);
  return copy;
};
const pageAt = (page: number): Buffer => file.subarray(page * PAGE, (page + 1) * PAGE);

describe(`a damaged file (B4, seed ${SEED})`, () => {
  it("V80 undamaged copies are whole and answer the same", async () => {
    expect(await check("no damage", file)).toBe("harmless");
    expect(file.length).toBeGreaterThan(TORTURE ? 200_000 : 60_000);
  });

  it("V81 a changed byte is refused, reported or harmless", async () => {
    const flips = TORTURE ? 3000 : 100;
    for (let flip = 0; flip < flips; flip++) {
      const copy = Buffer.from(file);
      const at = below(copy.length);
      copy[at]! ^= 1 << below(8);
      await check(`byte ${at} changed to ${copy[at]}`, copy);
    }
    // Most of the file is content.
    expect(counts.reported).toBeGreaterThan(flips / 3);
  });

  it("V82 a changed byte of the first page, header and schema, too", async () => {
    const flips = TORTURE ? 2000 : 30;
    for (let flip = 0; flip < flips; flip++) {
      const copy = Buffer.from(file);
      const at = flip < flips / 2 ? below(100) : below(PAGE);
      copy[at]! ^= 1 << below(8);
      await check(`byte ${at} changed to ${copy[at]}`, copy);
    }
  });

  it("V83 a truncated file is refused or reported", async () => {
    const lengths = Array.from({ length: TORTURE ? 200 : 8 }, () => 1 + below(file.length - 1));
    for (const length of [1, 16, 99, 100, 512, PAGE, file.length - PAGE, file.length - 1, ...lengths]) {
      const found = await check(`truncated to ${length}`, file.subarray(0, length));
      // SQLite reads what is missing of the last page as zeros: if they were zeros, nothing is missing.
      const lost = file.subarray(length).some((byte) => byte !== 0);
      if (lost || file.length - length >= PAGE) expect(found, `${length} bytes`).not.toBe("harmless");
    }
  });

  it("V84 zeroed and exchanged pages are refused, reported or harmless", async () => {
    const pages = file.length / PAGE;
    const rounds = TORTURE ? pages : 5;
    for (let round = 0; round < rounds; round++) {
      const [one, other] = [TORTURE ? round : below(pages), below(pages)];
      await check(`page ${one} zeroed`, withPage(one, Buffer.alloc(PAGE)));
      const copy = withPage(one, pageAt(other));
      await check(`page ${one} is a copy of page ${other}`, copy);
      copy.set(pageAt(one), other * PAGE);
      await check(`pages ${one} and ${other} exchanged`, copy);
    }
  });

  it("V85 a deleted file is no store, and whoever kept something knows", async () => {
    const storage = sqliteStorage(join(base, "nothing"));
    expect(await storage.exists()).toBe(false);
    expect(await verifyStore(storage, {})).toMatchObject({ ok: true, root: EMPTY_ROOT, objects: 0 });
    const report = await verifyStore(storage, { since: head });
    expect(report.problems.map(({ problem }) => problem)).toEqual(["HISTORY_CHANGED"]);
    expect(existsSync(join(base, "nothing"))).toBe(false);
  });

  it("V86 an emptied file is refused and stays as it is", async () => {
    const directory = storeOf(Buffer.alloc(0));
    expect(await judge(directory)).toBe("refused");
    const store = await openSeeded(directory);
    await expect(everything(store).remember("Something")).rejects.toBeInstanceOf(PalimpsestError);
    await expect(everything(store).list()).rejects.toBeInstanceOf(PalimpsestError);
    await store.close().catch(typed);
    expect(readFileSync(fileOf(directory)).length).toBe(0);
  });

  it("V87 the file of another store in its place is whole, and whoever kept something knows", async () => {
    const directory = join(base, "another");
    const store = await openSeeded(directory, 3);
    await everything(store).remember("Another store");
    await store.close();
    const storage = sqliteStorage(directory);
    expect((await verifyStore(storage, {})).ok).toBe(true);
    expect((await verifyStore(storage, { since: head })).ok).toBe(false);
    await storage.close();
  });
});

describe(`a file with a log beside it (B4, seed ${SEED})`, () => {
  it("V88 a copy of an open store is whole; a damaged log gives an older state, never a wrong one", async () => {
    const directory = join(base, "open");
    mkdirSync(directory);
    copyFileSync(fileOf(origin), fileOf(directory));
    const store = await openSeeded(directory, 11);
    const pal = everything(store);
    for (let at = 0; at < 10; at++)
      await pal.remember({ id: `logged-${at}`, text: `In the log, number ${at}` });
    const [db, log] = [readFileSync(fileOf(directory)), readFileSync(`${fileOf(directory)}-wal`)];
    const last = (await store.verify()).head;
    await store.close();

    const copy = sqliteStorage(storeOf(db, log));
    expect(await verifyStore(copy, { since: last })).toMatchObject({ ok: true, head: last, problems: [] });
    await copy.close();

    const seen = { older: 0, same: 0 };
    for (let flip = 0; flip < (TORTURE ? 500 : 12); flip++) {
      const damaged = Buffer.from(log);
      damaged[below(log.length)]! ^= 1 << below(8);
      const storage = sqliteStorage(storeOf(db, damaged));
      const report = await verifyStore(storage, { since: head });
      expect(report.problems).toEqual([]);
      expect(report.objects).toBeGreaterThanOrEqual(stored);
      const known = await verifyStore(storage, { since: last });
      expect(known.ok).toBe(report.head === last);
      seen[report.head === last ? "same" : "older"]++;
      await storage.close();
    }
    expect(seen.older).toBeGreaterThan(0);
  });
});

it("V89 the classes are counted", () => {
  process.stderr.write(`damaged files, seed ${SEED}: ${JSON.stringify(counts)}\n`);
  expect(counts.refused + counts.reported).toBeGreaterThan(counts.harmless);
});
