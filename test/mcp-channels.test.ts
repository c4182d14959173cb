import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { toolsOf } from "../src/doors/mcp/catalog.js";
import { type Answer, connect, type Place, place } from "./_mcp.js";

const tools = await toolsOf("full");
type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Held = { [key: string]: Json };
interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

/** Answers of every form a schema allows: each optional part alone and left out, each word of a list, yes and no. */
function* answersOf(schema: Schema): Generator<Held> {
  const { properties = {}, required = [] } = schema;
  const optional = Object.keys(properties).filter((key) => !required.includes(key));
  const choices: string[][] = [
    optional,
    [],
    ...optional.flatMap((one) => [[one], optional.filter((key) => key !== one)]),
  ];
  for (const chosen of choices)
    for (const turn of [0, 1, 2, 3, 4]) {
      const held = Object.entries(properties).filter(
        ([key]) => required.includes(key) || chosen.includes(key),
      );
      yield Object.fromEntries(held.map(([key, of]) => [key, sampleOf(of, `${key} said`, turn)]));
      // Where nothing was found, something else is said.
      const bare = held.map(([key, of]) => [
        key,
        of.type === "array" ? [] : sampleOf(of, `${key} said`, turn),
      ]);
      yield Object.fromEntries(bare) as Held;
    }
}

function sampleOf(schema: Schema, name: string, turn: number): Json {
  const { type, enum: words, properties, items } = schema;
  if (words) return words[turn % words.length] as string;
  if (properties)
    return Object.fromEntries(
      Object.entries(properties).map(([key, of]) => [key, sampleOf(of, `${name} ${key}`, turn)]),
    );
  if (type === "array") return [sampleOf(items ?? {}, name, turn)];
  if (type === "boolean") return turn % 2 === 0;
  if (type === "number") return 7 + turn;
  return `2026-01-0${(turn % 9) + 1}T01:02:03Z ${name}`;
}

/** Every single value in an answer, as a path. */
const leavesOf = (value: Json, path: readonly (string | number)[] = []): (readonly (string | number)[])[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, one]) =>
        leavesOf(one, [...path, Array.isArray(value) ? Number(key) : key]),
      )
    : [path];

function changed(answer: Held, path: readonly (string | number)[]): Held {
  const copy = structuredClone(answer);
  let at: Record<string | number, Json> = copy;
  for (const key of path.slice(0, -1)) at = at[key] as Record<string | number, Json>;
  const key = path.at(-1) as string | number;
  const old = at[key];
  at[key] = typeof old === "string" ? `0${old}` : typeof old === "number" ? old + 1 : old !== true;
  return copy;
}

/** Which parts of its answers a tool tells in words, and which it keeps to itself. */
function toldBy(tool: (typeof tools)[number], answers: Iterable<Held>): Map<string, boolean> {
  const isTold = new Map<string, boolean>();
  for (const answer of answers) {
    const text = tool.tell(answer);
    for (const path of leavesOf(answer)) {
      const name = path.map((key) => (typeof key === "number" ? "[]" : key)).join(".");
      isTold.set(name, isTold.get(name) === true || tool.tell(changed(answer, path)) !== text);
    }
  }
  return isTold;
}

describe.each(tools.map((tool) => [tool.name, tool] as const))("%s", (_, tool) => {
  it("J810 says in words whatever its structure holds: no part of an answer can change unnoticed", () => {
    const isTold = toldBy(tool, answersOf(z.toJSONSchema(tool.output) as Schema));
    expect(isTold.size).toBeGreaterThan(0);
    expect([...isTold].filter(([, told]) => !told).map(([name]) => name)).toEqual([]);
  });
});

describe("J810 on the wire", () => {
  let at: Place;
  let client: Awaited<ReturnType<typeof connect>>;
  const answers = new Map<string, Answer[]>();
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const answer = await client.call(name, args);
    answers.set(name, [...(answers.get(name) ?? []), answer]);
    return answer;
  };
  beforeAll(async () => {
    at = place();
    const work = join(at.home, "site");
    mkdirSync(join(work, ".git"), { recursive: true });
    writeFileSync(join(work, ".git", "HEAD"), "ref: refs/heads/main\n");
    client = await connect(at, { args: ["--tools", "full", "--session", "s1"], cwd: work });
  });
  afterAll(async () => {
    await client.client.close();
    at.remove();
  });

  it("J810 the words of every tool are made of its structure alone, which holds quotations, places and refusals", async () => {
    const { id, commit } = (
      await call("memory_add", { text: "The staging port is 6543", topic: "staging-port", scope: "kitchen" })
    ).data;
    await call("memory_add", { text: "Deploys happen on Fridays", scope: "agent/other" });
    await call("memory_add", { subject: "Ann", predicate: "likes", object: "black coffee" });
    await call("memory_update", { id, text: "The staging port is 7654" });
    await call("memory_search", { query: "Which port has staging?" });
    await call("memory_search", { query: "Who painted the fence?" });
    await call("memory_recall", { question: "Which port has staging?" });
    await call("memory_recall", { question: "Which colour has the staging fence?" });
    await call("memory_wake_up");
    await call("memory_branch", { action: "create", name: "side", persona: "doubts everything" });
    await call("memory_branch", { action: "switch", name: "side" });
    await call("memory_update", { id, text: "The staging port is 1111" });
    await call("memory_branch", { action: "switch", name: "main" });
    await call("memory_update", { id, text: "The staging port is 2222" });
    await call("memory_branch", { action: "list" });
    await call("memory_diff", { from: "main", to: "side" });
    await call("memory_merge", { source: "side" });
    await call("memory_resolve");
    await call("memory_resolve", { id, field: "text", take: 1 });
    await call("memory_history", { id });
    await call("memory_history");
    await call("memory_consolidate");
    await call("memory_why", { said: "The staging port is 2222" });
    await call("semantic_search", { query: "port" });
    await call("memory_scratchpad", { action: "add", key: "build", value: "Takes 9 minutes", tool: "ci" });
    await call("memory_scratchpad", { action: "list" });
    await call("memory_promote", {
      ...{ key: "build", room: "projects", drawer: "ci", reason: "Planning needs it" },
      summary: "The build of the website takes nine minutes on average",
    });
    await call("memory_scratchpad", { action: "clear" });
    await call("process_conversation", { messages: [{ role: "user", content: "My sister is called Mia." }] });
    await call("memory_review");
    await call("memory_blame", { id });
    await call("memory_verify");
    await call("memory_prove", { id });
    await call("memory_rollback", { to: commit });
    await call("memory_forget", { id, reason: "no longer so" });
    expect([...answers.keys()].sort()).toEqual(tools.map(({ name }) => name).sort());
    for (const tool of tools)
      for (const { text, data, isError } of answers.get(tool.name) ?? []) {
        expect([tool.name, isError, text]).toEqual([tool.name, false, tool.tell(data)]);
        expect(text).not.toMatch(/undefined|\[object|NaN/);
      }
    const held = (name: string, at: number) => JSON.stringify(answers.get(name)?.[at]?.data);
    expect(held("memory_recall", 0)).toContain("The staging port is 7654");
    expect(held("memory_recall", 1)).toContain("I don't have this in my memory palace.");
    expect(held("memory_wake_up", 0)).toContain("The staging port is 7654");
    expect(held("memory_add", 0)).toContain('"category":"kitchen"');
    expect(held("memory_add", 1)).toContain("Leave scope out");
    expect(held("memory_promote", 0)).toContain('"place":"projects/ci"');
    expect(held("memory_merge", 0)).toContain('"into":"main"');
    expect(held("memory_update", 1)).toContain('"branch":"side"');
  });
});
