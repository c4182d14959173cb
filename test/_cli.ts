import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { Io } from "../src/doors/cli/io.js";
import { run } from "../src/doors/cli/run.js";

export class Ran {
  constructor(
    readonly code: number,
    readonly out: string,
    readonly err: string,
  ) {}

  /** stdout as the one JSON value it must be. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  get json(): any {
    return JSON.parse(this.out);
  }
}

export interface Setting {
  readonly stdin?: string | Uint8Array | Readable;
  readonly person?: boolean;
  readonly columns?: number;
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  readonly user?: string;
  readonly onInterrupt?: Io["onInterrupt"];
}

/** A place of its own on disk, and the command line run in this process on it. */
export class Shell {
  readonly home = mkdtempSync(join(tmpdir(), "pal-cli-"));
  readonly store = join(this.home, "store");
  readonly cwd = join(this.home, "work");
  readonly #setting: Setting;

  constructor(setting: Setting = {}) {
    mkdirSync(this.cwd);
    this.#setting = setting;
  }

  with(setting: Setting): (...args: string[]) => Promise<Ran> {
    return async (...args) => {
      const all = { ...this.#setting, ...setting };
      const out: string[] = [];
      const err: string[] = [];
      const { columns } = all;
      const io: Io = {
        stdin: {
          isTTY: all.person ?? false,
          open: () =>
            all.stdin instanceof Readable ? all.stdin : Readable.from([Buffer.from(all.stdin ?? "")]),
        },
        stdout: { isTTY: columns !== undefined, columns, write: async (text) => void out.push(text) },
        stderr: { isTTY: columns !== undefined, columns, write: async (text) => void err.push(text) },
        env: { PAL_HOME: this.store, ...all.env },
        cwd: all.cwd ?? this.cwd,
        user: () => all.user ?? "tester",
        onInterrupt: all.onInterrupt ?? (() => () => {}),
      };
      const code = await run(args, io);
      return new Ran(code, out.join(""), err.join(""));
    };
  }

  readonly pal = (...args: string[]): Promise<Ran> => this.with({})(...args);

  remove(): void {
    rmSync(this.home, { recursive: true, force: true });
  }
}
