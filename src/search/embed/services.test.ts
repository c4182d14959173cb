import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type Call, lettersOf, ollamaReply, openAiReply, type Reply, serve } from "./_service.js";
import { embedderContract } from "./contract.js";
import { HttpClient } from "./http.js";
import { loadEmbedder } from "./load.js";
import { addressOf, ollamaEmbedder } from "./ollama.js";
import { openAiEmbedder } from "./openai.js";

const open: { close(): Promise<void> | void }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});
async function service(answer: (call: Call) => Reply) {
  const served = await serve(answer);
  open.push(served);
  return served;
}

describe("the contract, with an OpenAI-compatible service", () => {
  const make = async () => {
    const { url, close } = await serve(openAiReply);
    return { embedder: await openAiEmbedder({ baseUrl: `${url}/v1`, model: "m" }), cleanup: close };
  };
  for (const { name, run } of embedderContract(make)) it(name, run);
});

describe.each([false, true])("the contract, with Ollama (old: %s)", (old) => {
  const make = async () => {
    const { url, close } = await serve(ollamaReply(old));
    return { embedder: await ollamaEmbedder({ host: url }), cleanup: close };
  };
  for (const { name, run } of embedderContract(make)) it(name, run);
});

describe("openai", () => {
  it("Y60 asks for all texts at once, with model and key, and puts the answers in order", async () => {
    const { url, calls } = await service(openAiReply);
    const embedder = await openAiEmbedder({
      baseUrl: `${url}/v1/`,
      model: "small",
      apiKey: "k",
      dimensions: 4,
    });
    expect(embedder).toMatchObject({ dimensions: 4, local: true });
    expect(embedder.id).toMatch(/^openai\/127\.0\.0\.1:\d+\/small\/4$/);
    const vectors = await embedder.embed(["aaa", "bbbb"], "document");
    expect(vectors).toEqual(["aaa", "bbbb"].map((text) => Float32Array.from(lettersOf(text).slice(0, 4))));
    const { path, headers, body } = calls.at(-1)!;
    expect(path).toBe("/v1/embeddings");
    expect(headers.authorization).toBe("Bearer k");
    expect(body).toEqual({ model: "small", input: ["aaa", "bbbb"], encoding_format: "float", dimensions: 4 });
    expect((await embedder.embed(Array<string>(130).fill("x"), "document")).length).toBe(130);
    expect(calls.slice(-3).map((call) => call.body.input.length)).toEqual([64, 64, 2]);
  });

  it.each<[string, Reply]>([
    ["a refusal", { status: 401, json: { error: { message: "bad key" } } }],
    ["no JSON", { text: "<html>" }],
    ["no vectors", { json: {} }],
    ["too few vectors", { json: { data: [] } }],
    ["a vector that is none", { json: { data: [{ index: 0, embedding: ["x"] }] } }],
    ["an empty vector", { json: { data: [{ index: 0, embedding: [] }] } }],
  ])("Y61 %s is EMBEDDER_UNAVAILABLE", async (_what, reply) => {
    const { url } = await service(() => reply);
    await expect(openAiEmbedder({ baseUrl: url })).rejects.toMatchObject({ code: "EMBEDDER_UNAVAILABLE" });
  });

  it("Y62 vectors of another size than before are refused, never mixed in", async () => {
    let size = 8;
    const { url } = await service(({ body }) => ({
      json: { data: body.input.map(() => ({ embedding: new Array(size).fill(1) })) },
    }));
    const embedder = await openAiEmbedder({ baseUrl: url });
    size = 9;
    await expect(embedder.embed(["x"], "query")).rejects.toThrow(/9 instead of 8/);
  });
});

