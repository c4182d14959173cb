// A store in PostgreSQL, beside raw inserts in the same server and beside the same store in a file. The server is real,
// local and waits for the disk; all contenders run in turn, so that what the machine does besides hits them alike.
import { execFileSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { openStore } from "../dist/index.js";
import { startPostgres } from "../test/_postgres.mjs";
import { fact, facts } from "./_facts.mjs";
import { heading, median, ms, report, temporary, timed, times } from "./_measure.mjs";
import { writers } from "./many.mjs";

const ONE = 50;
const TOGETHER = 32;
const ROUNDS = 5;
const NODES = 8;
const NODE_WRITES = 160;

export async function run({ sizes }) {
  const server = await startPostgres({ durable: true });
  const place = temporary("postgres");
  try {
    await server.sql("CREATE TABLE facts (seq bigserial PRIMARY KEY, id text UNIQUE, body text)");
    await writing(server, place);
    await nodes(server, place);
    await cold(server, place, Math.min(Math.max(...sizes), 100_000));
  } finally {
    await server.remove();
    place.remove();
  }
}

/** Per second; the raw insert is what the server can do at all. */
async function writing(server, place) {
  const stores = {
    PostgreSQL: await openStore(server.url("bench")),
    SQLite: await openStore(join(place.directory, "file")),
  };
  const pool = new pg.Pool({ host: server.home, user: "postgres", database: "postgres", max: 8 });
  let at = 0;
  const insert = () => {
    const values = [`raw-${at}`, JSON.stringify(fact(at++))];
    return pool.query({ name: "add", text: "INSERT INTO facts (id, body) VALUES ($1, $2)", values });
  };
  const contenders = { "raw inserts": insert };
  for (const [name, store] of Object.entries(stores)) {
    const pal = store.session({ agent: "bench" });
    contenders[name] = () => pal.remember(fact(at++));
  }
  for (const write of Object.values(contenders)) for (let warm = 0; warm < 20; warm++) await write();
  const oneByOne = (write) => async () => {
    for (let n = 0; n < ONE; n++) await write();
  };
  const together = (write) => async () => {
    const worker = async () => {
      for (let n = 0; n < 10; n++) await write();
    };
    await Promise.all(Array.from({ length: TOGETHER }, worker));
  };
  for (const [title, how, count] of [
    ["Durable writes, one at a time", oneByOne, ONE],
    [`Durable writes, ${TOGETHER} at once`, together, TOGETHER * 10],
  ]) {
    heading(title);
    const took = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
    for (let round = 0; round < ROUNDS; round++)
      for (const [name, write] of Object.entries(contenders)) took[name].push(await timed(how(write)));
    const per = (name, what) => median(took[name].map((each) => each[what])) / count;
    for (const name of Object.keys(contenders))
      report(
        `${name}: writes per second`,
        Math.round(1000 / per(name, "wall")),
        `${times(per(name, "wall") / per("raw inserts", "wall"))} of a raw insert; own CPU ${ms(per(name, "cpu"))}`,
      );
  }
  await pool.end();
  for (const store of Object.values(stores)) await store.close();
}

async function nodes(server, place) {
  heading(`${NODES} nodes on one store, ${NODE_WRITES} writes together, one at a time each`);
  const stores = { PostgreSQL: server.url("nodes"), SQLite: join(place.directory, "nodes") };
  const connection = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(server.home)}`;
  const raw = await writers("postgres", connection, NODES, NODE_WRITES);
  report("raw inserts: writes per second", Math.round((NODE_WRITES / raw.wall) * 1000));
  for (const [name, location] of Object.entries(stores)) {
    const store = await openStore(location);
    const pal = store.session({ agent: "reader" });
    await pal.remember("Before the others", { id: "before" });
    await store.settle();
    const { wall, waits } = await writers("palimpsest", location, NODES, NODE_WRITES);
    const isAll = (await pal.list()).length - 1 === NODE_WRITES && (await store.verify()).ok;
    waits.sort((a, b) => a - b);
    report(`${name}: writes per second`, Math.round((NODE_WRITES / wall) * 1000));
    report("  wait p99, worst", `${ms(waits[Math.floor(waits.length * 0.99)])}, ${ms(waits.at(-1))}`);
    report("  every acknowledged write is there", isAll ? "yes" : "no", "yes", isAll);
    await store.close();
  }
}

/** The first search of a new process, which has to have the view. */
async function cold(server, place, size) {
  heading(`The first search of a new node, ${size.toLocaleString("en")} memories`);
  const stores = { PostgreSQL: server.url("cold"), SQLite: join(place.directory, "cold") };
  const first = (location) =>
    JSON.parse(
      execFileSync(process.execPath, [join(import.meta.dirname, "_cold.mjs"), location], {
        encoding: "utf8",
      }),
    );
  for (const [name, location] of Object.entries(stores)) {
    const store = await openStore(location);
    const { wall } = await timed(() => store.session({ agent: "bench" }).rememberMany(facts(size)));
    report(`${name}: written in bulk`, ms(wall));
    await store.close();
    if (name === "PostgreSQL") await server.sql("DELETE FROM palimpsest.blobs");
    else
      for (const file of readdirSync(location).filter((each) => each.endsWith(".img")))
        rmSync(join(location, file));
    const built = first(location);
    report(`${name}: without an image`, `${ms(built.wall)} (CPU ${ms(built.cpu)})`);
    const loaded = first(location);
    report(`${name}: with an image`, `${ms(loaded.wall)} (CPU ${ms(loaded.cpu)})`);
    if (name === "PostgreSQL") {
      const [{ bytes }] = await server.sql(
        "SELECT sum(octet_length(bytes))::float8 AS bytes FROM palimpsest.blobs",
      );
      report("  size of the image", `${((bytes ?? 0) / 1e6).toFixed(1)} MB`);
    }
  }
}
