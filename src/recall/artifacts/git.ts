import { PalimpsestError } from "../../core/base/index.js";
import { checkGiven, checkOptions, number, path, readOnce, text } from "../../repo/index.js";
import type { Artifact, ArtifactQuery, ArtifactSource } from "./port.js";

export interface GitOptions {
  readonly directory: string;
  /** Where to look; default HEAD. */
  readonly revision?: string;
  /** For a single command; default 5 s. */
  readonly timeoutMs?: number;
  /** Default `git`. */
  readonly git?: string;
}

const TIMEOUT_MS = 5_000;
const MOST_BYTES = 4_000_000;
const MOST_FOUND = 8;
const EXCERPT = 2_000;
const AROUND = 3;

/** A repository may configure programs to be run; none of them is. */
const SAFE = [
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "core.pager=cat",
  "-c",
  "log.showSignature=false",
];
const END = "\u001e";
const FORMAT = `--format=%H%x1f%an%x1f%aI%x1f%B${END}`;
const NOTHING = Buffer.alloc(0);

/** Commits, lines and files of a local repository at a revision, asked through `git` itself. */
export function gitArtifacts(options: GitOptions): ArtifactSource {
  const given = readOnce(options);
  checkOptions<GitOptions>("gitArtifacts", given, {
    ...{ directory: path, revision: text, timeoutMs: number, git: text },
  });
  checkGiven("gitArtifacts", { ...given }, { directory: path });
  const { directory, revision = "HEAD" } = given;
  const run = (args: readonly string[], signal: AbortSignal) => execute(given, args, signal);
  const log = async (args: readonly string[], signal: AbortSignal, isNamed = false): Promise<Artifact[]> =>
    commitsIn(
      (await run(["log", "-z", FORMAT, `-n${MOST_FOUND}`, ...args], signal)).toString(),
      directory,
      isNamed,
    );

  const file = async (path: string, line: number | undefined, signal: AbortSignal): Promise<Artifact[]> => {
    const content = await run(["show", "--no-textconv", `${revision}:${path}`], signal);
    const [last] = await log(["-n1", revision, "--", path], signal);
    if (content.length === 0 && !last) return [];
    const shown = content.includes(0) ? "(no text)" : content.toString();
    const blame = line === undefined ? [] : await blamed(path, line, signal);
    return [
      ...blame,
      {
        id: last === undefined ? path : `${path}@${last.id.replace("commit ", "")}`,
        title: path,
        text: excerpt(line === undefined ? shown : around(shown, line)),
        ...(last?.updatedAt !== undefined && { updatedAt: last.updatedAt }),
        ...(last?.author !== undefined && { author: last.author }),
        uri: `${directory}/${path}`,
        isNamed: true as const,
      },
      ...(last ? [last] : []),
    ];
  };
  const blamed = async (path: string, line: number, signal: AbortSignal): Promise<Artifact[]> => {
    const found = (
      await run(["blame", "--line-porcelain", "-L", `${line},${line}`, revision, "--", path], signal)
    ).toString();
    const [, hash] = /^([0-9a-f]{40}) /.exec(found) ?? [];
    const part = (name: string) => new RegExp(`^${name} (.*)$`, "m").exec(found)?.[1];
    if (hash === undefined) return [];
    const [author, time, summary] = [part("author"), part("author-time"), part("summary")];
    return [
      {
        id: `${path}:${line}@${hash.slice(0, 12)}`,
        title: `${path}:${line}`,
        text: `${path}:${line} is by ${author}, "${summary}": ${/^\t(.*)$/m.exec(found)?.[1] ?? ""}`,
        updatedAt: new Date(Number(time) * 1_000).toISOString(),
        ...(author !== undefined && { author }),
        uri: `${directory}/${path}`,
        isNamed: true,
      },
    ];
  };
  const grep = async (words: readonly string[], signal: AbortSignal): Promise<Artifact[]> => {
    const all = words.slice(0, 3).flatMap((word, at) => [...(at === 0 ? [] : ["--or"]), "-e", word]);
    const found = await run(
      [
        "grep",
        "-I",
        "-i",
        "-n",
        "-F",
        "--all-match",
        "--no-textconv",
        "--max-count=3",
        "-z",
        ...all,
        revision,
        "--",
      ],
      signal,
    );
    return grepHits(found.toString(), directory, revision);
  };
  return {
    name: directory,
    async find({ issues, files, commits, words }: ArtifactQuery, signal) {
      await run(["rev-parse", "--verify", "-q", `${revision}^{commit}`], signal).then((hash) => {
        if (hash.length === 0) throw unavailable(`there is no ${revision} in ${directory}`);
      });
      const named = await Promise.all([
        ...files.slice(0, 5).map(({ path, line }) => file(path, line, signal)),
        ...issues
          .slice(0, 5)
          .map((number) => log(["-E", `--grep=#${number}([^0-9]|$)`, revision], signal, true)),
        ...commits.slice(0, 5).map(async (hash) => {
          const known = (await run(["rev-parse", "--verify", "-q", `${hash}^{commit}`], signal))
            .toString()
            .trim();
          return known === "" ? [] : log(["-n1", known], signal, true);
        }),
      ]);
      const found = named.flat();
      if (found.length > 0 || words.length === 0) return unique(found);
      const patterns = words.slice(0, 3).map((word) => `--grep=${word}`);
      return unique([
        ...(await log(["-i", "-F", "--all-match", ...patterns, revision], signal)),
        ...(await grep(words, signal)),
      ]);
    },
  };
}

