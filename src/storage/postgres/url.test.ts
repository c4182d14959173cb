import { describe, expect, it } from "vitest";
import { isPostgresUrl, parseAddress } from "./url.js";

describe("the address of a store", () => {
  it("PG1 a URL names the database and, with `store`, one of the stores in it; messages never show its password", () => {
    const plain = parseAddress("postgres://ann:s3cret@db.example:5433/team?store=notes&sslmode=verify-full");
    expect(plain.name).toBe("notes");
    expect(plain.location).toBe("postgres://ann@db.example:5433/team?sslmode=verify-full&store=notes");
    expect(plain.connectionString).toBe("postgres://ann:s3cret@db.example:5433/team?sslmode=verify-full");
    const secret = parseAddress("postgresql://db/team?password=s3cret&user=ann");
    expect([secret.name, secret.location.includes("s3cret")]).toEqual(["main", false]);
    expect(secret.store).not.toBe(plain.store);
    expect(parseAddress("postgres://other/db?store=notes").store).toBe(plain.store);
  });

  it.each([
    "postgres://[x",
    "mysql://db/team",
    "postgres://db/team?store=a/b",
    "postgres://db/team?connections=1",
    "postgres://db/team?connections=many",
  ])("PG1 %s is refused", (url) => {
    expect(() => parseAddress(url)).toThrow();
  });

  it("PG1 what begins with postgres:// or postgresql:// is a URL, everything else a directory", () => {
    expect(["postgres://x", "PostgreSQL://x", "./postgres", "postgres:/x"].map(isPostgresUrl)).toEqual([
      ...[true, true],
      ...[false, false],
    ]);
  });
});
