import { PalimpsestError } from "../../core/base/index.js";
import { action, checkGiven, checkOptions, number, readOnce, text } from "../../repo/index.js";
import type { Artifact, ArtifactQuery, ArtifactSource } from "./port.js";

export interface ForgeOptions {
  /** Of the forge, as in a browser: `https://forge.example.org`. */
  readonly baseUrl: string;
  /** `owner/name`. */
  readonly repository: string;
  readonly token?: string;
  /** For a single request; default 5 s. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
}

const TIMEOUT_MS = 5_000;
const PAGE = 50;
const MOST_PAGES = 4;
const MOST_FOUND = 10;
const EXCERPT = 2_000;

/** The shapes of the API, version 1, as far as they are read. */
interface Issue {
  readonly number: number;
  readonly title: string;
  readonly body?: string | null;
  readonly state: string;
  readonly updated_at: string;
  readonly html_url: string;
  readonly user?: { readonly login?: string } | null;
  readonly pull_request?: { readonly merged?: boolean } | null;
}
interface Comment {
  readonly id: number;
  readonly body: string;
  readonly updated_at: string;
  readonly html_url: string;
  readonly user?: { readonly login?: string } | null;
}
interface Contents {
  readonly type: string;
  readonly path: string;
  readonly content?: string | null;
  readonly encoding?: string | null;
  readonly html_url?: string | null;
  readonly last_commit_sha?: string;
  readonly last_committer_date?: string;
}

/** Issues, pull requests, comments and files of a Gitea or Forgejo repository, by its HTTP API. */
export function forgeArtifacts(options: ForgeOptions): ArtifactSource {
  const given = readOnce(options);
  checkOptions<ForgeOptions>("forgeArtifacts", given, {
    ...{ baseUrl: text, repository: text, token: text, timeoutMs: number, fetch: action },
  });
  checkGiven("forgeArtifacts", { ...given }, { baseUrl: text, repository: text });
  const { repository } = given;
  const api = `${given.baseUrl.replace(/(?<!\/)\/+$/, "")}/api/v1/repos/${repository.toWellFormed().split("/").map(encodeURIComponent).join("/")}`;
  const get = <T>(path: string, signal: AbortSignal) => request<T>(given, `${api}${path}`, signal);

  const issue = async (number: number, signal: AbortSignal): Promise<Artifact[]> => {
    const found = await get<Issue>(`/issues/${number}`, signal);
    if (!found) return [];
    const comments = await pages<Comment>((page) =>
      get(`/issues/${number}/comments?page=${page}&limit=${PAGE}`, signal),
    );
    return [
      { ...issueArtifact(found), isNamed: true },
      ...comments.map((one) => commentArtifact(number, one)),
    ];
  };
  const file = async (path: string, signal: AbortSignal): Promise<Artifact[]> => {
    const found = await get<Contents>(
      `/contents/${path.split("/").map(encodeURIComponent).join("/")}`,
      signal,
    );
    return found && !Array.isArray(found) && found.type === "file" ? [fileArtifact(found)] : [];
  };
  const search = async (words: readonly string[], signal: AbortSignal): Promise<Artifact[]> => {
    if (words.length === 0) return [];
    const q = encodeURIComponent(words.slice(0, 3).join(" "));
    const found = await get<Issue[]>(`/issues?state=all&q=${q}&page=1&limit=${MOST_FOUND}`, signal);
    return (found ?? []).map(issueArtifact);
  };
  return {
    name: repository,
    async find({ issues, files, words }: ArtifactQuery, signal) {
      const named = await Promise.all([
        ...issues.slice(0, 5).map((number) => issue(number, signal)),
        ...files.slice(0, 5).map(({ path }) => file(path, signal)),
      ]);
      const found = named.flat();
      return found.length > 0 ? found : search(words, signal);
    },
  };
}

async function request<T>(
  { token, timeoutMs = TIMEOUT_MS, fetch: send = fetch }: ForgeOptions,
  url: string,
  signal: AbortSignal,
): Promise<T | undefined> {
  const headers = {
    accept: "application/json",
    ...(token !== undefined && { authorization: `token ${token}` }),
  };
  const limits = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  let answer: Response;
  try {
    answer = await send(url, { headers, signal: limits, redirect: "error" });
  } catch (error) {
    throw unavailable(
      error instanceof Error && error.name === "TimeoutError"
        ? `no answer within ${timeoutMs} ms`
        : "it cannot be reached",
      error,
    );
  }
  if (answer.status === 404) return undefined;
  if (answer.status === 429 || answer.headers.get("x-ratelimit-remaining") === "0") {
    const after = answer.headers.get("retry-after");
    throw unavailable(`too many requests${after === null ? "" : `; try again after ${after} s`}`);
  }
  if (answer.status === 401 || answer.status === 403) throw unavailable("the token is not accepted");
  if (!answer.ok) throw unavailable(`it answered ${answer.status}`);
  try {
    return (await answer.json()) as T;
  } catch (error) {
    throw unavailable("its answer is no JSON", error);
  }
}

async function pages<T>(get: (page: number) => Promise<readonly T[] | undefined>): Promise<T[]> {
  const all: T[] = [];
  for (let page = 1; page <= MOST_PAGES; page++) {
    const found = (await get(page)) ?? [];
    all.push(...found);
    if (found.length < PAGE) break;
  }
  return all;
}

const unavailable = (why: string, cause?: unknown): PalimpsestError =>
  new PalimpsestError("ARTIFACTS_UNAVAILABLE", `The forge could not be asked: ${why}.`, { cause });

const excerpt = (text: string): string =>
  text.length > EXCERPT ? `${text.slice(0, EXCERPT).toWellFormed()}…` : text;

function issueArtifact({
  number,
  title,
  body,
  state,
  updated_at,
  html_url,
  user,
  pull_request,
}: Issue): Artifact {
  const kind = pull_request ? "pull request" : "issue";
  const how = pull_request?.merged ? "merged" : state;
  return {
    id: `${kind} ${number}`,
    title,
    text: `#${number} ${title} (${kind}, ${how})${body ? `\n${excerpt(body)}` : ""}`,
    updatedAt: updated_at,
    ...(user?.login && { author: user.login }),
    uri: html_url,
  };
}

const commentArtifact = (number: number, { id, body, updated_at, html_url, user }: Comment): Artifact => ({
  id: `comment ${id} on ${number}`,
  title: `Comment on #${number}`,
  text: excerpt(body),
  updatedAt: updated_at,
  ...(user?.login && { author: user.login }),
  uri: html_url,
});

function fileArtifact({
  path,
  content,
  encoding,
  html_url,
  last_commit_sha,
  last_committer_date,
}: Contents): Artifact {
  const text =
    content && encoding === "base64" ? Buffer.from(content, "base64").toString("utf8") : (content ?? "");
  return {
    id: last_commit_sha === undefined ? path : `${path}@${last_commit_sha.slice(0, 12)}`,
    title: path,
    text: excerpt(text),
    ...(last_committer_date !== undefined && { updatedAt: last_committer_date }),
    uri: html_url ?? path,
    isNamed: true,
  };
}
