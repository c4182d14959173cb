import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { parsePlaceName } from "../memories/places.js";
import { openStore, type Session } from "../session/index.js";
import { memoryStorage } from "../storage/index.js";

const made: string[] = [];
const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), "pal-mirror-"));
  made.push(path);
  return path;
};
afterAll(() => {
  for (const path of made) rmSync(path, { recursive: true, force: true });
});

async function opened(off: readonly string[] = []) {
  const store = await openStore(memoryStorage());
  return store.session({ agent: "ann", trust: "user", gate: { off } });
}

const filesIn = (root: string): string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== ".palimpsest.json")
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
const textsOf = async (pal: Session, place: string) =>
  (await pal.list({ in: place })).filter(({ type }) => type !== "drawer").map(({ text }) => text);
const edit = (path: string, change: (text: string) => string) =>
  writeFileSync(path, change(readFileSync(path, "utf8")));

describe("the Markdown mirror", () => {
  it("PA22 shows the palace in the folders of its layout, and a second time changes nothing", async () => {
    const [pal, root] = [await opened(), folder()];
    await pal.setIdentity("I am Timmy.");
    await pal.remember("The config lives in one repository", { in: "projects/timmy-config" });
    await pal.describePlace("projects/timmy-config", "What I know about timmy-config.");
    await pal.createPlace("people", { description: "Who we work with." });
    const first = await pal.syncPalace(root);
    expect(first).toMatchObject({ added: 0, problems: [], deleted: [] });
    expect(filesIn(root)).toEqual([
      "config/mempalace.yaml",
      "identity.txt",
      "rooms/people/README.md",
      "rooms/projects/timmy-config.md",
    ]);
    expect(readFileSync(join(root, "rooms/projects/timmy-config.md"), "utf8")).toMatch(
      /^# timmy-config\n\nWhat I know about timmy-config\.\n\n- The config lives in one repository <!-- \^mem-/,
    );
    expect(await pal.syncPalace(root)).toMatchObject({ written: [], deleted: [], problems: [] });
    expect((await pal.syncPalace(root)).commit).toBeUndefined();
    // Settings are shown to be edited, and a memory once they are.
    expect(await pal.get("palace/config")).toBeUndefined();
    const settings = join(root, "config/mempalace.yaml");
    writeFileSync(settings, readFileSync(settings, "utf8").replace("ttl: 3600", "ttl: 60"));
    expect(await pal.syncPalace(root)).toMatchObject({ problems: [] });
    expect((await pal.get("palace/config"))?.text).toContain("ttl: 60");
  });

  it("PA23 changed, added, deleted, moved lines and renamed, moved, deleted files come back as one commit", async () => {
    const [pal, root] = [await opened(), folder()];
    const first = await pal.remember("The web server is nginx", { in: "projects/site" });
    const second = await pal.remember("Backups run at four in the morning", { in: "projects/site" });
    const third = await pal.remember("Alexander prefers short reports", { in: "people/alexander" });
    await pal.remember("Old notes about the pager", { in: "people/gone" });
    await pal.syncPalace(root);
    const at = (path: string) => join(root, "rooms", path);
    const moved = readFileSync(at("people/alexander.md"), "utf8")
      .split("\n")
      .find((line) => line.startsWith("- "));
    edit(at("projects/site.md"), (text) =>
      `${text.replace("The web server is nginx", "The web server is Caddy").replace(/^- Backups.*\n/m, "")}`.replace(
        /\n<!-- \^palace/,
        `\n- The domain renews in June\n${moved}\n\n<!-- ^palace`,
      ),
    );
    edit(at("people/alexander.md"), (text) => text.replace(`${moved}\n`, ""));
    rmSync(at("people/gone.md"));
    renameSync(at("projects/site.md"), at("people/website.md"));
    writeFileSync(at("projects/fresh.md"), "A file of my own.\n\n- It has one entry\n");
    const before = (await pal.log()).length;
    const report = await pal.syncPalace(root);
    expect(report).toMatchObject({ added: 2, problems: [], contested: [], kept: [] });
    expect((await pal.log()).length).toBe(before + 1);
    expect((await textsOf(pal, "people/website")).sort()).toEqual([
      "Alexander prefers short reports",
      "The domain renews in June",
      "The web server is Caddy",
    ]);
    expect((await pal.get(first.id as string))?.text).toBe("The web server is Caddy");
    expect((await pal.get(third.id as string))?.version).toBe(2);
    expect(await pal.get(second.id as string)).toBeUndefined();
    expect(await textsOf(pal, "people/alexander")).toEqual([]);
    expect((await pal.rooms()).map(({ name, drawers }) => [name, drawers.map((one) => one.name)])).toEqual([
      ["projects", ["fresh"]],
      ["people", ["alexander", "website"]],
    ]);
    expect(await pal.syncPalace(root)).toMatchObject({ written: [], deleted: [] });
  });

  it("PA23 the order of lines is that of the list, and a new line stays where it was written", async () => {
    const [pal, root] = [await opened(["duplicate"]), folder()];
    for (const text of ["first stone", "second cloud", "third river", "fourth ember"])
      await pal.remember(text, { in: "a/b" });
    await pal.syncPalace(root);
    const path = join(root, "rooms/a/b.md");
    const items = () =>
      readFileSync(path, "utf8")
        .split("\n")
        .filter((line) => line.startsWith("- "));
    const words = () => items().map((line) => line.split(" ")[1]);
    const [first, second, third, fourth] = items();
    const rest = () =>
      readFileSync(path, "utf8")
        .split("\n")
        .filter((line) => !line.startsWith("- "));
    const list = (...lines: (string | undefined)[]) =>
      writeFileSync(path, [...rest().slice(0, 2), ...lines, "", rest().at(-2), ""].join("\n"));
    list(fourth, first, "- inserted lantern", second, third);
    expect(await pal.syncPalace(root)).toMatchObject({ added: 1, problems: [] });
    expect(words()).toEqual(["fourth", "first", "inserted", "second", "third"]);
    expect(await pal.syncPalace(root)).toMatchObject({ written: [] });
  });

  it("PA24 an edit against a newer memory is contested, and editing the file again settles it", async () => {
    const [pal, root] = [await opened(["contradiction", "duplicate"]), folder()];
    const { id } = await pal.remember("The port is 8080", { in: "projects/site" });
    await pal.syncPalace(root);
    await pal.update(id as string, "The port is 9090");
    const path = join(root, "rooms/projects/site.md");
    edit(path, (text) => text.replace("8080", "7070"));
    expect(await pal.syncPalace(root)).toMatchObject({ contested: [id] });
    const shown = readFileSync(path, "utf8");
    expect(shown).toMatch(/7070/);
    expect(shown).toMatch(/9090/);
    expect(await pal.conflicts()).toMatchObject([{ id, field: "text" }]);
    edit(path, (text) => text.replace(/^- The port is \d+/m, "- The port is 1234"));
    await pal.syncPalace(root);
    expect(await pal.conflicts()).toEqual([]);
    expect((await pal.get(id as string))?.text).toBe("The port is 1234");
  });

  it("PA25 what the gate refuses stays in its file until it is taken", async () => {
    const [pal, root] = [await opened(), folder()];
    await pal.remember("Rent is paid by card", { in: "home/money" });
    await pal.syncPalace(root);
    const path = join(root, "rooms/home/money.md");
    edit(path, (text) => text.replace("- Rent", "- The card is Visa 4539578763621486\n- Rent"));
    const report = await pal.syncPalace(root);
    expect(report.problems).toMatchObject([{ path: "rooms/home/money.md" }]);
    expect(readFileSync(path, "utf8")).toContain("4539578763621486");
    expect(JSON.stringify(await pal.list())).not.toContain("4539578763621486");
    edit(path, (text) => text.replace("Visa 4539578763621486", "kept by Ann"));
    expect(await pal.syncPalace(root)).toMatchObject({ added: 1, problems: [] });
  });

  it("PA25 what waits for a person stays in its file too, and waits only once", async () => {
    const store = await openStore(memoryStorage());
    const ann = store.session({ agent: "ann", trust: "user" });
    const orion = store.session({ agent: "orion" });
    const root = folder();
    const { id } = await ann.remember("The web server of the shop is nginx", { in: "projects/site" });
    await orion.syncPalace(root);
    const path = join(root, "rooms/projects/site.md");
    edit(path, (text) => text.replace("is nginx", "is Caddy"));
    for (const _ of [1, 2, 3]) {
      const report = await orion.syncPalace(root);
      expect(report).toMatchObject({
        changed: 0,
        written: [],
        problems: [{ path: "rooms/projects/site.md" }],
      });
    }
    expect(readFileSync(path, "utf8")).toContain("is Caddy");
    const [item, ...others] = await ann.review();
    expect(others).toEqual([]);
    await ann.acceptReview(item!.id);
    expect(await orion.syncPalace(root)).toMatchObject({ problems: [], contested: [] });
    expect((await ann.get(id as string))?.text).toBe("The web server of the shop is Caddy");
  });

  it("PA25 a file that was emptied takes nothing away and is shown again", async () => {
    const [pal, root] = [await opened(), folder()];
    await pal.setIdentity("I am Timmy.");
    await pal.remember("The web server is nginx", { in: "projects/site" });
    await pal.describePlace("projects", "All of them.");
    await pal.syncPalace(root);
    const paths = ["identity.txt", "rooms/projects/site.md", "rooms/projects/README.md"].map((path) =>
      join(root, path),
    );
    const before = paths.map((path) => readFileSync(path, "utf8"));
    for (const path of paths) writeFileSync(path, "\n");
    expect(await pal.syncPalace(root)).toMatchObject({ removed: 0, changed: 0, problems: [] });
    expect(paths.map((path) => readFileSync(path, "utf8"))).toEqual(before);
    rmSync(paths[0] as string);
    await pal.syncPalace(root);
    expect(await pal.identity()).toBeUndefined();
  });

  it("PA26 PA36 a folder without its base is taken in by what it says, and nothing is doubled", async () => {
    const [pal, root] = [await opened(), folder()];
    await pal.setIdentity("I am Timmy.");
    await pal.remember("The web server is nginx", { in: "projects/site" });
    await pal.createPlace("projects", { description: "All of them." });
    await pal.syncPalace(root);
    rmSync(join(root, ".palimpsest.json"));
    expect(await pal.syncPalace(root)).toMatchObject({
      added: 0,
      changed: 0,
      written: [],
      deleted: [],
      problems: [],
    });
    // And another store, which knows nothing of it, gets it all; but as it is, it is not that store's mirror.
    const other = await opened();
    await other.remember("Of the other", { in: "elsewhere" });
    const before = readdirSync(root);
    expect(await other.syncPalace(root).catch(({ code }) => code)).toBe("INVALID_FILE");
    expect(readdirSync(root)).toEqual(before);
    rmSync(join(root, ".palimpsest.json"));
    expect(await other.syncPalace(root)).toMatchObject({ added: 1, problems: [] });
    expect((await other.identity())?.text).toBe("I am Timmy.");
    expect(await textsOf(other, "projects/site")).toEqual(["The web server is nginx"]);
  });

  it("PA620 a line that is added takes no other line away, however alike they are", async () => {
    const [pal, root] = [await opened(), folder()];
    await pal.remember("The web server is nginx", { in: "projects/site" });
    await pal.syncPalace(root);
    const path = join(root, "rooms/projects/site.md");
    for (const more of [
      "The web server is nginx",
      "The web server is Caddy",
      "The web server is no longer nginx",
    ]) {
      edit(path, (text) => `${text.trimEnd()}\n- ${more}\n`);
      await pal.syncPalace(root);
      expect(await textsOf(pal, "projects/site"), more).toContain("The web server is nginx");
    }
  });

  it.each([
    ["of another program", (path: string) => writeFileSync(path, `{"version": 1, "theme": "dark"}`)],
    ["that is no JSON", (path: string) => writeFileSync(path, "notes")],
    ["that is a folder", (path: string) => mkdirSync(path)],
  ])("PA640 a .palimpsest.json %s is refused, and nothing is synced", async (_, plant) => {
    const [pal, root] = [await opened(), folder()];
    await pal.remember("The web server is nginx", { in: "projects/site" });
    mkdirSync(join(root, "rooms/people"), { recursive: true });
    writeFileSync(join(root, "rooms/people/ann.md"), "- Ann likes tea\n");
    plant(join(root, ".palimpsest.json"));
    const before = readdirSync(root, { recursive: true });
    expect(await pal.syncPalace(root).catch(({ code }) => code)).toBe("INVALID_FILE");
    expect(readdirSync(root, { recursive: true })).toEqual(before);
    expect((await pal.list()).map(({ text }) => text)).not.toContain("Ann likes tea");
  });
});

