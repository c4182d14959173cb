import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { originOf, ownerRepo, projectAround } from "./project.js";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "pal-project-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (files: Record<string, string>): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
};
const ORIGIN =
  '[core]\n\tbare = false\n[remote "origin"]\n\turl = git@github.com:acme/site.git\n\tfetch = x\n';

it("C12 a remote gives owner-repo, whatever way it is written", () => {
  for (const url of [
    "git@github.com:acme/site.git",
    "https://github.com/acme/site",
    "https://user:secret@github.com/acme/site.git/",
    "ssh://git@host:2222/acme/site.git",
    "git://host/deep/group/acme/site",
    "/srv/git/acme/site.git",
    "C:\\git\\acme\\site.git",
    "../acme/site",
  ])
    expect(ownerRepo(url), url).toBe("acme-site");
  expect(ownerRepo("https://host/site.git")).toBe("site");
  expect(ownerRepo("")).toBeUndefined();
});

it("C12 only the remote named origin counts", () => {
  expect(originOf(ORIGIN)).toBe("git@github.com:acme/site.git");
  expect(originOf('[remote "fork"]\nurl = a/b\n[remote "origin"]\r\n  url = "c/d" # note\r\n')).toBe("c/d");
  expect(originOf('[remote "fork"]\nurl = a/b\n')).toBeUndefined();
  expect(originOf("")).toBeUndefined();
});

it("C12 the repository around a directory is found upwards, by its remote or else its root", () => {
  put({ "home/.git/HEAD": "ref: x", "home/.git/config": ORIGIN, "home/a/b/file": "" });
  expect(projectAround(join(root, "home/a/b"))).toBe("acme-site");
  put({ "plain/.git/HEAD": "ref: x", "plain/sub/file": "" });
  expect(projectAround(join(root, "plain/sub"))).toBe("plain");
  put({ "fake/.git/config": ORIGIN, "fake/sub/file": "" });
  expect(projectAround(join(root, "fake/sub"))).not.toBe("acme-site");
});

it("C12 worktrees belong to their repository, submodules are their own", () => {
  put({
    "main/.git/HEAD": "ref: x",
    "main/.git/config": "[core]\n",
    "main/.git/worktrees/wt/HEAD": "ref: y",
    "main/.git/worktrees/wt/commondir": "../..\n",
    "wt/.git": `gitdir: ${join(root, "main/.git/worktrees/wt")}\n`,
    "main/.git/modules/sub/HEAD": "ref: z",
    "main/.git/modules/sub/config": ORIGIN,
    "main/sub/.git": "gitdir: ../.git/modules/sub\n",
  });
  expect(projectAround(join(root, "wt"))).toBe("main");
  expect(projectAround(join(root, "main/sub"))).toBe("acme-site");
  put({ "broken/.git": "nothing here" });
  expect(projectAround(join(root, "broken"))).not.toBe("broken");
});
