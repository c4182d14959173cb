import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Shell } from "./_cli.js";

let shell: Shell;
beforeEach(() => {
  shell = new Shell();
});
afterEach(() => shell.remove());

const put = (text: string): string => {
  writeFileSync(join(shell.cwd, "facts.jsonl"), text);
  return "facts.jsonl";
};
const facts = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => `{"text":"Fact number ${from + index}"}\n`).join("");
const memories = async (): Promise<number> => {
  const { json } = await shell.pal("stats", "--json");
  return json.memories ?? 0;
};

const MIXED = [
  '{"text":"Likes tea","topic":"drink"}',
  "",
  "not json",
  '{"text":"Likes coffee","topic":"drink"}',
  '{"text":"Likes coffee","topic":"drink"}',
  '{"text":"x","colour":"red"}',
  "[1]",
  '{"subject":"Ann","predicate":"works_at","object":"Initech","ttl":"2h"}',
  `{"text":"${"y".repeat(1201)}"}`,
  '"just a text"',
].join("\n");

it("C37 verdicts in the order of the lines; a bad line never stops the rest; exit 1", async () => {
  const { code, json, err } = await shell.pal("remember", "--jsonl", put(MIXED), "--json");
  expect({ code, err }).toEqual({ code: 1, err: "" });
  const { verdicts, ...counts } = json;
  expect(counts).toEqual({ accepted: 3, updated: 1, duplicate: 1, rejected: 4, quarantined: 0 });
  expect(verdicts.map(({ line, verdict, code }: Record<string, unknown>) => [line, verdict, code])).toEqual([
    [1, "accepted", undefined],
    [3, "rejected", "INVALID_VALUE"],
    [4, "updated", undefined],
    [5, "duplicate", undefined],
    [6, "rejected", "INVALID_FIELD"],
    [7, "rejected", "INVALID_VALUE"],
    [8, "accepted", undefined],
    [9, "rejected", "TOO_LONG"],
    [10, "accepted", undefined],
  ]);
  expect(verdicts[1]).toMatchObject({ reason: expect.stringMatching(/^Line 3 is not JSON/), branch: "main" });
  expect(await memories()).toBe(3);
});

it("C37 for eyes: one line of summary on stdout, refusals with their lines on stderr, ten at most", async () => {
  const { code, out, err } = await shell.pal("remember", "--jsonl", put(MIXED));
  expect(code).toBe(1);
  expect(out).toBe("! 3 remembered, 1 updated, 1 already known, 4 rejected\n");
  expect(err.split("\n")[0]).toMatch(/^✗ line 3 rejected by shape: Line 3 is not JSON/);
  expect(err).toMatch(/✗ line 9 rejected by length: /);
  const many = await shell.pal("remember", "--jsonl", put("oops\n".repeat(25)));
  expect(many.err.match(/^✗ line/gm)).toHaveLength(10);
  expect(many.err).toMatch(/and 15 more; --json has them all/);
});

it("C38 one commit per 1,000 lines, with its message", async () => {
  const file = put(facts(0, 2500));
  const { code, out } = await shell.pal("remember", "--jsonl", file, "--message", "import");
  expect({ code, out }).toEqual({ code: 0, out: "✓ 2,500 remembered\n" });
  const { json } = await shell.pal("log", "--json");
  expect(json.map(({ changes, message }: Record<string, unknown>) => [changes, message])).toEqual([
    [500, "import"],
    [1000, "import"],
    [1000, "import"],
  ]);
});

it("C37 fields on the line are defaults of every object", async () => {
  const file = put('{"text":"One","tags":["own"]}\n{"text":"Two"}\n');
  await shell.pal("remember", "--jsonl", file, "--tag", "all", "--scope", "agent/tester");
  const { json } = await shell.pal("list", "--json");
  expect(json.map(({ scope, tags }: Record<string, unknown>) => [scope, tags]).sort()).toEqual([
    ["agent/tester", ["all"]],
    ["agent/tester", ["own"]],
  ]);
});