describe("names never leave the folder (B17)", () => {
  const nasty = [
    "..",
    "../../etc/passwd".replaceAll("/", "∕"),
    "...",
    ". .",
    "~",
    "con",
    "NUL.txt",
    "COM1",
    "aux.md",
    "a:b",
    "a\\b",
    "..\\..\\x",
    "%2e%2e%2f",
    "trailing.",
    "trailing ",
    ".hidden",
    "-rf",
    "x".repeat(128),
    "é",
    "é",
    "ß",
    "SS",
    "İ",
    "i̇",
    "ﬁ",
    "fi",
    "K",
    "k",
    "file.md",
    "README",
    "readme",
    "名前",
    "😀",
    "a\u200bb",
    "\u202egnp.exe",
    "$(x)",
    "`x`",
    "*",
    "?",
    "|",
    '"',
    "<",
    ">",
    "&",
    "'",
    "con.",
    "COM¹",
    "LPT9",
    "a\u0301",
    "á",
  ];
  it("PA27 every name has a file of its own inside, and nothing outside is touched", async () => {
    const outer = folder();
    const root = join(outer, "mirror");
    writeFileSync(join(outer, "secret.md"), "# outside\n\n- untouched\n");
    mkdirSync(root);
    const pal = await opened();
    const generated = fc.sample(
      fc.oneof(
        fc.string({ minLength: 1, maxLength: 20 }),
        fc.string({ unit: "binary", minLength: 1, maxLength: 20 }),
        fc.constantFrom(...nasty).map((name) => `${name}${name}`.slice(0, 100)),
      ),
      { numRuns: 1500, seed: 7 },
    );
    const isName = (name: string): boolean => {
      try {
        return parsePlaceName(name) !== "";
      } catch (error) {
        expect((error as { code?: string }).code).toBe("INVALID_NAME");
        return false;
      }
    };
    const names = [...nasty, ...generated].filter(isName);
    const layout = names.map((name, at) => ({
      name: at % 10 === 0 ? name : `room ${at % 40}`,
      description: "",
      drawers: [name],
    }));
    await pal.layOut({ name: "nasty", description: "", rooms: layout });
    const ids = (await pal.rooms()).flatMap(({ drawers }) => drawers.map(({ id }) => id));
    expect(ids.length).toBeGreaterThan(1000);
    const report = await pal.syncPalace(root);
    expect(report.problems).toEqual([]);
    expect(readdirSync(outer).sort()).toEqual(["mirror", "secret.md"]);
    const files = filesIn(root).filter((path) => path !== "config/mempalace.yaml");
    expect(files.every((path) => path.split("/").length === 3 && path.startsWith("rooms/"))).toBe(true);
    expect(new Set(files.map((path) => path.normalize("NFKC").toLowerCase())).size).toBe(files.length);
    const all = files.map((path) => readFileSync(join(root, path), "utf8")).join("\n");
    const marks = new Set(
      [...all.matchAll(/^<!-- \^(\S+) -->$/gm)].map(([, id]) => decodeURIComponent(id as string)),
    );
    expect([...marks].sort()).toEqual([...ids].sort());
    expect(await pal.syncPalace(root)).toMatchObject({ written: [], deleted: [], changed: 0, added: 0 });
  }, 60_000);

  it("PA28 links are neither read nor written through", async () => {
    const outer = folder();
    const root = join(outer, "mirror");
    mkdirSync(join(outer, "elsewhere"));
    writeFileSync(join(outer, "elsewhere/secret.md"), "- a secret of others\n");
    const pal = await opened();
    await pal.remember("The web server is nginx", { in: "projects/site" });
    await pal.remember("Anna keeps bees", { in: "people/anna" });
    await pal.setIdentity("I am Timmy.");
    await pal.syncPalace(root);
    // A folder, a file and the identity are swapped for links.
    rmSync(join(root, "rooms/people"), { recursive: true });
    symlinkSync(join(outer, "elsewhere"), join(root, "rooms/people"));
    rmSync(join(root, "rooms/projects/site.md"));
    symlinkSync(join(outer, "elsewhere/secret.md"), join(root, "rooms/projects/site.md"));
    rmSync(join(root, "identity.txt"));
    symlinkSync(join(outer, "elsewhere/secret.md"), join(root, "identity.txt"));
    await pal.remember("The web server has two cores", { in: "projects/site" });
    const report = await pal.syncPalace(root);
    expect(report).toMatchObject({ removed: 0, added: 0, changed: 0 });
    expect(report.problems.map(({ path }) => path)).toEqual(
      expect.arrayContaining(["identity.txt", "rooms/people", "rooms/projects/site.md"]),
    );
    expect((await pal.list({ type: "fact" })).length).toBe(3);
    expect((await pal.identity())?.text).toBe("I am Timmy.");
    expect(JSON.stringify(await pal.list())).not.toContain("a secret of others");
    expect(readFileSync(join(outer, "elsewhere/secret.md"), "utf8")).toBe("- a secret of others\n");
    expect(readdirSync(join(outer, "elsewhere"))).toEqual(["secret.md"]);
  });
});

