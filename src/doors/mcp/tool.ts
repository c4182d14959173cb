import type { CallToolResult, McpServer, ServerContext, ToolAnnotations } from "@modelcontextprotocol/server";
import type * as z from "zod";
import { type ErrorCode, type Model, PalimpsestError } from "../../session/index.js";
import { isOutOfFiles, OUT_OF_FILES } from "../cli/fail.js";
import { visible } from "../cli/safe.js";
import { type Seen, scopeMeant } from "../cli/scope-words.js";
import { type Aliases, Arguments } from "./arguments.js";
import type { Door } from "./door.js";
import { hostModel } from "./host-model.js";
import { shown } from "./telling.js";
export interface Call {
  /** Aborted when the client no longer wants the answer. */
  readonly signal: AbortSignal;
  progress(done: number, total?: number, message?: string): Promise<void>;
  /** The client's own language model, where it offers one and `$PAL_MODEL` asks for it. */
  readonly model?: Model;
}

export interface ToolSpec<In extends z.ZodType, Out extends z.ZodType> {
  readonly name: string;
  readonly title: string;
  /** Written for models: when to call it, and what it answers. A constant: no memory ever speaks here. */
  readonly description: string;
  readonly input: In;
  readonly output: Out;
  /** Names that models guess. */
  readonly aliases?: Aliases;
  /** Arguments that are right, shown where others were wrong. */
  readonly example: z.input<In>;
  /** Hosts that put tools away until somebody looks for them keep this one at hand. */
  readonly isAlwaysLoaded?: true;
  /** Whether it changes anything, and if so whether it takes something away and may be repeated without harm. */
  readonly kind: "read" | "add" | "change" | "repeatable";
  run(door: Door, args: z.output<In>, call: Call): Promise<z.input<Out>>;
  /**
   * The answer in words. Some hosts hand a model the structure alone, others the words alone: these are made of the structure
   * and nothing else, so that they cannot know more, and say all of it, so that they do not know less.
   */
  tell(answer: z.input<Out>): string;
}

export interface Tool {
  readonly name: string;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  readonly example: unknown;
  tell(answer: Record<string, unknown>): string;
  register(server: McpServer, door: Door): void;
}

const ANNOTATIONS: Readonly<Record<ToolSpec<z.ZodType, z.ZodType>["kind"], ToolAnnotations>> = {
  read: { readOnlyHint: true, openWorldHint: false },
  add: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  change: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  repeatable: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
};

/** Everything a tool says passes here: hidden characters are named, errors become results. */
export function tool<In extends z.ZodType, Out extends z.ZodType>(spec: ToolSpec<In, Out>): Tool {
  const { name, title, description, input, output, kind } = spec;
  const tell = ({ adjusted, ...answer }: Record<string, unknown>) =>
    [visible(spec.tell(answer as z.input<Out>)), ...((adjusted as readonly string[] | undefined) ?? [])].join(
      "\n",
    );
  let reading: Arguments<In> | undefined;
  const config = {
    title,
    description,
    inputSchema: advertised(input, listed),
    outputSchema: advertised(output, opened),
    annotations: ANNOTATIONS[kind],
    ...(spec.isAlwaysLoaded && { _meta: { "anthropic/alwaysLoad": true } }),
  };
  return {
    ...{ name, input, output, example: spec.example, tell },
    register(server, door) {
      const answer = async (args: unknown, ctx: ServerContext) => {
        try {
          reading ??= new Arguments(name, input, spec.aliases ?? {}, spec.example as Record<string, unknown>);
          const meant = reading.read(args);
          const answered = await spec.run(door, meant.args, callOf(server, ctx));
          const adjusted = meant.notes.length > 0 && { adjusted: meant.notes };
          const structuredContent = shown({ ...(answered as object), ...adjusted }) as Record<
            string,
            unknown
          >;
          return { content: [{ type: "text" as const, text: tell(structuredContent) }], structuredContent };
        } catch (error) {
          // Nobody waits for the answer any more, and stopping half-way is no mistake.
          if (ctx.mcpReq.signal.aborted)
            return { content: [{ type: "text" as const, text: "Cancelled." }], isError: true };
          return failed(error, door.log);
        }
      };
      server.registerTool(name, config, answer as never);
    },
  };
}

type Schema = Record<string, unknown>;

