import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CATALOG } from "../src/doors/cli/catalog.js";
import { openStore, repairStore } from "../src/index.js";
import { NewFile } from "../src/storage/index.js";
import { Shell } from "./_cli.js";
import { ROOT } from "./_processes.js";

const isWindows = process.platform === "win32";
const BASHRC = "export PATH=~/bin:$PATH\n";
const SNAP = ';; memory.snap\n(:version 2 :objects ((:id "o1" :text "the only copy")))\n';

/** A project that somebody else filled, in the home of a user, with a store elsewhere. */
let shell: Shell;
let project: string;
let user: string;
beforeEach(async () => {
  shell = new Shell({ env: { PAL_EMBEDDER: "none" } });
  project = join(shell.home, "project");
  user = join(shell.home, "user");
  for (const folder of [project, join(project, ".git"), user]) mkdirSync(folder);
  writeFileSync(join(user, ".bashrc"), BASHRC);
  await shell.pal("remember", "Ann likes tea", "--id", "tea");
  await shell.pal("remember", "Ann", "--type", "entity");
});
afterEach(() => shell.remove());

/** Everything below a folder, with what it is and says. */
function pictureOf(folder: string): Record<string, string> {
  const picture: Record<string, string> = {};
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const path = join(folder, name);
    const found = lstatSync(path);
    picture[name] = found.isSymbolicLink()
      ? `link ${readlinkSync(path)}`
      : found.isFile()
        ? `${(found.mode & 0o777).toString(8)} ${readFileSync(path, "latin1")}`
        : `${found.mode}`;
  }
  return picture;
}

/** What may lie where a file is to be written. Each puts it there and answers how it is named. */
const HOSTILE = {
  "a link to a file of the user": (path: string) => symlinkSync(join(user, ".bashrc"), path),
  "a relative link out of the project": (path: string) => symlinkSync("../user/.bashrc", path),
  "a link that leads nowhere": (path: string) => symlinkSync(join(user, "new"), path),
  "a link in a circle": (path: string) => symlinkSync(path, path),
  "a folder above that is a link": (path: string) => {
    rmSync(dirname(path), { recursive: true });
    symlinkSync(user, dirname(path));
  },
  "a pipe": (path: string) => void execFileSync("mkfifo", [path]),
  "a link to a device": (path: string) => symlinkSync("/dev/full", path),
  "a folder": (path: string) => mkdirSync(path),
  "a file of another program": (path: string) =>
    writeFileSync(path, "[ not ours, and: { no configuration\\n"),
  "a file that may not be written": (path: string) => {
    writeFileSync(path, "{}\n");
    chmodSync(path, 0o444);
  },
} as const;
type Hostile = keyof typeof HOSTILE;

interface Writer {
  /** The file that it would write, below the project. */
  readonly file: string;
  line(path: string): readonly string[];
  /** Files of the sources that do it. */
  readonly through: readonly string[];
  /** What is no attack on it, and why. */
  readonly fine?: Partial<Record<Hostile, string>>;
  readonly env?: (path: string) => Record<string, string>;
}

const connects = (agent: string, file: string, fine: Writer["fine"] = {}): Writer => ({
  ...{ file, fine },
  line: () => ["connect", agent, "--project"],
  through: ["doors/cli/connect/change-config.ts"],
});
const exports = (file: string, ...more: string[]): Writer => ({
  file,
  line: (path) => ["export", ...more, "-o", path],
  through: ["doors/cli/commands/export.ts"],
});

