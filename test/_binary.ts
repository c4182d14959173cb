import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Ran } from "./_cli.js";

/** The built command, as users have it. */
export const main = fileURLToPath(new URL("../dist/doors/cli/main.js", import.meta.url));
export const hasScript = spawnSync("script", ["--version"]).status === 0;
export const COLUMNS = 80;

export interface Place {
  readonly cwd: string;
  readonly store: string;
}

export const env = ({ cwd, store }: Place): NodeJS.ProcessEnv => ({
  ...{ PATH: process.env.PATH, HOME: cwd, PAL_HOME: store, PAL_AGENT: "ann", PAL_EMBEDDER: "none" },
  PAL_JUDGE: "none",
  ...{ TERM: "xterm", LANG: "C.UTF-8" },
});

export const quoted = (words: readonly string[]): string =>
  words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");

export const inPipe = (place: Place, args: readonly string[]): Promise<Ran> =>
  ended(process.execPath, [main, ...args], place);

/** In a pseudo-terminal; stdout and stderr come together, as a person sees them. */
export async function inTerminal(place: Place, args: readonly string[]): Promise<Ran> {
  const line = `stty cols ${COLUMNS} rows 24; exec ${quoted([process.execPath, main, ...args])}`;
  const { code, out } = await ended("script", ["-qec", line, "/dev/null"], place);
  return new Ran(code, out.replaceAll("\r\n", "\n"), "");
}

function ended(command: string, args: readonly string[], place: Place): Promise<Ran> {
  const child = spawn(command, args, { env: env(place), cwd: place.cwd, stdio: ["ignore", "pipe", "pipe"] });
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    out += part;
  });
  child.stderr.setEncoding("utf8").on("data", (part: string) => {
    err += part;
  });
  // `script` stops itself when somebody stops what runs in it, and is not woken up together with that.
  const waking = setInterval(() => child.kill("SIGCONT"), 1_000);
  return new Promise((resolve) =>
    child.on("close", (code) => {
      clearInterval(waking);
      resolve(new Ran(code ?? -1, out, err));
    }),
  );
}
