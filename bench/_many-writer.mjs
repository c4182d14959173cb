// One writing process of bench/many.mjs: says "ready", waits for a line, writes its facts one at a time and says what
// was acknowledged and how long it waited. Arguments: store ("palimpsest" | "sqlite" | "postgres"), directory or URL,
// number, count
import { join } from "node:path";
import { fact } from "./_facts.mjs";

const [kind, directory, number, count] = process.argv.slice(2);
const OPEN = {
  async palimpsest() {
    const { openStore } = await import("../dist/index.js");
    const store = await openStore(directory);
    const pal = store.session({ agent: `writer-${number}` });
    await pal.get("nothing-yet");
    const write = async (item) => (await pal.remember(item)).verdict === "accepted";
    return { write, close: () => store.close() };
  },
  async sqlite() {
    const { DatabaseSync } =
      process.getBuiltinModule?.("node:sqlite") ?? (await import("@photostructure/sqlite"));
    const db = new DatabaseSync(join(directory, "raw.db"), { timeout: 30_000 });
    db.exec("PRAGMA synchronous=FULL");
    const insert = db.prepare("INSERT INTO facts (id, body) VALUES (?, ?)");
    let at = 0;
    const write = (item) => insert.run(`${number}-${at++}`, JSON.stringify(item)).changes === 1;
    return { write, close: () => db.close() };
  },
  async postgres() {
    const { default: pg } = await import("pg");
    const client = new pg.Client({ connectionString: directory });
    await client.connect();
    let at = 0;
    const text = "INSERT INTO facts (id, body) VALUES ($1, $2)";
    const write = async (item) => {
      const values = [`${number}-${at++}`, JSON.stringify(item)];
      return (await client.query({ name: "add", text, values })).rowCount === 1;
    };
    return { write, close: () => client.end() };
  },
};
const { write, close } = await OPEN[kind]();
process.stdout.write("ready\n");
await new Promise((resolve) => process.stdin.once("data", resolve));
const waits = [];
let acknowledged = 0;
for (let at = 0; at < Number(count); at++) {
  const asked = performance.now();
  if (await write(fact(Number(number) * 1_000_000 + at))) acknowledged++;
  waits.push(performance.now() - asked);
}
process.stdout.write(`${JSON.stringify({ acknowledged, waits })}\n`);
process.stdin.unref();
await close();
process.exit(0);