/** Every command that writes a file which is not of a store. */
const WRITERS: Readonly<Record<string, readonly Writer[]>> = {
  export: [
    exports("out/all.json"),
    exports("out/all.jsonl", "--format", "jsonl"),
    exports("out/all.jsonl", "--format", "jsonl", "--history"),
    exports("out/all.md", "--format", "markdown"),
    exports("out/all.txt", "--format", "org"),
    exports("out/graph.jsonl", "--format", "mcp-memory"),
    { ...exports("out/x.img", "--format", "image"), through: ["documents/verbs/image.ts"] },
    {
      ...exports("out/main.md"),
      line: (path) => ["export", "--format", "gcc", "-o", dirname(path)],
    },
    {
      ...exports("out/branches/main/log.md"),
      line: (path) => ["export", "--format", "gcc", "-o", dirname(dirname(dirname(path)))],
    },
  ],
  backup: [
    { file: "out/x.pal", line: (path) => ["backup", path], through: ["care/verbs/backup.ts"] },
    {
      file: "out/x.pal",
      line: (path) => ["backup", path, "--overwrite"],
      through: ["care/verbs/backup.ts"],
      fine: { "a file of another program": "it was said that it may be replaced" },
    },
  ],
  prove: [
    {
      file: "out/proof.json",
      line: (path) => ["prove", "tea", "-o", path],
      through: ["doors/cli/commands/prove.ts"],
    },
  ],
  "hand-over": [
    {
      file: "out/work.json",
      line: (path) => ["hand-over", path],
      through: ["doors/cli/commands/hand-over.ts"],
    },
  ],
  connect: [
    connects("claude", "sub/.mcp.json", { "a folder above that is a link": "it is where the person went" }),
    connects("codex", "sub/.codex/config.toml", {
      "a file of another program": "what is no TOML is not known as such",
    }),
    connects("cursor", "sub/.cursor/mcp.json"),
    connects("opencode", "sub/opencode.json", {
      "a folder above that is a link": "it is where the person went",
    }),
  ],
  config: [
    {
      file: "out/config.yaml",
      line: () => ["config", "set", "memory.similarity_threshold", "0.8"],
      env: (path) => ({ PAL_CONFIG: path }),
      through: ["doors/cli/config-file.ts"],
    },
  ],
  palace: [
    {
      file: "out/.palimpsest.json",
      line: (path) => ["palace", "sync", dirname(path)],
      through: ["palace/palace-mirror.ts"],
    },
  ],
  ingest: [
    {
      file: "out/notes.org",
      line: (path) => ["ingest", "--write-ids", path],
      through: ["documents/verbs/ingest-files.ts"],
      fine: {
        "a folder": "its documents are read",
        "a file of another program": "every text is a document without headlines",
        "a file that may not be written": "a document without headlines gets no ids",
      },
    },
  ],
  repair: [
    {
      file: "out/palimpsest.db",
      line: (path) => ["repair", dirname(path)],
      through: ["care/verbs/repair-store.ts"],
    },
  ],
};

/** Commands that write into the store alone, or nothing. */
const OF_THE_STORE =
  `status remember update forget move observe confirm get list search recall why wake-up view history log
  diff blame graph branches create-branch checkout rename-branch delete-branch merge conflicts resolve review taint
  cherry-pick revert tag tags snapshot snapshots rollback commit trace context bisect extract consolidate reflect persona
  ops undo doctor identity scratch promote playbooks links import stats verify erase embed gc compact rebuild restore
  verify-proof mcp hook completion complete docs tour`.split(/\s+/);

it("C640 every command is known to write files, or to write none", () => {
  expect([...Object.keys(WRITERS), ...OF_THE_STORE].sort()).toEqual(Object.keys(CATALOG).sort());
});