describe("PA29 random edits on both sides", () => {
  interface World {
    readonly pal: Session;
    readonly root: string;
    count: number;
    /** Tokens written since the last synchronisation, by whom and into what. */
    fresh: Map<string, string>;
  }
  const word = (world: World): string => `token${++world.count}x`;
  const saying = (world: World) => {
    const token = word(world);
    return { token, text: `${token} ${["kiwi", "lantern", "gravel", "ocean", "violin"][world.count % 5]}` };
  };
  const drawerFiles = (root: string) => filesIn(root).filter((path) => /^rooms\/.+\.md$/.test(path));
  const entries = async ({ pal }: World) =>
    (await pal.list({ type: "fact" })).filter(({ parent }) => parent !== undefined);
  const places = async ({ pal }: World) =>
    (await pal.rooms()).flatMap(({ name, drawers }) => drawers.map((drawer) => `${name}/${drawer.name}`));

  /** Drops what one side wrote and then took back itself. */
  const lost = (world: World, text: string, by: string): void => {
    for (const [token, who] of world.fresh)
      if (who === by && text.includes(`${token} `)) world.fresh.delete(token);
  };

  const onFile =
    (change: (lines: string[], at: number, world: World) => void) => async (world: World, pick: number) => {
      const files = drawerFiles(world.root);
      const path = files[pick % Math.max(1, files.length)];
      if (path === undefined) return;
      const lines = readFileSync(join(world.root, path), "utf8").split("\n");
      const items = lines.flatMap((line, at) => (line.startsWith("- ") ? [at] : []));
      change(lines, items[(pick >> 3) % Math.max(1, items.length)] ?? -1, world);
      writeFileSync(join(world.root, path), lines.join("\n"));
    };

  const OPS: Record<string, (world: World, pick: number) => Promise<void>> = {
    fileChange: onFile((lines, at, world) => {
      if (at < 0) return;
      const { token, text } = saying(world);
      lost(world, lines[at] as string, "file");
      const id = / <!-- \^.*$/.exec(lines[at] as string)?.[0] ?? "";
      lines[at] = `- ${text}${id}`;
      world.fresh.set(token, "file");
    }),
    fileAdd: onFile((lines, _, world) => {
      const { token, text } = saying(world);
      lines.splice(Math.max(1, lines.length - 2), 0, "", `- ${text}`);
      world.fresh.set(token, "file");
    }),
    fileDelete: onFile((lines, at, world) => {
      if (at < 0) return;
      lost(world, lines[at] as string, "file");
      lines.splice(at, 1);
    }),
    fileBody: onFile((lines, _, world) => {
      const { token, text } = saying(world);
      lost(
        world,
        lines
          .slice(2)
          .filter((line) => !line.startsWith("- "))
          .join("\n"),
        "file",
      );
      const rest = lines
        .slice(1)
        .filter(
          (line) => line === "" || line.startsWith("- ") || line.startsWith("<!--") || line.startsWith("  "),
        );
      lines.splice(0, lines.length, lines[0] as string, "", `${text} prose.`, "", ...rest);
      world.fresh.set(token, "file");
    }),
    fileMoveLine: async (world, pick) => {
      const files = drawerFiles(world.root);
      const [from, to] = [
        files[pick % Math.max(1, files.length)],
        files[(pick >> 2) % Math.max(1, files.length)],
      ];
      if (from === undefined || to === undefined || from === to) return;
      const lines = readFileSync(join(world.root, from), "utf8").split("\n");
      const at = lines.findIndex((line) => line.startsWith("- "));
      if (at < 0) return;
      const [line] = lines.splice(at, 1);
      writeFileSync(join(world.root, from), lines.join("\n"));
      edit(join(world.root, to), (text) => `${text.trimEnd()}\n\n${line}\n`);
    },
    fileOrder: onFile((lines, at) => {
      const first = lines.findIndex((line) => line.startsWith("- "));
      if (at > first) lines.splice(first, 0, ...lines.splice(at, 1));
    }),
    fileRename: async (world, pick) => {
      const files = drawerFiles(world.root).filter((path) => !path.endsWith("README.md"));
      const path = files[pick % Math.max(1, files.length)];
      if (path !== undefined)
        renameSync(join(world.root, path), join(world.root, dirname(path), `d${word(world)}.md`));
    },
    fileMove: async (world, pick) => {
      const files = drawerFiles(world.root).filter((path) => !path.endsWith("README.md"));
      const path = files[pick % Math.max(1, files.length)];
      if (path === undefined) return;
      const dir = join(world.root, "rooms", `r${pick % 4}`);
      mkdirSync(dir, { recursive: true });
      const target = join(dir, path.split("/")[2] as string);
      if (!existsSync(target)) renameSync(join(world.root, path), target);
    },
    fileRemove: async (world, pick) => {
      const files = drawerFiles(world.root);
      const path = files[pick % Math.max(1, files.length)];
      if (path === undefined) return;
      lost(world, readFileSync(join(world.root, path), "utf8"), "file");
      rmSync(join(world.root, path));
    },
    dirRename: async (world, pick) => {
      const rooms = join(world.root, "rooms");
      const dirs = existsSync(rooms) ? readdirSync(rooms) : [];
      const dir = dirs[pick % Math.max(1, dirs.length)];
      if (dir !== undefined) renameSync(join(rooms, dir), join(rooms, `r${word(world)}`));
    },
    fileEmpty: async (world, pick) => {
      const files = drawerFiles(world.root);
      const path = files[pick % Math.max(1, files.length)];
      if (path === undefined) return;
      lost(world, readFileSync(join(world.root, path), "utf8"), "file");
      writeFileSync(join(world.root, path), "");
    },
    newFile: async (world, pick) => {
      const { token, text } = saying(world);
      const dir = join(world.root, "rooms", `r${pick % 4}`);
      mkdirSync(dir, { recursive: true });
      writeFileSync(join(dir, `n${token}.md`), `Mine.\n\n- ${text}\n`);
      world.fresh.set(token, "file");
    },
    memoryAdd: async (world, pick) => {
      const { token, text } = saying(world);
      const { verdict } = await world.pal.remember(text, { in: `r${pick % 4}/d${(pick >> 2) % 3}` });
      if (verdict === "accepted") world.fresh.set(token, "memory");
    },
    memoryChange: async (world, pick) => {
      const all = await entries(world);
      const one = all[pick % Math.max(1, all.length)];
      if (!one) return;
      const { token, text } = saying(world);
      lost(world, `${one.text} `, "memory");
      if ((await world.pal.update(one.id, text)).verdict === "updated") world.fresh.set(token, "memory");
    },
    memoryForget: async (world, pick) => {
      const all = await entries(world);
      const one = all[pick % Math.max(1, all.length)];
      if (!one) return;
      lost(world, `${one.text} `, "memory");
      await world.pal.forget(one.id);
    },
    memoryMove: async (world, pick) => {
      const all = await entries(world);
      const one = all[pick % Math.max(1, all.length)];
      if (one) await world.pal.moveInPalace(one.id, `r${(pick >> 3) % 4}/d${(pick >> 5) % 3}`);
    },
    memoryRename: async (world, pick) => {
      const all = await places(world);
      const one = all[pick % Math.max(1, all.length)];
      if (one !== undefined) await world.pal.renamePlace(one, word(world));
    },
    memoryRenameRoom: async (world, pick) => {
      const all = await world.pal.rooms();
      const one = all[pick % Math.max(1, all.length)];
      if (one) await world.pal.renamePlace(one.name, word(world));
    },
    memoryDescribe: async (world, pick) => {
      const all = [...(await places(world)), ...(await world.pal.rooms()).map(({ name }) => name)];
      const one = all[pick % Math.max(1, all.length)];
      if (one === undefined) return;
      const { token, text } = saying(world);
      const rooms = await world.pal.rooms();
      for (const { name, description, drawers } of rooms) {
        if (name === one) lost(world, `${description} `, "memory");
        for (const drawer of drawers)
          if (`${name}/${drawer.name}` === one) lost(world, `${drawer.description} `, "memory");
      }
      await world.pal.describePlace(one, text);
      world.fresh.set(token, "memory");
    },
    memoryForgetDrawer: async (world, pick) => {
      const rooms = await world.pal.rooms();
      const all = rooms.flatMap(({ drawers }) => drawers);
      const one = all[pick % Math.max(1, all.length)];
      if (!one) return;
      lost(world, `${one.description} `, "memory");
      await world.pal.forget(one.id);
    },
  };

  const everything = async ({ pal, root }: World): Promise<string> =>
    JSON.stringify(await pal.list()) +
    drawerFiles(root)
      .map((path) => readFileSync(join(root, path), "utf8"))
      .join("\n");

  it("PA29 lose nothing that either side wrote, and end in a mirror that stays as it is", async () => {
    // Half of the time both sides are busy with the same few memories.
    const near = fc.constantFrom("fileChange", "memoryChange", "fileDelete", "memoryForget", "memoryMove");
    const step = fc.tuple(
      fc.oneof(near, fc.constantFrom(...Object.keys(OPS))),
      fc.oneof(fc.nat(1), fc.nat(1000)),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { maxLength: 6 }), { minLength: 1, maxLength: 5 }),
        async (rounds) => {
          const world: World = {
            pal: await opened(["duplicate", "contradiction"]),
            root: folder(),
            count: 0,
            fresh: new Map(),
          };
          await OPS.memoryAdd!(world, 0);
          await OPS.memoryAdd!(world, 5);
          for (const round of [[], ...rounds]) {
            for (const [name, pick] of round) await OPS[name]!(world, pick);
            await world.pal.syncPalace(world.root);
            const all = await everything(world);
            for (const token of world.fresh.keys())
              expect(all, `${token} of ${world.fresh.get(token)}`).toContain(token);
            world.fresh.clear();
            const again = await world.pal.syncPalace(world.root);
            expect({ written: again.written, deleted: again.deleted, commit: again.commit }).toEqual({
              written: [],
              deleted: [],
              commit: undefined,
            });
          }
          rmSync(world.root, { recursive: true, force: true });
        },
      ),
      { numRuns: process.env.PAL_TORTURE ? 2_000 : 25 },
    );
  }, 600_000);
});