describe("ollama", () => {
  it("Y63 has the model's digest in its id, and says before each text what it is for where the model wants it", async () => {
    const { url, calls } = await service(ollamaReply());
    const embedder = await ollamaEmbedder({ host: url });
    expect(embedder.id).toBe("ollama/nomic-embed-text@0a109f422b47/8/prefixed");
    await embedder.embed(["a", "b"], "document");
    expect(calls.at(-1)!.body).toEqual({
      model: "nomic-embed-text",
      input: ["search_document: a", "search_document: b"],
    });
    await embedder.embed(["a"], "query");
    expect(calls.at(-1)!.body.input).toEqual(["search_query: a"]);
    const plain = await ollamaEmbedder({ host: url, model: "other" });
    expect(plain.id).toBe("ollama/other@unknown/8");
    await plain.embed(["a"], "query");
    expect(calls.at(-1)!.body.input).toEqual(["a"]);
  });

  it("Y64 a model that is not there is EMBEDDER_UNAVAILABLE, with Ollama's own words", async () => {
    const { url } = await service(ollamaReply());
    await expect(ollamaEmbedder({ host: url, model: "absent" })).rejects.toThrow(/try pulling it first/);
  });

  it("Y65 takes a host as Ollama does: with or without scheme and port, default localhost:11434", () => {
    expect(addressOf(undefined)).toBe("http://localhost:11434/");
    expect(addressOf("  ")).toBe("http://localhost:11434/");
    expect(addressOf("box")).toBe("http://box:11434/");
    expect(addressOf("box:80")).toBe("http://box/");
    expect(addressOf("0.0.0.0:9000")).toBe("http://127.0.0.1:9000/");
    expect(addressOf("https://box.example")).toBe("https://box.example/");
    expect(addressOf("http://box:1234/base")).toBe("http://box:1234/base");
  });
});

describe("reaching a service", () => {
  it("Y66 nobody there, and nobody who answers in time, is EMBEDDER_UNAVAILABLE", async () => {
    const { url, close } = await serve(() => undefined);
    const client = new HttpClient(url, {}, { connectMs: 1000, readMs: 50 });
    await expect(client.json("x", {})).rejects.toMatchObject({
      code: "EMBEDDER_UNAVAILABLE",
      message: expect.stringContaining("no answer within 50 ms"),
    });
    await close();
    await expect(client.json("x", {})).rejects.toThrow(/cannot be reached: .*ECONNREFUSED/);
    expect(() => new HttpClient("not an address")).toThrow(/address/);
  });

  it("Y67 a service that takes no connection is given up after the connect limit, long before the read limit", async () => {
    // A TLS handshake with a server that never speaks: connected, but not ready.
    const silent = createServer((socket) => socket.resume().on("error", () => undefined));
    await new Promise<void>((listening) => silent.listen(0, "127.0.0.1", listening));
    const { port } = silent.address() as AddressInfo;
    const client = new HttpClient(`https://127.0.0.1:${port}`, {}, { connectMs: 50, readMs: 60_000 });
    await expect(client.json("x")).rejects.toThrow(/no connection within 50 ms/);
    await new Promise((closed) => silent.close(closed));
  });

  it("Y68 an answer that takes longer than connecting may is fine", async () => {
    const { url } = await service(() => ({ json: 1, waitMs: 1500 }));
    const client = new HttpClient(url, {}, { connectMs: 1000, readMs: 30_000 });
    expect(await client.json("x")).toBe(1);
  });

  it("Y69 only this machine is local", () => {
    for (const [address, isLocal] of [
      ["http://localhost:1", true],
      ["http://127.0.0.1", true],
      ["http://[::1]:9", true],
      ["https://api.openai.com/v1", false],
      ["http://localhost.evil.example", false],
      ["http://192.168.1.4", false],
    ] as const)
      expect(new HttpClient(address).isLocal).toBe(isLocal);
  });
});

describe("choosing", () => {
  it("Y70 none is no embedder, an own one is taken as it is, an unknown name is refused", async () => {
    expect(await loadEmbedder("none")).toBeUndefined();
    expect(await loadEmbedder({ use: "none" })).toBeUndefined();
    const own = { id: "own", dimensions: 1, maxTokens: 1, languages: [], local: true } as const;
    const embedder = { ...own, embed: async () => [], close: async () => undefined };
    expect(await loadEmbedder(embedder)).toBe(embedder);
    for (const name of ["gpt", "minilm:large"])
      await expect(loadEmbedder(name)).rejects.toMatchObject({ code: "INVALID_VALUE" });
  });

  it("Y71 $PAL_EMBEDDER chooses, with the model behind a colon; else it is minilm", async () => {
    const { url } = await service(ollamaReply());
    const before = { ...process.env };
    try {
      Object.assign(process.env, { PAL_EMBEDDER: "ollama:all-minilm:33m", OLLAMA_HOST: url });
      expect((await loadEmbedder())!.id).toBe("ollama/all-minilm:33m@unknown/8");
      delete process.env.PAL_EMBEDDER;
      const usual = (await loadEmbedder())!;
      expect(usual).toMatchObject({ dimensions: 384, maxTokens: 256, languages: ["en"], local: true });
      await usual.close();
    } finally {
      process.env = before;
    }
  });
});