it("C640 whatever in the sources writes files is attacked here", () => {
  const calls = /\b(?:putFiles?|editFile|keepCopy|nameFile|NewFile\.begin|removeFile)\(/;
  const callers = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
    .filter((path) => calls.test(readFileSync(join(ROOT, "src", path), "utf8")))
    .filter((path) => !["storage/put-file.ts", "repo/live/files.ts"].includes(path));
  const attacked = Object.values(WRITERS).flatMap((all) => all.flatMap(({ through }) => through));
  expect([...new Set(attacked)].sort()).toEqual(callers.sort());
});

const CASES = Object.entries(WRITERS).flatMap(([name, writers]) =>
  writers.flatMap((writer) =>
    (Object.keys(HOSTILE) as Hostile[])
      .filter((hostile) => writer.fine?.[hostile] === undefined)
      .map((hostile) => [`${name}: ${writer.line("x/y/z").join(" ")}`, hostile, writer] as const),
  ),
);

async function place(writer: Writer): Promise<string> {
  const path = join(project, writer.file);
  mkdirSync(dirname(path), { recursive: true });
  if (writer.file.endsWith(".org")) writeFileSync(join(user, ".bashrc"), `* A headline\n${BASHRC}`);
  await shell.pal("palace", "new", "attic");
  return path;
}

const run = (writer: Writer, path: string) =>
  shell.with({
    cwd: writer.file.startsWith("sub/") ? join(project, "sub") : project,
    env: { HOME: user, PATH: "/nowhere", PAL_EMBEDDER: "none", ...writer.env?.(path) },
  })(...writer.line(path), "--json");

describe.skipIf(isWindows)("C640 C641 C642 C643 C645 where a command writes a file", () => {
  it.each(CASES)("C640 %s, and there is %s", async (_, hostile, writer) => {
    const path = await place(writer);
    HOSTILE[hostile](path);
    const before = [pictureOf(project), pictureOf(user)];
    const ran = await run(writer, path);
    expect([pictureOf(project), pictureOf(user)]).toEqual(before);
    if (ran.json.failed) expect(ran.json.failed).toHaveLength(1);
    else
      expect(ran.json.error.code).toMatch(
        /^(?:INVALID_FILE|NAME_TAKEN|FILE_UNUSABLE|REFUSED|NOT_A_STORE|USAGE)$/,
      );
    expect([1, 2, 3]).toContain(ran.code);
  });

  it.each(Object.entries(WRITERS).flatMap(([name, all]) => all.map((one) => [name, one] as const)))(
    "C640 %s writes where nothing lies, once more where its own file lies, and leaves nothing beside",
    async (_, writer) => {
      const path = await place(writer);
      if (writer.file.endsWith(".org")) writeFileSync(path, "* A headline\n");
      const first = await run(writer, path);
      expect(first.code, first.out).toBe(0);
      expect(lstatSync(path).isFile()).toBe(true);
      const again = await run(writer, path);
      const isRefused =
        /mcp-memory|^repair/.test(writer.line("x").join(" ")) || writer.line("x").join(" ") === "backup x";
      expect(again.code, again.out).toBe(isRefused ? 1 : 0);
      const names = readdirSync(project, { recursive: true, encoding: "utf8" });
      expect(names.filter((name) => /\.tmp$|\.pal-/.test(name))).toEqual([]);
      expect(pictureOf(user)[".bashrc"]).toContain(BASHRC);
    },
  );
});

describe.skipIf(isWindows)("CP640 connect keeps a copy that is no link", () => {
  const OWN = '{ "mcpServers": { "other": { "command": "x" } } }\n';
  const connect = (...more: string[]) =>
    shell.with({ cwd: project, env: { HOME: user, PATH: "/nowhere" } })(
      "connect",
      "claude",
      ...more,
      "--json",
    );

  it.each(["a link to a file of the user", "a link that leads nowhere", "a pipe", "a folder"] as const)(
    "CP640 in a project, and where the copy would be there is %s",
    async (hostile) => {
      const file = join(project, ".mcp.json");
      writeFileSync(file, OWN);
      HOSTILE[hostile](`${file}.before-palimpsest`);
      const before = [pictureOf(user), pictureOf(project)];
      const done = await connect("--project");
      expect(done.code).toBe(0);
      expect(done.json.backup).toBe(`${file}.before-palimpsest.2`);
      expect(readFileSync(done.json.backup, "utf8")).toBe(OWN);
      expect(pictureOf(user)).toEqual(before[0]);
      expect((await connect("--project", "--undo")).code).toBe(0);
      expect([pictureOf(user), pictureOf(project)]).toEqual(before);
    },
  );

  it("CP640 a copy that somebody else planted is neither replaced nor brought back", async () => {
    const file = join(project, ".mcp.json");
    writeFileSync(file, OWN);
    const planted = '{ "mcpServers": { "evil": { "command": "sh" } } }\n';
    writeFileSync(`${file}.before-palimpsest`, planted);
    await connect("--project");
    expect(readFileSync(`${file}.before-palimpsest`, "utf8")).toBe(planted);
    await connect("--project", "--undo");
    expect(readFileSync(file, "utf8")).toBe(OWN);
    expect(readFileSync(`${file}.before-palimpsest`, "utf8")).toBe(planted);
  });

  it("CP640 at home the user's own link stays one, and the file behind it is changed", async () => {
    mkdirSync(join(shell.home, "dotfiles", ".git"), { recursive: true });
    const real = join(shell.home, "dotfiles", "claude.json");
    writeFileSync(real, OWN, { mode: 0o640 });
    symlinkSync(real, join(user, ".claude.json"));
    const done = await connect();
    expect(done.code).toBe(0);
    expect(lstatSync(join(user, ".claude.json")).isSymbolicLink()).toBe(true);
    expect(readFileSync(real, "utf8")).toContain("palimpsest");
    expect(lstatSync(real).mode & 0o777).toBe(0o640);
    await connect("--undo");
    expect(readFileSync(real, "utf8")).toBe(OWN);
  });

  it.skipIf(process.getuid?.() !== 0)(
    "CP640 a link at home to a file of somebody else is refused",
    async () => {
      const theirs = join(shell.home, "theirs.json");
      writeFileSync(theirs, OWN);
      execFileSync("chown", ["12345", theirs]);
      symlinkSync(theirs, join(user, ".claude.json"));
      expect(await connect()).toMatchObject({ code: 2 });
      expect(readFileSync(theirs, "utf8")).toBe(OWN);
    },
  );

  it("CP640 what is no UTF-8 is not written again", async () => {
    const file = join(project, ".mcp.json");
    const bytes = Buffer.concat([Buffer.from('{ "a": "'), Buffer.from([0xe4]), Buffer.from('" }\n')]);
    writeFileSync(file, bytes);
    expect((await connect("--project")).json.error.code).toBe("FILE_UNUSABLE");
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });
});

describe("D640 the memory.snap of another program", () => {
  it("D640 save() and export leave it as it is, and say where else an image can go", async () => {
    const file = join(user, "memory.snap");
    writeFileSync(file, SNAP);
    const env = { HOME: user, MEMORY_SNAPSHOT_PATH: file };
    const ran = await shell.with({ env })("export", "--format", "image", "--json");
    expect(ran.code).toBe(1);
    expect(ran.json.error).toMatchObject({ code: "NAME_TAKEN" });
    expect(ran.json.error.hint).toContain("MEMORY_SNAPSHOT_PATH");
    const store = await openStore(shell.store);
    await expect(store.save(file)).rejects.toMatchObject({ code: "NAME_TAKEN" });
    const there = process.env.MEMORY_SNAPSHOT_PATH;
    process.env.MEMORY_SNAPSHOT_PATH = file;
    await expect(store.save()).rejects.toMatchObject({ code: "NAME_TAKEN" });
    if (there === undefined) delete process.env.MEMORY_SNAPSHOT_PATH;
    else process.env.MEMORY_SNAPSHOT_PATH = there;
    await store.close();
    expect(pictureOf(user)).toEqual({ ".bashrc": `644 ${BASHRC}`, "memory.snap": `644 ${SNAP}` });
  });

  it("D640 an image is replaced by a later image, and by nothing else of ours", async () => {
    const file = join(user, "x.img");
    for (const round of [1, 2])
      expect((await shell.pal("export", "--format", "image", "-o", file)).code, `${round}`).toBe(0);
    const image = readFileSync(file, "utf8");
    for (const format of ["json", "jsonl", "markdown", "org", "mcp-memory"])
      expect((await shell.pal("export", "--format", format, "-o", file)).code).toBe(1);
    expect((await shell.pal("prove", "tea", "-o", file)).code).toBe(1);
    expect((await shell.pal("hand-over", file)).code).toBe(1);
    expect(readFileSync(file, "utf8")).toBe(image);
  });
});

describe.skipIf(isWindows)("C640 verbs of the library", () => {
  const VERBS: Readonly<Record<string, (file: string) => Promise<unknown>>> = {
    save: (file) => withStore((store) => store.save(file)),
    backup: (file) => withStore((store) => store.backup(file)),
    "backup with overwrite": (file) => withStore((store) => store.backup(file, { overwrite: true })),
    syncPalace: (file) => withStore((store) => store.session().syncPalace(file)),
    "ingest with ids": (file) => withStore((store) => store.session().ingest([file], { writeIds: true })),
    repairStore: (file) => repairStore(shell.store, file),
  };
  const withStore = async (use: (store: Awaited<ReturnType<typeof openStore>>) => unknown) => {
    const store = await openStore(shell.store);
    try {
      return await use(store);
    } finally {
      await store.close();
    }
  };
  const LIBRARY_CASES = Object.keys(VERBS).flatMap((verb) =>
    (Object.keys(HOSTILE) as Hostile[])
      .filter((hostile) => verb !== "backup with overwrite" || hostile !== "a file of another program")
      .filter((hostile) => !/syncPalace|repairStore/.test(verb) || hostile !== "a folder")
      .filter((hostile) => !verb.startsWith("ingest") || !/^a f(?:ile|older$)/.test(hostile))
      .map((hostile) => [verb, hostile] as const),
  );
  it.each(LIBRARY_CASES)("C640 %s, and there is %s", async (verb, hostile) => {
    const file = join(project, "out", verb.startsWith("ingest") ? "x.org" : "x");
    mkdirSync(dirname(file));
    writeFileSync(join(user, ".bashrc"), `* A headline\n${BASHRC}`);
    HOSTILE[hostile](file);
    const before = [pictureOf(project), pictureOf(user)];
    const [answer, error] = await VERBS[verb]!(file).then(
      (value) => [value, undefined],
      (error: unknown) => [undefined, error],
    );
    expect([pictureOf(project), pictureOf(user)]).toEqual(before);
    if (error === undefined) expect((answer as { failed: unknown[] }).failed).toHaveLength(1);
    else
      expect(error).toMatchObject({ code: expect.stringMatching(/^(?:INVALID_FILE|NAME_TAKEN|REFUSED)$/) });
  });
});

describe.skipIf(isWindows)("C643 what is no plain file is not read, and nobody waits for it", () => {
  const READERS: Readonly<Record<string, (path: string) => readonly string[]>> = {
    import: (path) => ["import", path],
    "import of a format": (path) => ["import", "--format", "jsonl", path],
    "import of an image": (path) => ["import", "--format", "image", path],
    ingest: (path) => ["ingest", `${path}`, "--format", "markdown"],
    restore: (path) => ["restore", path, "--store", join(shell.home, "again")],
    tombstones: (path) => ["restore", path, "--tombstones", path, "--store", join(shell.home, "again")],
    "verify-proof": (path) => ["verify-proof", path],
    "hand-over --take": (path) => ["hand-over", "--take", path],
    extract: (path) => ["extract", path],
    "remember --jsonl": (path) => ["remember", "--jsonl", path],
    "connect --project": () => ["connect", "claude", "--project"],
    config: () => ["config", "set", "memory.similarity_threshold", "0.8"],
  };
  const ODD = {
    pipe: (path: string) => void execFileSync("mkfifo", [path]),
    device: (path: string) => symlinkSync("/dev/zero", path),
    socket: (path: string) => new Promise<void>((done) => void createServer().listen(path, done).unref()),
  };
  it.each(Object.keys(READERS).flatMap((reader) => Object.keys(ODD).map((odd) => [reader, odd] as const)))(
    "C643 %s, and it is a %s",
    async (reader, odd) => {
      const path = join(project, ".mcp.json");
      await ODD[odd as keyof typeof ODD](path);
      const env = { PAL_EMBEDDER: "none", ...(reader === "config" && { PAL_CONFIG: path }) };
      const ran = await shell.with({ cwd: project, env })(...READERS[reader]!(path), "--json");
      const said = ran.json.error ?? ran.json.failed[0];
      expect(said.code).toBe("INVALID_FILE");
      expect(said.message ?? said.reason).toMatch(/pipe|device|socket|neither a file nor a folder|is a link/);
      expect([1, 2]).toContain(ran.code);
    },
  );

  it("C643 a pipe in a project that nobody named is passed over: git's own files, rules of what is ignored, tasks", async () => {
    rmSync(join(project, ".git"), { recursive: true });
    for (const name of [".git", ".gitignore", "HEARTBEAT.md"]) execFileSync("mkfifo", [join(project, name)]);
    writeFileSync(join(project, "a.md"), "# Tea\n\nAnn likes it.\n");
    const ran = await shell.with({ cwd: project })("ingest", ".", "--json");
    expect(ran.json).toMatchObject({ failed: [], added: expect.any(Number) });
    expect((await shell.with({ cwd: project })("status", "--json")).code).toBe(0);
  });

  it("C643 PAL_CONFIG=/dev/null says that there is no file of settings", async () => {
    const ran = await shell.with({ env: { PAL_CONFIG: "/dev/null" } })("list", "--json");
    expect(ran.code).toBe(0);
  });
});

describe.skipIf(isWindows)("C644 what is put there between looking and naming", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pal-race-"));
    mkdirSync(join(folder, "out"));
    writeFileSync(join(folder, "outside"), BASHRC);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const begun = async (over?: "anything") => {
    const file = await NewFile.begin(join(folder, "out", "x"), {
      project: folder,
      ...(over && { over }),
    });
    await file.handle.writeFile("ours");
    return file;
  };
  const target = () => join(folder, "out", "x");

  it.each(["nothing", "a file of ours"])("C644 a link or a file, where there was %s", async (there) => {
    for (const plant of [
      () => symlinkSync(join(folder, "outside"), target()),
      () => writeFileSync(target(), "theirs"),
      () => execFileSync("mkfifo", [target()]),
    ]) {
      if (there !== "nothing") writeFileSync(target(), "earlier");
      const file = await begun("anything");
      rmSync(target(), { force: true });
      plant();
      const before = pictureOf(folder);
      await expect(file.finish()).rejects.toMatchObject({ code: "INVALID_FILE" });
      const left = Object.keys(before).filter((name) => !name.endsWith(".tmp"));
      expect(pictureOf(folder)).toEqual(Object.fromEntries(left.map((name) => [name, before[name]])));
      rmSync(target());
    }
  });

  it("C644 a link in place of its folder leads nothing astray", async () => {
    const file = await begun();
    renameSync(join(folder, "out"), join(folder, "moved"));
    mkdirSync(join(folder, "user"));
    symlinkSync(join(folder, "user"), join(folder, "out"));
    await file.finish().catch(() => undefined);
    expect(readdirSync(join(folder, "user"))).toEqual([]);
    expect(readdirSync(join(folder, "moved")).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("C644 another file in place of the one that is being written gets no name", async () => {
    const file = await begun();
    const [temporary = ""] = readdirSync(join(folder, "out"));
    rmSync(join(folder, "out", temporary));
    symlinkSync(join(folder, "outside"), join(folder, "out", temporary));
    await expect(file.finish()).rejects.toMatchObject({ code: "INVALID_FILE" });
    expect(existsSync(target())).toBe(false);
    expect(readFileSync(join(folder, "outside"), "utf8")).toBe(BASHRC);
  });
});