/** What an answer is made of, by name and kind; to describe every part of every list would cost each conversation tokens. */
const opened = ({ type, properties = {} }: Schema): Schema => ({
  type,
  properties: Object.fromEntries(
    Object.entries(properties as Record<string, Schema>).map(([name, of]) => [name, { type: of.type }]),
  ),
});

const BOUNDS = new Set([
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "maxItems",
  "exclusiveMinimum",
  "default",
]);

/** What is to be given. Bounds, and that nothing else is taken, are told to those who try, and cost everybody else tokens. */
function listed({ properties = {}, additionalProperties: _, ...rest }: Schema): Schema {
  const own = Object.entries(properties as Record<string, Schema>).filter(([, of]) => of.unlisted !== true);
  const lean = JSON.stringify({ ...rest, properties: Object.fromEntries(own) }, (key, value) =>
    BOUNDS.has(key) && typeof value !== "object" ? undefined : value,
  );
  return JSON.parse(lean) as Schema;
}

/**
 * A schema as it is listed. The protocol has a default dialect; naming it in every schema would cost each conversation some
 * hundred tokens. Each is made once, because over HTTP every request has a server of its own. Arguments are read by us and
 * not by the transport, whose errors say neither what is allowed nor what to do.
 */
function advertised<T extends z.ZodType>(schema: T, as: (one: Schema) => Schema): T {
  const standard = schema["~standard"];
  const { jsonSchema } = standard;
  const lean = (make: typeof jsonSchema.input): typeof make => {
    const made = new Map<string, Schema>();
    return (options) => {
      const known = made.get(options.target);
      if (known) return known;
      const { $schema: _, ...rest } = make(options);
      const short = as(rest);
      made.set(options.target, short);
      return short;
    };
  };
  const both = { input: lean(jsonSchema.input), output: lean(jsonSchema.output) };
  const validate = (value: unknown) => ({ value });
  return { "~standard": { ...standard, validate, jsonSchema: both } } as unknown as T;
}

function callOf(server: McpServer, ctx: ServerContext): Call {
  const { mcpReq } = ctx;
  const model = hostModel(server, ctx);
  const progressToken = mcpReq._meta?.progressToken;
  return {
    ...(model && { model }),
    signal: mcpReq.signal,
    async progress(progress, total, message) {
      if (progressToken === undefined) return;
      const params = {
        progressToken,
        progress,
        ...(total !== undefined && { total }),
        ...(message && { message }),
      };
      await mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
    },
  };
}

/** Where a memory lives, said in the documents' words; what is none of them is taken as it is. */
export const placeMeant = (word: string | undefined, sight: Seen): { readonly scope?: string } =>
  word === undefined ? {} : { scope: scopeMeant(word, sight, "agent").scope ?? word };

/** The table of errors speaks to people at a terminal; a model has tools instead of commands. */
const HINTS: Partial<Record<ErrorCode, string>> = {
  NOT_FOUND: "Find the id with memory_search; say it whole, or the topic.",
  AMBIGUOUS: "Give the whole id.",
  NO_BRANCH: 'List the branches with memory_branch (action "list").',
  NAME_TAKEN: "Choose another name; what is there was left as it is.",
  SESSION_REQUIRED: "Use lifetime permanent or temporary.",
  INVALID_FIELD: "Check the arguments against the description of the tool.",
  MAINLINE_REQUIRED: "A merge cannot be taken back this way; use memory_rollback.",
  STORE_BUSY: "Try again in a moment; nothing was lost.",
};

/** An error as the result of a call, so that the model reads what happened and what to do. */
function failed(error: unknown, log: (line: string) => void): CallToolResult {
  if (isOutOfFiles(error)) return told(`${OUT_OF_FILES.code}: ${OUT_OF_FILES.message} ${OUT_OF_FILES.hint}`);
  if (!(error instanceof PalimpsestError)) {
    log(`unexpected: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return told("UNEXPECTED: Something went wrong inside the server; nothing is known to be written.");
  }
  const { code, message, hint, data } = error;
  const { candidates, fate, isSaid } = (data ?? {}) as {
    candidates?: unknown;
    fate?: unknown;
    isSaid?: unknown;
  };
  const list = Array.isArray(candidates) ? ` Candidates: ${candidates.slice(0, 20).join(", ")}.` : "";
  return told(
    `${code}: ${message}${list} ${fate === undefined && isSaid === undefined ? (HINTS[code] ?? hint) : hint}`,
  );
}

const told = (text: string): CallToolResult => ({
  content: [{ type: "text", text: visible(text) }],
  isError: true,
});
