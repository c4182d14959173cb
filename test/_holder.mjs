// A process that takes the lease "work" as often as it can and commits under it, until it has done its rounds or kills
// itself at its n-th call of the storage, before it or after it. Its clock may be off.
// Arguments: file with the parts that no door shows, directory, name, rounds, killAt (0 = never), when, clock offset
import { writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const [internals, directory, name, rounds, killAt, when, offset] = process.argv.slice(2);
const { acquireLease, hashBytes, sqliteStorage } = await import(internals);
const realNow = Date.now;
Date.now = () => realNow() + Number(offset);
const real = sqliteStorage(directory);
const say = (row) => writeSync(1, `${JSON.stringify(row)}\n`);
let calls = 0;
const storage = new Proxy(real, {
  get(target, key) {
    const member = Reflect.get(target, key, target);
    if (typeof member !== "function") return member;
    return async (...args) => {
      const isLast = ++calls === Number(killAt);
      if (isLast && when === "before") process.kill(process.pid, "SIGKILL");
      const answer = await member.apply(target, args);
      if (isLast) process.kill(process.pid, "SIGKILL");
      return answer;
    };
  },
});
for (let round = 0; round < Number(rounds); ) {
  const lease = await acquireLease(storage, "work");
  if (!lease) continue;
  round++;
  const { fence, guard } = lease;
  say({ fence, guard });
  for (let n = 0; n < 4; n++) {
    const bytes = Buffer.from(JSON.stringify({ fence, n, name, round }));
    const put = [{ kind: "memory", hash: hashBytes("memory", bytes), bytes }];
    const { epoch } = await storage.version();
    await storage.transact({ put, refs: [], touch: [], ops: [], epoch, guard });
    await sleep(40);
  }
  await lease.release();
}
await storage.close();
