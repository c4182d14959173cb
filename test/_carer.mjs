// A process that collects garbage in a store, or makes it smaller, and kills itself at its n-th call of the storage:
// before it, while it is under way, or after it but before anybody was told. Prints how many calls there were.
// Arguments: directory, verb ("gc" | "compact"), killAt (0 = never), when ("before" | "during" | "after")
import { openStore, sqliteStorage } from "../dist/index.js";

const [directory, verb, killAt, when] = process.argv.slice(2);
let calls = 0;
const die = () => process.kill(process.pid, "SIGKILL");

/** Also what is handed on inside an exclusive section is a step. */
const step = (run) =>
  async function counted(...args) {
    const isLast = ++calls === Number(killAt);
    if (isLast && when === "before") die();
    if (isLast && when === "during") setImmediate(die);
    const given = args.map((arg) =>
      typeof arg === "function"
        ? (...inner) => arg(...inner.map((one) => (typeof one === "function" ? step(one) : one)))
        : arg,
    );
    const result = await run(...given);
    if (isLast) die();
    return result;
  };

const STEPS = "getMany transact exclusive remove setSide tend scrub size compact rebuild".split(" ");
const storage = new Proxy(sqliteStorage(directory), {
  get(target, name) {
    const member = Reflect.get(target, name, target);
    if (typeof member !== "function") return member;
    const bound = member.bind(target);
    return STEPS.includes(name) ? step(bound) : bound;
  },
});
const store = await openStore(storage);
const from = calls;
await store[verb](verb === "gc" ? { graceDays: 0 } : {});
process.stdout.write(`${JSON.stringify({ from, calls })}\n`);
await store.close();
