import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { artifactQuery } from "./ask-sources.js";
import { cachedArtifacts } from "./cache.js";
import { forgeArtifacts } from "./forge.js";
import { gitArtifacts } from "./git.js";
import { artifactLayer } from "./layer.js";
import type { ArtifactSource } from "./port.js";

const signal = AbortSignal.timeout(30_000);

it("RC50 issue numbers, files with lines, commits and telling words are derived from a question", () => {
  expect(artifactQuery("Is issue 456 fixed, and what about PR #12 and #12?").issues).toEqual([456, 12]);
  expect(artifactQuery("Who wrote src/store/refs.ts:40, and is README.md ours?").files).toEqual([
    { path: "src/store/refs.ts", line: 40 },
    { path: "README.md" },
  ]);
  expect(artifactQuery("who wrote line 2 of src/server.ts?").files).toEqual([
    { path: "src/server.ts", line: 2 },
  ]);
  expect(artifactQuery("What did commit 1a2b3c4d do?").commits).toEqual(["1a2b3c4d"]);
  expect(artifactQuery("Where is the config of project Osprey kept?").words[0]).toBe("Osprey");
  expect(artifactQuery("cat ../../etc/passwd").files).toEqual([]);
  expect(artifactQuery("What is version 1.2.3 about?").files).toEqual([]);
});

describe("a forge", () => {
  let server: Server;
  let baseUrl: string;
  const asked: string[] = [];
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.url ?? "");
      answer(request, response);
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => asked.splice(0));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const user = { id: 1, login: "ann", login_name: "", full_name: "Ann" };
  const issue = (number: number, more: object = {}) => ({
    id: 100 + number,
    number,
    title: "Crawler loses cookies",
    body: "It happens after a redirect.",
    state: "open",
    user,
    labels: [],
    comments: 2,
    created_at: "2026-01-01T00:00:00Z",
    updated_at: "2026-02-03T04:05:06Z",
    html_url: `http://forge/ann/site/issues/${number}`,
    pull_request: null,
    ...more,
  });
  const comment = (id: number) => ({
    id,
    body: `Comment ${id}`,
    user,
    created_at: "2026-02-01T00:00:00Z",
    updated_at: "2026-02-02T00:00:00Z",
    html_url: `http://forge/ann/site/issues/12#issuecomment-${id}`,
  });
  const send = (response: ServerResponse, status: number, value: unknown, headers = {}) => {
    response.writeHead(status, { "content-type": "application/json;charset=utf-8", ...headers });
    response.end(JSON.stringify(value));
  };
  const forge = (more = {}) => forgeArtifacts({ baseUrl, repository: "ann/site", ...more });

  it("RC51 gives an issue with its state and all pages of its comments, with the token", async () => {
    const tokens = new Set<string | undefined>();
    answer = (request, response) => {
      tokens.add(request.headers.authorization);
      const url = new URL(request.url ?? "", baseUrl);
      if (url.pathname === "/api/v1/repos/ann/site/issues/12") return send(response, 200, issue(12));
      const page = Number(url.searchParams.get("page"));
      const count = page === 1 ? 50 : 3;
      const comments = Array.from({ length: count }, (_, at) => comment(page * 100 + at));
      send(response, 200, comments, { "x-total-count": "53" });
    };
    const found = await forge({ token: "secret" }).find(artifactQuery("What about #12?"), signal);
    expect([...tokens]).toEqual(["token secret"]);
    expect(found).toHaveLength(54);
    expect(found[0]).toMatchObject({ id: "issue 12", isNamed: true, author: "ann" });
    expect(found[0]?.text).toContain("#12 Crawler loses cookies (issue, open)");
  });

  it("RC52 says that a pull request is merged, decodes files, and searches where nothing is named", async () => {
    answer = (request, response) => {
      const url = new URL(request.url ?? "", baseUrl);
      if (url.pathname.endsWith("/issues/7"))
        return send(
          response,
          200,
          issue(7, { state: "closed", pull_request: { merged: true, draft: false } }),
        );
      if (url.pathname.endsWith("/contents/docs/a%20b.md") || url.pathname.endsWith("/contents/docs/plan.md"))
        return send(response, 200, {
          type: "file",
          path: "docs/plan.md",
          encoding: "base64",
          content: Buffer.from("Ship on Friday").toString("base64"),
          last_commit_sha: "a".repeat(40),
          html_url: "http://forge/ann/site/src/branch/main/docs/plan.md",
        });
      if (url.pathname.endsWith("/comments")) return send(response, 200, []);
      expect(url.searchParams.get("state")).toBe("all");
      send(response, 200, [issue(3)]);
    };
    const [pull] = await forge().find(artifactQuery("Was PR 7 merged?"), signal);
    expect(pull).toMatchObject({ id: "pull request 7" });
    expect(pull?.text).toContain("(pull request, merged)");
    const [file] = await forge().find(artifactQuery("What is in docs/plan.md?"), signal);
    expect(file).toMatchObject({
      text: "Ship on Friday",
      title: "docs/plan.md",
      id: "docs/plan.md@aaaaaaaaaaaa",
    });
    const [found] = await forge().find(artifactQuery("Why are cookies lost by the crawler?"), signal);
    expect(found?.id).toBe("issue 3");
    expect(asked.at(-1)).toContain("/api/v1/repos/ann/site/issues?state=all&q=");
  });

  it("RC53 is empty where nothing is, and unavailable when refused, limited, late, broken or gone", async () => {
    const query = artifactQuery("What about #12?");
    answer = (_, response) => send(response, 404, { message: "not found" });
    expect(await forge().find(query, signal)).toEqual([]);
    const fails = async (said: RegExp, more = {}) =>
      expect(forge(more).find(query, signal)).rejects.toMatchObject({
        code: "ARTIFACTS_UNAVAILABLE",
        message: expect.stringMatching(said),
      });
    answer = (_, response) => send(response, 401, { message: "token is required" });
    await fails(/token is not accepted/);
    answer = (_, response) => send(response, 429, {}, { "retry-after": "30" });
    await fails(/too many requests; try again after 30 s/);
    answer = (_, response) => send(response, 500, {});
    await fails(/answered 500/);
    answer = (_, response) => {
      response.writeHead(200);
      response.end("<html>");
    };
    await fails(/no JSON/);
    answer = () => undefined;
    await fails(/no answer within 50 ms/, { timeoutMs: 50 });
    await fails(/cannot be reached/, { baseUrl: "http://127.0.0.1:1" });
  });
});

