import type { Diagnosis, StorageProblem } from "../port.js";
import type { Run } from "./server.js";

const LOOK = {
  name: "diagnose",
  text: `SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync,
    current_setting('full_page_writes') AS pages, pg_is_in_recovery() AS standby,
    current_setting('default_transaction_read_only') AS readonly`,
};

interface Settings {
  readonly version: string;
  readonly fsync: string;
  readonly pages: string;
  readonly standby: boolean;
  readonly readonly: string;
}

/** What the server says of itself. */
export async function diagnose(run: Run): Promise<Diagnosis> {
  const { rows } = await run<Settings>(LOOK, []);
  const { version, fsync, pages, standby, readonly } = rows[0]!;
  const problems: StorageProblem[] = [];
  const add = (problem: string, severity: StorageProblem["severity"], object: string) =>
    problems.push({ problem, severity, object });
  if (standby || readonly === "on")
    add("server-read-only", "error", standby ? "a standby server" : "default_transaction_read_only is on");
  for (const [name, value] of Object.entries({ fsync, full_page_writes: pages }))
    if (value === "off") add("server-not-durable", "warning", `${name} is off`);
  return { engine: `PostgreSQL ${version} (pg)`, problems };
}
