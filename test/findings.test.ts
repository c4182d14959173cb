import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PROBLEMS } from "../src/care/problems.js";
import { verifyStore } from "../src/care/verify.js";
import { openStore, sqliteStorage } from "../src/index.js";
import { Store } from "../src/session/store.js";
import { memoryStorage, type StorageProblem } from "../src/storage/index.js";
import { Shell } from "./_cli.js";
import { dump, everything, load, openSeeded, writeSome } from "./_damage.js";

let shell: Shell;
beforeEach(() => {
  shell = new Shell();
});
afterEach(() => {
  vi.restoreAllMocks();
  shell.remove();
});

/** Every finding there is: those of `verify` itself, and those of an adapter in its own files. */
const ALL = [
  ...Object.entries(PROBLEMS).map(([problem, [severity]]) => ({ problem, severity })),
  ...["waiting-damaged", "index-dangling", "vectors-damaged"].map((problem) => ({
    problem,
    severity: "warning" as const,
  })),
  ...["index-missing", "row-unreadable", "mark-damaged", "ref-damaged"].map((problem) => ({
    problem,
    severity: "error" as const,
  })),
];

/** A whole store whose adapter finds this in its files. */
async function finding(problem: string, severity: StorageProblem["severity"] | "note") {
  const storage = memoryStorage();
  await writeSome(everything(await openSeeded(storage)));
  return new Proxy(await load(await dump(storage)), {
    get: (target, name) => {
      if (name === "check")
        return async function* () {
          yield { problem, severity, object: "here" };
        };
      const value = target[name as keyof typeof target];
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

describe("V314 whatever is found, no door calls the store whole", () => {
  it.each(ALL)("V314 $problem ($severity) in reports", async ({ problem, severity }) => {
    const storage = await finding(problem, severity);
    const isNote = severity === "note";
    expect((await verifyStore(storage, {})).ok).toBe(isNote);
    if (isNote) return;
    const store = await openStore(storage);
    expect((await store.health()).ok).toBe(false);
    expect((await store.session().health()).ok).toBe(false);
  });

  it.each(ALL)("V314 $problem ($severity) at the command line", async ({ problem, severity }) => {
    await shell.pal("remember", "Likes tea");
    const found = [{ problem, severity, object: "here", meaning: "It is so.", next: "Look." }];
    const { verify, health } = Store.prototype;
    vi.spyOn(Store.prototype, "verify").mockImplementation(async function (this: Store, options) {
      return { ...(await verify.call(this, options)), ok: severity === "note", problems: found };
    });
    const verified = await shell.pal("verify");
    const [last, code] = [verified.out.trimEnd().split("\n").at(-1), verified.code];
    if (severity === "note") {
      expect([code, last]).toEqual([0, expect.stringContaining("Everything is whole.")]);
      return;
    }
    expect([code, last]).toEqual([
      1,
      expect.stringMatching(/^(Damage found|Not the same): 1 (error|warning)\./),
    ]);
    expect(verified.out).not.toContain("Everything is whole");
    expect((await shell.pal("verify", "--json")).code).toBe(1);

    vi.spyOn(Store.prototype, "health").mockImplementation(async function (this: Store, options) {
      const problems = found as Awaited<ReturnType<Store["health"]>>["problems"];
      return { ...(await health.call(this, options)), ok: false, problems };
    });
    for (const command of ["doctor", "status"]) {
      const ran = await shell.pal(command);
      expect([command, ran.code, ran.out.trimEnd().split("\n").at(-1)]).toEqual([
        command,
        1,
        expect.stringMatching(/^Not well: 1 (error|warning|finding)\.$/),
      ]);
      expect(ran.out).not.toContain("All is well");
    }
  });
});

const sql = (...statements: string[]): void => {
  const db = new DatabaseSync(join(shell.store, "palimpsest.db"));
  for (const statement of statements) db.exec(statement);
  db.close();
};

describe("V315 what is derived and damaged is mended by the command that is named", () => {
  it.each([
    ["waiting-damaged", "INSERT INTO waiting VALUES (1000000, x'00')"],
    ["index-dangling", "INSERT INTO lookup VALUES (12345, 9)"],
    ["vectors-damaged", "INSERT INTO vectors VALUES (1, 1, x'00', x'00', x'00', 3)"],
    ["touch-damaged", "UPDATE journal SET touch = zeroblob(length(touch)) WHERE seq = 2"],
  ])("V315 %s", async (problem, damage) => {
    for (const text of ["Likes tea", "Likes jazz", "Lives in Kyoto"]) await shell.pal("remember", text);
    await shell.pal("rebuild");
    sql(damage);
    const verified = await shell.pal("verify");
    expect([verified.code, verified.out]).toEqual([1, expect.stringContaining(problem)]);
    expect(verified.out.trimEnd().split("\n").at(-1)).toMatch(/^Damage found: .*`pal rebuild`/);
    const examined = await shell.pal("doctor", "--json");
    expect([examined.code, examined.json.ok]).toEqual([1, false]);
    const { fix } = examined.json.problems.find((found: StorageProblem) => found.problem === problem);
    expect(fix).toBe(`pal rebuild --store ${shell.store}`);
    expect((await shell.pal(...fix.split(" ").slice(1))).code).toBe(0);
    expect([(await shell.pal("verify")).code, (await shell.pal("doctor")).code]).toEqual([0, 0]);
  });

  it("V315 a rebuild says what it could not make again", async () => {
    for (const text of ["Likes tea", "Likes jazz", "Lives in Kyoto"]) await shell.pal("remember", text);
    expect((await shell.pal("rebuild")).code).toBe(0);
    sql("UPDATE journal SET objects = zeroblob(length(objects)) WHERE seq = 1");
    const ran = await shell.pal("rebuild");
    expect([ran.code, ran.out.trimEnd().split("\n").at(-1)]).toEqual([
      1,
      expect.stringMatching(/^Damage found: .*pal verify/),
    ]);
  });
});

describe("V800 who looks at the whole store finds what is gone from it", () => {
  const commits = async () => {
    for (const text of ["Likes tea", "Likes jazz", "Lives in Kyoto"]) await shell.pal("remember", text);
    await shell.pal("tag", "kept");
  };
  it.each([
    ["a commit in the middle", "DELETE FROM journal WHERE seq = 3"],
    ["the first commit", "DELETE FROM journal WHERE seq = 1"],
    ["touch rows", "UPDATE journal SET touch = NULL WHERE seq = 3"],
    ["an operation", "UPDATE journal SET ops = NULL WHERE seq = 3"],
    ["objects", "UPDATE journal SET objects = NULL, directory = NULL WHERE seq = 3"],
    ["a table", "DROP TABLE side"],
    ["a tag", "DELETE FROM refs WHERE name LIKE 'tags/%'"],
    ["a flipped byte", "UPDATE journal SET objects = zeroblob(length(objects)) WHERE seq = 3"],
  ])("V800 %s", async (_what, damage) => {
    await commits();
    for (const command of ["doctor", "verify"]) expect((await shell.pal(command)).code).toBe(0);
    sql(damage);
    for (const command of ["doctor", "verify"]) {
      const [said, told] = [await shell.pal(command), await shell.pal(command, "--json")];
      expect([command, told.code, told.json.ok]).toEqual([command, said.code, false]);
      // A store without a place for notes cannot be written either.
      expect(said.code).toBe(command === "doctor" && damage.startsWith("DROP") ? 3 : 1);
      expect(said.out).not.toMatch(/All is well|Everything is whole/);
      expect(said.out.trimEnd().split("\n").at(-1)).toMatch(/^(Not well|Damage found): \d+ (error|warning)/);
    }
  });

  it("V801 `status --json` has `ok`, and it agrees with the exit status", async () => {
    expect((await shell.pal("status", "--json")).json.ok).toBe(true);
    await commits();
    expect((await shell.pal("status", "--json")).json.ok).toBe(true);
    sql("INSERT INTO lookup VALUES (12345, 9)");
    const ran = await shell.pal("status", "--json");
    expect([ran.code, ran.json.ok]).toEqual([1, false]);
  });
});

describe("RV343 what waits and is damaged", () => {
  it("RV343 review never says that nothing waits when something that waits cannot be read", async () => {
    const person = shell.with({ person: true });
    await person("remember", "Drinks tea in the morning", "--topic", "drink");
    await shell.pal("remember", "Drinks gin in the morning", "--topic", "drink");
    const [item] = (await person("review", "--json")).json;
    expect(item).toBeDefined();
    const storage = sqliteStorage(shell.store);
    const { changeset } = JSON.parse(Buffer.from((await storage.get(item.commit))!).toString());
    const places = [item.commit, changeset, item.changes[0].after];
    await storage.close();
    for (const hash of places) {
      const get = Object.getPrototypeOf(storage).getMany;
      const spy = vi.spyOn(Object.getPrototypeOf(storage), "getMany").mockImplementation(async function (
        this: unknown,
        hashes: unknown,
      ) {
        const found = await get.call(this, hashes);
        found.delete(hash);
        return found;
      } as never);
      const ran = await person("review");
      expect([ran.code, ran.err]).toEqual([1, expect.stringContaining("nothing that can be read waits")]);
      expect(ran.err).toContain("pal verify");
      spy.mockRestore();
    }
    expect((await person("review")).code).toBe(0);
  });
});
