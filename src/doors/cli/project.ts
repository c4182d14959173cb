import { statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { readPlainSync } from "../../session/opening.js";

/** No configuration of git is longer, and a directory may be a stranger's. */
const LARGEST = 4 << 20;

export interface Repository {
  readonly root: string;
  /** owner-repo of its remote `origin`, else the name of its root. */
  readonly name: string;
}

/** The repository around a directory. Read by hand, because starting git costs more than most commands. */
export function repositoryAround(directory: string): Repository | undefined {
  for (let at = resolve(directory); ; at = dirname(at)) {
    const found = gitDirectory(join(at, ".git"));
    if (found !== undefined) return { root: at, name: nameOf(found, at) };
    if (dirname(at) === at) return undefined;
  }
}

export const projectAround = (directory: string): string | undefined => repositoryAround(directory)?.name;

/** Where the repository's configuration lies: `.git`, or what the file `.git` of a worktree or submodule points to. */
function gitDirectory(dotGit: string): string | undefined {
  try {
    const own = statSync(dotGit).isDirectory() ? dotGit : pointedTo(dotGit);
    if (own === undefined || !statSync(join(own, "HEAD")).isFile()) return undefined;
    const common = textOf(join(own, "commondir"))?.trim();
    return common ? resolve(own, common) : own;
  } catch {
    return undefined;
  }
}

function pointedTo(file: string): string | undefined {
  const target = /^gitdir:(.+)$/m.exec(textOf(file) ?? "")?.[1]?.trim();
  return target === undefined ? undefined : resolve(dirname(file), target);
}

function nameOf(gitDir: string, root: string): string {
  const remote = originOf(textOf(join(gitDir, "config")) ?? "");
  const named = remote === undefined ? undefined : ownerRepo(remote);
  // Worktrees of one repository are one project, so its first root counts.
  return named ?? basename(basename(gitDir) === ".git" ? dirname(gitDir) : root);
}

/** The url of the remote `origin` in a git configuration. */
export function originOf(config: string): string | undefined {
  let inOrigin = false;
  for (const row of config.split(/\r?\n/)) {
    const section = /^\s*\[(.*)\]/.exec(row)?.[1];
    if (section !== undefined) inOrigin = /^remote\s+"origin"$/i.test(section.trim());
    const url = inOrigin
      ? /^\s*url\s*=\s*(?!\s)"?([^"#;]*)(?:"\s*)?(?:[#;].*)?$/i.exec(row)?.[1]?.trim()
      : undefined;
    if (url) return url;
  }
  return undefined;
}

/** `git@host:owner/repo.git`, `https://host/owner/repo`, `/srv/git/owner/repo.git` → `owner-repo`. */
export function ownerRepo(url: string): string | undefined {
  const path = url
    .replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*\//i, "")
    .replace(/^[^/\\]+:(?!\\)/, "")
    .replace(/(?<![/\\])[/\\]+$/, "")
    .replace(/\.git$/i, "");
  const parts = path.split(/[/\\]+/).filter((part) => part !== "" && part !== ".." && part !== ".");
  return parts.length === 0 ? undefined : parts.slice(-2).join("-");
}

function textOf(file: string): string | undefined {
  try {
    return readPlainSync(file, LARGEST).toString();
  } catch {
    return undefined;
  }
}
