// Documents: reading a large Org file, reading it again, the Merkle hash after a change, beside git on the same text.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../dist/index.js";
import { heading, median, ms, report, temporary, timed, times } from "./_measure.mjs";

const WORDS = "memory agent garden report invoice harbour winter letter engine river copper lantern".split(
  " ",
);

/** About 500 bytes each: some with a keyword, a drawer, tasks and links. */
function section(at, edit = "") {
  const word = (n) => WORDS[(at * 7 + n * 5) % WORDS.length];
  const stars = "*".repeat(1 + (at % 4));
  const prose = Array.from({ length: 48 }, (_, n) => word(n)).join(" ");
  const drawer = at % 3 === 0 ? `:PROPERTIES:\n:ID: note-${at}\n:END:\n` : "";
  return `${stars} ${at % 5 === 0 ? "TODO " : ""}Note ${at} on the ${word(1)} :${word(2)}:\n${drawer}${prose} ${at}.${edit}\n- [ ] ask about ${word(3)}\n- see [[id:note-${at - (at % 3)}][the other]]\n\n`;
}
const orgOf = (count, edited = new Set()) =>
  `#+TITLE: Bench\n${Array.from({ length: count }, (_, at) => section(at, edited.has(at) ? " Edited today." : "")).join("")}`;

export async function run({ sizes }) {
  const count = Math.min(Math.max(...sizes), 10_000);
  const text = orgOf(count);
  heading(`An Org file of ${count.toLocaleString("en")} headlines (${(text.length / 1e6).toFixed(1)} MB)`);
  const place = temporary("documents");
  const file = join(place.directory, "notes.org");
  const store = await openStore(join(place.directory, "store"));
  const pal = store.session({ agent: "bench" });
  const isGoal = count === 10_000;
  writeFileSync(file, text);
  const first = await timed(() => pal.ingest(file));
  const commit = gitOnce(place.directory, count);
  line("ingest", first, 4000, isGoal);
  report("  git add && git commit, one file per headline", `${ms(commit.first)}`);
  report("  ingest / git", times(first.wall / commit.first));
  const same = await timed(() => pal.ingest(file));
  line("again, unchanged", same);
  const edited = new Set(Array.from({ length: 10 }, (_, n) => Math.floor((n * count) / 10)));
  writeFileSync(file, orgOf(count, edited));
  const again = await timed(() => pal.ingest(file));
  line(`again, ${again.value.modified} changed (warm process)`, again, 600, isGoal);
  report("  git add && git commit, 10 files changed", `${ms(commit.again)}`);
  report("  again / git", times(again.wall / commit.again));
  await store.close();
  const cold = await openStore(join(place.directory, "store"));
  writeFileSync(file, text);
  const fresh = await timed(() => cold.session({ agent: "bench" }).ingest(file));
  line(`again, ${fresh.value.modified} changed (fresh process's caches)`, fresh, 600, isGoal);
  await cold.close();
  place.remove();
  await merkle(Math.min(Math.max(...sizes), 100_000));
}

/** A tree 20 wide and 4 deep: its root's hash after one leaf has changed, in a process that has read it before. */
async function merkle(size) {
  heading(`A tree of ${size.toLocaleString("en")} nodes`);
  const place = temporary("merkle");
  const store = await openStore(place.directory);
  const pal = store.session({ agent: "bench" });
  const node = (at, contents) => ({
    type: "HEADLINE",
    properties: { ID: `n${at}`, TITLE: `Node ${at}` },
    contents,
  });
  const nodes = Array.from({ length: size }, (_, at) => node(at, []));
  for (let at = size - 1; at > 0; at--) nodes[Math.floor((at - 1) / 20)].contents.unshift(nodes[at]);
  line("ingest", await timed(() => pal.ingestAst(nodes[0])));
  line("Merkle root, first time", await timed(() => pal.get("n0")));
  const took = [];
  for (let round = 0; round < 20; round++) {
    await pal.update(`n${size - 1 - round * 37}`, { text: `Changed ${round}\n` });
    took.push((await timed(() => pal.get("n0", { scope: "shared" }))).wall);
  }
  const isGoal = size === 100_000;
  report(
    "Merkle root after one leaf changed",
    ms(median(took)),
    isGoal ? "≤ 5 ms" : "",
    isGoal ? median(took) <= 5 : undefined,
  );
  await store.close();
  place.remove();
}

const line = (what, { wall, cpu }, goal, isGoal) =>
  report(
    what,
    `${ms(wall)} (CPU ${ms(cpu)})`,
    isGoal ? `≤ ${goal / 1000} s` : "",
    isGoal ? wall <= goal : undefined,
  );

/** What git takes for the same text as files, once for all and once for ten changes. */
function gitOnce(directory, count) {
  const root = join(directory, "git");
  const git = (...args) =>
    execFileSync("git", ["-c", "user.name=bench", "-c", "user.email=b@example.org", ...args], {
      cwd: root,
      stdio: "ignore",
    });
  mkdirSync(root);
  git("init", "-q");
  const write = (at, edit) => {
    mkdirSync(join(root, String(at % 100)), { recursive: true });
    writeFileSync(join(root, String(at % 100), `${at}.org`), section(at, edit));
  };
  for (let at = 0; at < count; at++) write(at);
  const clock = () => performance.now();
  const commit = () => {
    const start = clock();
    git("add", "-A");
    git("commit", "-q", "-m", "bench");
    return clock() - start;
  };
  const first = commit();
  for (let n = 0; n < 10; n++) write(Math.floor((n * count) / 10), " Edited today.");
  return { first, again: commit() };
}
