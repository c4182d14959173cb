import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { canonicalRecord } from "../src/core/ledger/index.js";
import { CATALOG } from "../src/doors/cli/catalog.js";
import type { Command } from "../src/doors/cli/command.js";
import { flagsOf, valuesOf } from "../src/doors/cli/flags.js";
import { withSession } from "../src/doors/cli/open.js";
import { argument } from "../src/doors/mcp/fields.js";
import { PalimpsestError } from "../src/index.js";
import { type Bound, read, requireEntry, THEN, text, type Verb, write } from "../src/repo/index.js";
import { type Session, VERBS } from "../src/session/index.js";
import { Shell } from "./_cli.js";
import { testStore } from "./_worlds.js";

/** The verb of CONTRIBUTING. */
const pin = write(
  "pin",
  { under: text.as("the category it is pinned under; pinned unless given", "name") },
  () => import("../src/memories/index.js"),
  async ({ admit }, job, { under = "pinned" }, id: string) => {
    const entry = await requireEntry(job, id, undefined);
    return admit(job, canonicalRecord({ ...entry.record, category: under }), "modify", entry, false);
  },
);

const pinned = read(
  THEN,
  () => import("../src/memories/verbs/list.js"),
  async ({ list }, at, _options, under: string) =>
    (await list(at, { category: under })).map(({ text: said }) => said),
);

const added = { pin, pinned };
/** A session that is opened from now on has them: the table of verbs is all that makes its methods. */
const withAdded = (session: Session) => session as Session & Bound<typeof added>;

/** The command of the verb. */
const command: Command = {
  name: "pin",
  summary: "pin a memory",
  args: [{ name: "<id>", description: "which" }],
  options: flagsOf(pin.options, "under", "message", "dryRun"),
  async run(call) {
    const values = valuesOf(call.options, pin.options, "under", "message", "dryRun");
    const verdict = await withSession(call, "existing", (session) =>
      withAdded(session).pin(call.args[0] ?? "", values),
    );
    await call.out.answer(verdict, () => []);
    return 0;
  },
};

const verbs = VERBS as Record<string, Verb>;
const catalog = CATALOG as Record<string, () => Promise<{ command: Command }>>;
beforeAll(() => {
  Object.assign(verbs, added);
  catalog.pin = async () => ({ command });
});
afterAll(() => {
  for (const name of Object.keys(added)) delete verbs[name];
  delete catalog.pin;
});

describe("a verb that is added", () => {
  it("U792 is a method of every session, writes under its own name, and reads the past", async () => {
    const { store } = await testStore();
    const pal = withAdded(store.session({ agent: "ann" }));
    await pal.remember({ id: "tea", text: "Tea is in the kitchen" });
    const { commit: before = "" } = (await pal.log({ limit: 1 }))[0] ?? {};
    const verdict = await pal.pin("tea", { under: "wall", message: "Asked twice" });
    expect(verdict).toMatchObject({ verdict: "updated", id: "tea", version: 2 });
    expect(await pal.get("tea")).toMatchObject({ category: "wall" });
    expect((await pal.ops({ limit: 1 }))[0]).toMatchObject({ verb: "pin", author: { id: "ann" } });
    expect((await pal.log({ limit: 1 }))[0]).toMatchObject({ message: "Asked twice" });
    expect(await pal.pinned("wall")).toEqual(["Tea is in the kitchen"]);
    expect(await pal.pinned("wall", { at: before })).toEqual([]);
    await store.close();
  });

  it("U792 takes its own options and those of every write, and no others", async () => {
    const { store } = await testStore();
    const pal = withAdded(store.session({ agent: "ann" }));
    await pal.remember({ id: "tea", text: "Tea is in the kitchen" });
    const refused = (options: object) =>
      pal.pin("tea", options).then(
        () => undefined,
        (error: unknown) => error as PalimpsestError,
      );
    const unknown = await refused({ undr: "wall" });
    expect(unknown).toBeInstanceOf(PalimpsestError);
    expect(unknown).toMatchObject({
      code: "INVALID_FIELD",
      message: 'pin has no option "undr".',
      hint: "Its options are message, meta, dryRun, under.",
    });
    expect(await refused({ under: 4 })).toMatchObject({
      code: "INVALID_VALUE",
      message: 'The option "under" of pin must be text, not 4.',
    });
    expect(await pal.pin("tea", { dryRun: true })).toMatchObject({ verdict: "updated" });
    expect((await pal.get("tea"))?.category).toBeUndefined();
    await store.close();
  });

  it("U792 gives its flags to a command and its arguments to a tool", async () => {
    const shell = new Shell();
    await shell.pal("remember", "Tea is in the kitchen", "--id", "tea");
    expect((await shell.pal("pin", "--help")).out).toMatch(
      /--under <name> +the category it is pinned under; pinned unless given/,
    );
    const ran = await shell.pal("pin", "tea", "--under", "wall", "--message", "Asked twice", "--json");
    expect(ran.json).toMatchObject({ verdict: "updated", version: 2 });
    expect((await shell.pal("get", "tea", "--json")).json).toMatchObject({ category: "wall" });
    expect((await shell.pal("ops", "-n", "1", "--json")).json[0]).toMatchObject({ verb: "pin" });
    shell.remove();
    const input = z.strictObject({ under: argument(pin.options.under, { max: 64 }) });
    expect(z.toJSONSchema(input).properties).toEqual({ under: { type: "string", maxLength: 64 } });
  });
});