describe("a repository", () => {
  const directory = mkdtempSync(join(tmpdir(), "pal-git-"));
  const git = (...args: string[]) =>
    execFileSync(
      "git",
      ["-C", directory, "-c", "user.name=Ann", "-c", "user.email=ann@example.org", ...args],
      {
        encoding: "utf8",
        env: {
          ...process.env,
          GIT_AUTHOR_DATE: "2026-03-04T05:06:07Z",
          GIT_COMMITTER_DATE: "2026-03-04T05:06:07Z",
        },
      },
    );
  beforeAll(() => {
    git("init", "-q", "-b", "main");
    writeFileSync(join(directory, "crawler.ts"), "export const depth = 3;\nexport const cookies = true;\n");
    git("add", ".");
    git("commit", "-q", "-m", "Keep cookies after a redirect\n\nFixes #12.");
    writeFileSync(join(directory, "notes.md"), "Osprey listens on port 7717.\n");
    git("add", ".");
    git("commit", "-q", "-m", "Notes about Osprey");
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const find = (question: string, more = {}) =>
    gitArtifacts({ directory, ...more }).find(artifactQuery(question), signal);

  it("RC54 finds files at a revision, who wrote a line, commits of an issue, and texts", async () => {
    const [file] = await find("What is in crawler.ts?");
    expect(file).toMatchObject({ title: "crawler.ts", author: "Ann", isNamed: true });
    expect(file?.text).toContain("depth = 3");
    expect(file?.updatedAt).toBe("2026-03-04T05:06:07.000Z");
    const [line] = await find("Who wrote crawler.ts:2?");
    expect(line?.text).toBe(
      'crawler.ts:2 is by Ann, "Keep cookies after a redirect": export const cookies = true;',
    );
    const [commit] = await find("Which commit fixed #12?");
    expect(commit?.text).toContain("Fixes #12.");
    expect(await find("Which commit fixed #1?")).toEqual([]);
    const hash = git("rev-parse", "HEAD").trim();
    expect((await find(`What did ${hash.slice(0, 9)} do?`))[0]?.title).toBe("Notes about Osprey");
    const texts = (await find("Which port does Osprey listen on?")).map(({ text }) => text);
    expect(texts.join("\n")).toContain("Osprey");
    expect(await find("What is in missing.ts?")).toEqual([]);
  });

  it("RC55 takes nothing of a question for an option, and is unavailable outside of a repository", async () => {
    for (const question of [
      "What is in --output=x/y.txt?",
      "grep -e -f/etc/passwd",
      "--all HEAD ; touch x.txt",
    ])
      await find(question);
    expect(git("status", "--porcelain")).toBe("");
    await expect(find("#1", { directory: tmpdir() })).rejects.toMatchObject({
      code: "ARTIFACTS_UNAVAILABLE",
    });
    await expect(find("#1", { directory: join(directory, "no") })).rejects.toMatchObject({
      code: "ARTIFACTS_UNAVAILABLE",
    });
    await expect(find("#1", { revision: "nowhere" })).rejects.toMatchObject({
      code: "ARTIFACTS_UNAVAILABLE",
    });
  });
});

describe("the layer", () => {
  const source = (
    found: Awaited<ReturnType<ArtifactSource["find"]>> | Error,
    count = { asked: 0 },
  ): ArtifactSource => ({
    name: "test",
    async find() {
      count.asked++;
      if (found instanceof Error) throw found;
      return found;
    },
  });
  const named = { id: "issue 12", title: "t", text: "#12 t (issue, open)", uri: "u", isNamed: true as const };

  it("RC56 one source that fails is unavailable unless another answers", async () => {
    const broken = source(new Error("down"));
    expect(await artifactLayer([broken]).ask("#12")).toMatchObject({ status: "unavailable", reason: "down" });
    expect(await artifactLayer([broken, source([])]).ask("#12")).toMatchObject({ status: "unavailable" });
    expect(await artifactLayer([broken, source([named])]).ask("#12")).toMatchObject({ status: "hit" });
    expect(await artifactLayer([source([])]).ask("#12")).toMatchObject({ status: "empty" });
  });

  it("RC57 an answer is kept for a while and then asked for again; a failure is not kept", async () => {
    const count = { asked: 0 };
    let now = 0;
    const cached = cachedArtifacts(source([named], count), { ttlMs: 100, clock: () => now });
    const query = artifactQuery("#12");
    await cached.find(query, signal);
    await cached.find(query, signal);
    expect(count.asked).toBe(1);
    now = 100;
    await cached.find(query, signal);
    expect(count.asked).toBe(2);
    const failing = { asked: 0 };
    const bad = cachedArtifacts(source(new Error("down"), failing));
    await expect(bad.find(query, signal)).rejects.toThrow("down");
    await expect(bad.find(query, signal)).rejects.toThrow("down");
    expect(failing.asked).toBe(2);
  });
});