/** Runs git without a shell. An exit of 1 or 128 means that it knows nothing of what was asked. */
async function execute(
  { directory, timeoutMs = TIMEOUT_MS, git = "git" }: GitOptions,
  args: readonly string[],
  signal: AbortSignal,
): Promise<Buffer> {
  // Loaded late: most processes never ask a repository.
  const { execFile } = await import("node:child_process");
  return new Promise((resolve, reject) => {
    const env = { ...process.env, GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", LC_ALL: "C.UTF-8" };
    const options = {
      cwd: directory,
      env,
      timeout: timeoutMs,
      maxBuffer: MOST_BYTES,
      signal,
      encoding: "buffer" as const,
    };
    execFile(git, [...SAFE, ...args], options, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      const said = stderr.toString();
      const code = (error as { code?: unknown }).code;
      if (code === 1 || (code === 128 && !/not a git repository|dubious ownership/.test(said)))
        return resolve(NOTHING);
      if ((error as { killed?: boolean }).killed)
        return reject(unavailable(`no answer within ${timeoutMs} ms`));
      reject(
        unavailable(
          code === "ENOENT" ? "git or the directory is not there" : (said.split("\n")[0] ?? error.message),
        ),
      );
    });
  });
}

const unavailable = (why: string): PalimpsestError =>
  new PalimpsestError("ARTIFACTS_UNAVAILABLE", `The repository could not be asked: ${why}.`);

const excerpt = (text: string): string =>
  text.length > EXCERPT ? `${text.slice(0, EXCERPT).toWellFormed()}…` : text;

const around = (text: string, line: number): string =>
  text
    .split("\n")
    .slice(Math.max(0, line - 1 - AROUND), line + AROUND)
    .join("\n");

const commitsIn = (text: string, directory: string, isNamed: boolean): Artifact[] =>
  text
    .split(END)
    .map((part) => part.replace(/^[\0\n]+/, "").split("\u001f"))
    .filter((parts) => parts.length === 4)
    .map(([hash = "", author = "", time = "", body = ""]) => ({
      id: `commit ${hash.slice(0, 12)}`,
      title: body.split("\n")[0] ?? "",
      text: excerpt(body.trim()),
      updatedAt: new Date(time).toISOString(),
      author,
      uri: `${directory}@${hash}`,
      ...(isNamed && { isNamed: true as const }),
    }));

/** Lines `revision:path NUL line NUL text`, in some versions with a colon; those of one file are told together. */
function grepHits(text: string, directory: string, revision: string): Artifact[] {
  const byPath = new Map<string, string[]>();
  for (const row of text.split("\n")) {
    const [, where = "", line, said] = /^([^\0]*)\0(\d+)[:\0](.*)$/s.exec(row) ?? [];
    if (line === undefined || said === undefined) continue;
    const path = where.slice(revision.length + 1);
    byPath.set(path, [...(byPath.get(path) ?? []), `${line}: ${said.trim()}`]);
  }
  return [...byPath].slice(0, MOST_FOUND).map(([path, lines]) => ({
    id: `${path}@${revision}`,
    title: path,
    text: excerpt(lines.join("\n")),
    uri: `${directory}/${path}`,
  }));
}

const unique = (found: readonly Artifact[]): Artifact[] => [
  ...new Map(found.map((one) => [one.id, one])).values(),
];
