// A small client of an MCP server over its standard input and output.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

export async function startServer(script, env, args = []) {
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const waiting = new Map();
  let last = 0;
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { id, result, error } = JSON.parse(line);
    waiting.get(id)?.({ result, error });
    waiting.delete(id);
  });
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const request = (method, params) =>
    new Promise((resolve) => {
      const id = ++last;
      waiting.set(id, resolve);
      send({ id, method, params });
    });
  await request("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  });
  send({ method: "notifications/initialized" });
  return {
    pid: child.pid,
    request,
    call: (name, args) => request("tools/call", { name, arguments: args }),
    close: () =>
      new Promise((resolve) => {
        child.on("close", resolve);
        child.stdin.end();
        child.kill();
      }),
  };
}
