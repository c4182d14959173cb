// Branches and time: names of states, merges, diffs, rollback, log, blame; beside git and isomorphic-git, which keep one
// file per memory.
import { execFileSync, spawnSync } from "node:child_process";
import fs, { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../dist/index.js";
import { fact } from "./_facts.mjs";
import { heading, median, ms, report, temporary, timed } from "./_measure.mjs";

const CHANGES = 100;
const PEERS_AT = 10_000;

export async function run({ sizes }) {
  const top = Math.min(Math.max(...sizes), 100_000);
  for (const size of sizes.filter((size) => size <= top))
    await ours(size, size === top, size === Math.min(PEERS_AT, top) ? await peers(size) : {});
  await longLog(Math.min(top, 10_000));
  memory(Math.min(top, 10_000));
}

/** The first call of a process loads and compiles its code: it is told beside the others and not among them. */
const apart = ([first, ...rest]) => ({ first, usual: median(rest) });

const several = async (work, rounds = 10) => {
  const walls = [];
  for (let round = 0; round < rounds; round++) walls.push((await timed(() => work(round))).wall);
  return apart(walls);
};

async function ours(size, isGoal, others) {
  heading(`Branches of ${size.toLocaleString("en")} memories, ${CHANGES} changes`);
  const place = temporary("branches");
  const store = await openStore(place.directory);
  const main = store.session({ agent: "bench", trust: "operator", branch: "main" });
  await main.rememberMany(Array.from({ length: size }, (_, n) => ({ ...fact(n), id: `m${n}` })));
  const line = (what, { first, usual: value }, goal, peer) => {
    const beside = Object.entries(others)
      .filter(([, found]) => peer && found[peer] !== undefined)
      .map(([name, found]) => `${name} ${ms(found[peer])} (${(found[peer] / value).toFixed(0)}×)`);
    report(
      what,
      `${ms(value)} (the first ${ms(first)})`,
      [isGoal ? `≤ ${goal} ms` : "", ...beside].join("  "),
      isGoal ? value <= goal : undefined,
    );
  };
  line("create a branch", await several((n) => main.createBranch(`b${n}`)), 5, "branch");
  line("snapshot", await several(() => main.snapshot()), 5, "tag");
  line(
    "checkout and the first read",
    await several(async (n) => {
      await main.checkout(n % 2 ? "main" : "b0");
      await main.get("m1");
    }, 10),
    5,
    "checkout",
  );
  await main.checkout("main");

  const change = async (session, from, text) =>
    session.transaction(async (tx) => {
      for (let n = 0; n < CHANGES; n++) await tx.update(`m${(from + n * 31) % size}`, `${text} ${n}`);
    });
  const merges = [];
  const diffs = [];
  const rollbacks = [];
  for (let round = 0; round < 6; round++) {
    const name = `work${round}`;
    await main.createBranch(name);
    await change(
      store.session({ agent: "bench", trust: "operator", branch: name }),
      round,
      `work ${round} changed`,
    );
    await change(main, round + 7, `main ${round} changed`);
    diffs.push((await timed(() => main.diff("main", name))).wall);
    merges.push((await timed(() => main.merge(name))).wall);
    rollbacks.push((await timed(() => main.rollback(0))).wall);
  }
  line(`diff of ${2 * CHANGES} changes`, apart(diffs), 50, "diff");
  line(`merge of ${CHANGES} + ${CHANGES} changes`, apart(merges), 50, "merge");
  line(`rollback of ${CHANGES} changes`, apart(rollbacks), 50, "restore");
  for (let n = 0; n < 20; n++) await main.update("m5", `version ${n}`);
  line("blame of a memory with 20 versions", await several(() => main.blame("m5")), 20, "blame");
  await store.close();
  place.remove();
}

/** The log of many commits, in a process that has just opened the store. */
async function longLog(commits) {
  heading(`Log of ${commits.toLocaleString("en")} commits`);
  const place = temporary("log");
  const store = await openStore(place.directory);
  const pal = store.session({ agent: "bench" });
  await Promise.all(Array.from({ length: commits }, (_, n) => pal.remember(fact(n))));
  await store.close();
  const again = await openStore(place.directory);
  const session = again.session({ agent: "bench" });
  const walls = [];
  for (let round = 0; round < 4; round++) {
    const { wall, value } = await timed(() => session.log({ limit: commits }));
    if (value.length !== commits) throw new Error(`the log has ${value.length} commits`);
    walls.push(wall);
  }
  const { first, usual } = apart(walls);
  const isGoal = commits === 10_000;
  report(
    "log",
    `${ms(usual)} (the first ${ms(first)})`,
    isGoal ? "≤ 300 ms" : "",
    isGoal ? usual <= 300 : undefined,
  );
  await again.close();
  place.remove();
}

/** Memories and 20 snapshots of different states: what a process that works with them holds, and what one that wrote them all does. */
function memory(size) {
  heading(`${size.toLocaleString("en")} memories with 20 snapshots`);
  const place = temporary("memory");
  const bare = residentAfter("");
  const written = residentAfter(
    opened(
      place.directory,
      `for (let round = 0; round < 20; round++) {
         const facts = Array.from({ length: ${size / 20} }, (_, n) => fact(round * ${size / 20} + n));
         await pal.rememberMany(facts, { snapshot: false });
         await pal.snapshot();
       }`,
    ),
  );
  const held = residentAfter(
    opened(
      place.directory,
      `await pal.search("project 5 release");
       await pal.remember("The lighthouse was painted white.");
       await pal.snapshots();
       await pal.rollback(0);
       await pal.list({ limit: 100 });`,
    ),
  );
  report(
    "resident, a process that searches, writes and rolls back",
    `${held.toFixed(0)} MB (bare Node ${bare.toFixed(0)})`,
    "≤ 100 MB",
    held <= 100,
  );
  report("resident, the process that has just written them all", `${written.toFixed(0)} MB`);
  place.remove();
}

const opened = (directory, work) => `
  const { openStore } = await import(${JSON.stringify(new URL("../dist/index.js", import.meta.url).href)});
  const { fact } = await import(${JSON.stringify(new URL("./_facts.mjs", import.meta.url).href)});
  const store = await openStore(${JSON.stringify(directory)});
  const pal = store.session({ agent: "bench" });
  ${work}
  await store.settle();
  globalThis.closing = () => store.close();`;

function residentAfter(work) {
  const code = `${work}\nconsole.log(process.memoryUsage.rss() / 1e6); await globalThis.closing?.();`;
  const { stdout, stderr, status } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return Number(stdout);
}

async function peers(size) {
  return { git: gitAt(size), "isomorphic-git": await isomorphicAt(size) };
}

const fileOf = (n) => join(String(n % 100).padStart(2, "0"), `m${n}.txt`);

function files(directory, size) {
  for (let n = 0; n < 100; n++) mkdirSync(join(directory, String(n).padStart(2, "0")), { recursive: true });
  for (let n = 0; n < size; n++) writeFileSync(join(directory, fileOf(n)), `${fact(n).text}\n`);
}

const rewrite = (directory, from, text, size) => {
  for (let n = 0; n < CHANGES; n++)
    writeFileSync(join(directory, fileOf((from + n * 31) % size)), `${text} ${n}\n`);
};

function gitAt(size) {
  const place = temporary("git");
  const git = (...args) =>
    execFileSync("git", ["-C", place.directory, "-c", "user.name=b", "-c", "user.email=b@b", ...args], {
      stdio: "pipe",
    });
  const wall = (work) => {
    const start = performance.now();
    work();
    return performance.now() - start;
  };
  git("init", "-q", "-b", "main");
  files(place.directory, size);
  git("add", ".");
  git("commit", "-qm", "base");
  const found = {
    branch: wall(() => git("branch", "x")),
    tag: wall(() => git("tag", "t")),
    checkout: wall(() => git("checkout", "-q", "x")),
  };
  rewrite(place.directory, 1, "work changed", size);
  git("commit", "-qam", "work");
  git("checkout", "-q", "main");
  rewrite(place.directory, 8, "main changed", size);
  git("commit", "-qam", "main");
  found.diff = wall(() => git("diff", "main", "x"));
  found.merge = wall(() => git("merge", "-q", "-m", "m", "-X", "ours", "x"));
  found.restore = wall(() => {
    git("checkout", "-q", "t", "--", ".");
    git("commit", "-qam", "back");
  });
  for (let n = 0; n < 20; n++) {
    writeFileSync(join(place.directory, fileOf(5)), `version ${n}\n`);
    git("commit", "-qam", `v${n}`);
  }
  found.blame = wall(() => git("blame", fileOf(5)));
  place.remove();
  return found;
}

async function isomorphicAt(size) {
  const { default: git } = await import("isomorphic-git");
  const place = temporary("isogit");
  const base = { fs, dir: place.directory };
  const author = { name: "b", email: "b@b" };
  await git.init({ ...base, defaultBranch: "main" });
  files(place.directory, size);
  await git.add({ ...base, filepath: "." });
  const first = await git.commit({ ...base, message: "base", author });
  const wall = async (work) => (await timed(work)).wall;
  const found = {
    branch: await wall(() => git.branch({ ...base, ref: "x" })),
    tag: await wall(() => git.tag({ ...base, ref: "t" })),
    checkout: await wall(() => git.checkout({ ...base, ref: "x" })),
  };
  const commitChanges = async (from, text) => {
    rewrite(place.directory, from, text, size);
    for (let n = 0; n < CHANGES; n++) await git.add({ ...base, filepath: fileOf((from + n * 31) % size) });
    return git.commit({ ...base, message: text, author });
  };
  const theirs = await commitChanges(1, "work changed");
  await git.checkout({ ...base, ref: "main" });
  await commitChanges(7 + 1 + CHANGES * 31, "main changed");
  found.diff = await wall(() =>
    git.walk({
      ...base,
      trees: [git.TREE({ ref: first }), git.TREE({ ref: theirs })],
      map: async (path, [a, b]) => {
        const [x, y] = [await a?.oid(), await b?.oid()];
        if (x === y) return null;
        return (await a?.type()) === "tree" ? undefined : path;
      },
    }),
  );
  found.merge = await wall(() =>
    git.merge({ ...base, ours: "main", theirs: "x", author, abortOnConflict: false }),
  ).catch(() => undefined);
  place.remove();
  return found;
}