it("C430 forget takes several ids: each is answered in order, one that is not found never stops the rest", async () => {
  await shell.pal("remember", "--jsonl", put(facts(0, 3).replaceAll('{"', '{"type":"note","')));
  const ids = (await shell.pal("list", "--json")).json.map(({ id }: { id: string }) => id);
  const short = ids.map((id: string) => id.slice(-8));
  const eyes = await shell.pal("forget", short[0], "no-such-memory", short[1], "--reason", "Old");
  expect(eyes.code).toBe(1);
  expect(eyes.out.match(/^✓ forgotten {2}\S+/gm)).toEqual([
    `✓ forgotten  ${short[0]}`,
    `✓ forgotten  ${short[1]}`,
  ]);
  expect(eyes.err).toMatch(/^✗ rejected by id: There is no memory "no-such-memory"\.$/m);
  const [{ changes, reasons }] = (await shell.pal("log", "--json")).json;
  expect({ changes, reasons }).toEqual({ changes: 2, reasons: ["Old"] });
  expect((await shell.pal("undo")).code).toBe(0);
  const dry = await shell.pal("forget", ...ids, "--dry-run", "--json");
  expect(dry).toMatchObject({ code: 0, json: { accepted: 3, rejected: 0 } });
  const { json, code } = await shell.pal("forget", ...ids, "no-such-memory", "--json");
  expect(code).toBe(1);
  expect(json).toMatchObject({ accepted: 3, updated: 0, duplicate: 0, rejected: 1, quarantined: 0 });
  expect(json.verdicts.map(({ id, code: why }: { id?: string; code?: string }) => id ?? why)).toEqual([
    ...ids,
    "NOT_FOUND",
  ]);
  expect(await memories()).toBe(0);
});

it("C39 stdin, CRLF, a byte order mark, nothing at all", async () => {
  const piped = (stdin: string) => shell.with({ stdin })("remember", "--jsonl", "-", "--json");
  expect((await piped('\ufeff{"text":"One"}\r\n\r\n{"text":"Two"}')).json).toMatchObject({
    accepted: 2,
    rejected: 0,
  });
  const { code, json } = await piped("");
  expect([code, json]).toEqual([
    0,
    { verdicts: [], accepted: 0, updated: 0, duplicate: 0, rejected: 0, quarantined: 0 },
  ]);
});

it("C24 --dry-run judges all and writes nothing", async () => {
  const { json } = await shell.pal("remember", "--jsonl", put(MIXED), "--dry-run", "--json");
  expect(json).toMatchObject({ accepted: 3, updated: 1, rejected: 4 });
  expect(existsSync(shell.store)).toBe(false);
});

it("C37 a file that cannot be read is found out first: FILE_UNUSABLE, exit 2", async () => {
  for (const file of ["gone.jsonl", "."]) {
    const { code, json } = await shell.pal("remember", "--jsonl", file, "--json");
    expect([code, json.error.code]).toEqual([2, "FILE_UNUSABLE"]);
  }
});

async function until(reached: () => Promise<boolean>): Promise<void> {
  while (!(await reached())) await new Promise((resume) => setTimeout(resume, 10));
}

for (const json of [true, false])
  it(`C40 an interrupt ends it between batches: what is committed stays, exit 130 (${json ? "JSON" : "human"})`, async () => {
    const stdin = new PassThrough();
    let interrupt = () => {};
    const onInterrupt = (handler: () => void) => {
      interrupt = handler;
      return () => {};
    };
    const running = shell.with({ stdin, onInterrupt })(
      "remember",
      "--jsonl",
      "-",
      ...(json ? ["--json"] : []),
    );
    stdin.write(facts(0, 1200));
    await until(async () => (await memories()) === 1000);
    interrupt();
    const done = await running;
    expect(done.code).toBe(130);
    if (json) expect(done.json).toMatchObject({ accepted: 1000, interrupted: true });
    else
      expect(done).toMatchObject({ out: "✓ 1,000 remembered\n", err: expect.stringMatching(/interrupted/) });
    expect(await memories()).toBe(1000);
  });

for (const json of [true, false])
  it(`C41 a failure after some commits still answers with one value, and says what is stored (${json ? "JSON" : "human"})`, async () => {
    const stdin = new PassThrough();
    const running = shell.with({ stdin })("remember", "--jsonl", "-", ...(json ? ["--json"] : []));
    stdin.write(facts(0, 1200));
    await until(async () => (await memories()) === 1000);
    stdin.destroy(Object.assign(new Error("broken"), { code: "EIO" }));
    const done = await running;
    expect(done.code).toBe(2);
    if (json) expect(done.json).toMatchObject({ accepted: 1000, error: { code: "FILE_UNUSABLE" } });
    else
      expect(done).toMatchObject({ out: "✓ 1,000 remembered\n", err: expect.stringMatching(/stdin: EIO/) });
  });

it("C42 a bar on stderr for a terminal, and none for a pipe or when quiet", async () => {
  const file = put(facts(0, 1500));
  const bar = async (columns: number | undefined, ...more: string[]) =>
    (await shell.with({ ...(columns && { columns }) })("remember", "--jsonl", file, "--dry-run", ...more))
      .err;
  expect(await bar(80)).toMatch(/\rremembering {2}━+─* +\d+% {2}1,000/);
  expect(await bar(undefined)).toBe("");
  expect(await bar(80, "--quiet")).toBe("");
});
