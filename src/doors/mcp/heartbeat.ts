import { join } from "node:path";
import { readPlainSync } from "../../session/index.js";
import type { Door } from "./door.js";

const MINUTES = 30;
const LARGEST_TASKS = 1 << 20;

/** Consolidates now and then while a server runs; of all servers of a store one does it. Returns the way to end it. */
export function startHeartbeat(
  door: Door,
  { env, cwd }: { readonly env: Readonly<Record<string, string | undefined>>; readonly cwd: string },
): () => void {
  const given = env.PAL_HEARTBEAT_MINUTES;
  const minutes = given === undefined || given === "" ? MINUTES : Number(given);
  if (!(minutes > 0)) return () => undefined;
  let busy = false;
  const beat = async (): Promise<void> => {
    if (busy) return;
    busy = true;
    try {
      const tasks = tasksIn(cwd);
      const { ran, report } = await door.session.heartbeat(tasks === undefined ? {} : { tasks });
      if (ran && report && report.proposals.length > 0)
        door.log(`heartbeat: ${report.proposals.length} proposals wait for review`);
    } catch (error) {
      door.log(`heartbeat: ${(error as Error).message}`);
    } finally {
      busy = false;
    }
  };
  const timer = setInterval(() => void beat(), minutes * 60_000).unref();
  return () => clearInterval(timer);
}

/** What HEARTBEAT.md of the working directory asks for; undefined where there is none. */
function tasksIn(cwd: string): string | undefined {
  try {
    return readPlainSync(join(cwd, "HEARTBEAT.md"), LARGEST_TASKS).toString();
  } catch {
    return undefined;
  }
}
