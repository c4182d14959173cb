type Settings = Readonly<Record<string, string | number>>;
export interface TestServer {
  readonly home: string;
  readonly data: string;
  readonly pid: number;
  url(store?: string, options?: Record<string, string>): string;
  start(): Promise<void>;
  stop(signal?: NodeJS.Signals): Promise<void>;
  sql(
    text: string,
    options?: {
      readonly values?: readonly unknown[];
      readonly database?: string;
      readonly patience?: number;
    },
  ): Promise<Record<string, unknown>[]>;
  backends(): Promise<number[]>;
  remove(): Promise<void>;
}
export function startPostgres(options?: {
  readonly durable?: boolean;
  readonly settings?: Settings;
  readonly prepare?: (home: string, user: { readonly uid?: number; readonly gid?: number }) => Settings;
}): Promise<TestServer>;
