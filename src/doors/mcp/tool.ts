import type { McpServer, ServerContext, ToolAnnotations } from "@modelcontextprotocol/server";
import type { z } from "zod";
import type { Model } from "../../session/index.js";
import { visible } from "../cli/safe.js";
import type { Door } from "./door.js";
import { failed } from "./failures.js";
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
  readonly output: z.ZodType;
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
  const tell = (answer: Record<string, unknown>) => visible(spec.tell(answer as z.input<Out>));
  const config = {
    title,
    description,
    inputSchema: withoutDialect(input),
    outputSchema: withoutDialect(output, opened),
    annotations: ANNOTATIONS[kind],
  };
  return {
    ...{ name, output, tell },
    register(server, door) {
      const answer = async (args: unknown, ctx: ServerContext) => {
        try {
          const answered = await spec.run(door, args as z.output<In>, callOf(server, ctx));
          const structuredContent = shown(answered) as Record<string, unknown>;
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

/**
 * The protocol has a default dialect; naming it in every schema would cost each conversation some hundred tokens. Each is
 * made once, because over HTTP every request has a server of its own.
 */
function withoutDialect<T extends z.ZodType>(schema: T, also = (one: Schema): Schema => one): T {
  const standard = schema["~standard"];
  const { jsonSchema } = standard;
  const lean = (make: typeof jsonSchema.input): typeof make => {
    const made = new Map<string, Schema>();
    return (options) => {
      const known = made.get(options.target);
      if (known) return known;
      const { $schema: _, ...rest } = make(options);
      const short = also(rest);
      made.set(options.target, short);
      return short;
    };
  };
  const both = { input: lean(jsonSchema.input), output: lean(jsonSchema.output) };
  return { "~standard": { ...standard, jsonSchema: both } } as unknown as T;
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
