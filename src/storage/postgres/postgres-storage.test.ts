import { afterAll, beforeAll, describe, it } from "vitest";
import { startPostgres, type TestServer } from "../../../test/_postgres.mjs";
import { storageContract } from "../contract.js";
import { postgresStorage } from "./index.js";

let server: TestServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.remove());

let stores = 0;

describe("the contract, on PostgreSQL", () => {
  const cases = storageContract(async () => {
    const url = server.url(`contract-${stores++}`);
    return { open: async () => postgresStorage(url), cleanup: async () => undefined };
  });
  for (const { name, run } of cases) it(name, run);
});
