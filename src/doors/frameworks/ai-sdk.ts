import type { LanguageModelMiddleware, Tool } from "ai";
import { z } from "zod";
import type { Message, Recall, Session } from "../../session/index.js";

type Transform = NonNullable<LanguageModelMiddleware["transformParams"]>;
type Prompt = Awaited<ReturnType<Transform>>["prompt"];

export interface MiddlewareOptions {
  /** At most about so many tokens of a wake-up; 300 unless given, 0 for none. */
  readonly wakeUp?: number;
  /** At most about so many tokens of what memory knows of the question; 300 unless given, 0 for none. */
  readonly recall?: number;
  /** Whether facts are looked for in what was said; true unless given. */
  readonly learn?: boolean;
  /** Told when memory failed; the model answers all the same. Unless given, the call fails. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Middleware for a model of the AI SDK: before it answers, it is shown who it is and what memory knows of the question; what
 * was said is then looked through for facts.
 */
export function memoryMiddleware(session: Session, options: MiddlewareOptions = {}): LanguageModelMiddleware {
  const { wakeUp = 300, recall = 300, learn: learns = true, onError } = options;
  const guarded = async <T>(run: () => Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await run();
    } catch (error) {
      if (!onError) throw error;
      onError(error);
      return otherwise;
    }
  };
  const known = async (prompt: Prompt): Promise<string> => {
    const blocks: string[] = [];
    if (wakeUp > 0) {
      const { text, loaded } = await session.wakeUp({ budget: wakeUp });
      // A memory that holds nothing yet has nothing to say.
      if (loaded.some(({ what, id }) => what !== "identity" || id !== undefined)) blocks.push(text);
    }
    const asked = lastAsked(prompt);
    if (recall > 0 && asked !== "") {
      const found = await session.recall(asked, { budget: recall });
      if (found.answered && (found.recall || found.plain) && found.block) blocks.push(found.block);
    }
    return blocks.join("\n\n");
  };
  const learn = async (prompt: Prompt, answer: string): Promise<void> => {
    const asked = lastAsked(prompt);
    // A step that only calls tools ends nothing; the step that answers is the one that is looked through.
    if (!learns || asked === "" || answer.trim() === "") return;
    const said: Message[] = [
      { role: "user", content: asked },
      { role: "assistant", content: answer },
    ];
    await guarded(async () => void (await session.processConversation(said)), undefined);
  };
  return {
    specificationVersion: "v3",
    transformParams: async ({ params }) => {
      const text = await guarded(() => known(params.prompt), "");
      if (text === "") return params;
      // After what the program says itself: instructions come before what is remembered.
      const from = params.prompt.findIndex(({ role }) => role !== "system");
      const at = from < 0 ? params.prompt.length : from;
      return {
        ...params,
        prompt: [
          ...params.prompt.slice(0, at),
          { role: "system", content: text },
          ...params.prompt.slice(at),
        ],
      };
    },
    wrapGenerate: async ({ doGenerate, params }) => {
      const result = await doGenerate();
      const answer = result.content.map((part) => (part.type === "text" ? part.text : "")).join("");
      await learn(params.prompt, answer);
      return result;
    },
    wrapStream: async ({ doStream, params }) => {
      const { stream, ...rest } = await doStream();
      let answer = "";
      type Part = typeof stream extends ReadableStream<infer P> ? P : never;
      const listening = new TransformStream<Part, Part>({
        transform(part, controller) {
          if (part.type === "text-delta") answer += part.delta;
          controller.enqueue(part);
        },
        flush: () => learn(params.prompt, answer),
      });
      return { stream: stream.pipeThrough(listening), ...rest };
    },
  };
}

function lastAsked(prompt: Prompt): string {
  const last = prompt.findLast(({ role }) => role === "user");
  if (last?.role !== "user") return "";
  return last.content
    .map((part) => (part.type === "text" ? part.text : ""))
    .join("\n")
    .trim();
}

const text = (meaning: string) => z.string().describe(meaning);
const RECALL = z.object({ question: text("What is to be answered from memory") });
const ADD = z.object({
  text: text("One fact, as a sentence that stands by itself"),
  topic: text("What it is about; a newer fact of the same topic takes its place").optional(),
});
const ID = z.object({ id: text("The id of a memory, as an answer named it") });

type Told = { readonly verdict: string; readonly id?: string; readonly reason?: string };

/** Tools for a model of the AI SDK. Erasing is none of them: that is for a person. */
export interface MemoryTools {
  readonly memory_recall: Tool<z.infer<typeof RECALL>, Pick<Recall, "answered" | "text">>;
  readonly memory_add: Tool<z.infer<typeof ADD>, Told>;
  readonly memory_forget: Tool<z.infer<typeof ID>, Told>;
  readonly memory_history: Tool<
    z.infer<typeof ID>,
    readonly { version: number; op: string; text?: string }[]
  >;
}

export function memoryTools(session: Session): MemoryTools {
  const told = (verdict: Told): Told => ({
    verdict: verdict.verdict,
    ...(verdict.id !== undefined && { id: verdict.id }),
    ...(verdict.reason !== undefined && { reason: verdict.reason }),
  });
  return {
    memory_recall: {
      description: "Answers a question with quotations from long-term memory, or says that it does not know.",
      inputSchema: RECALL,
      execute: async ({ question }) => {
        const { answered, text: said } = await session.recall(question);
        return { answered, text: said };
      },
    },
    memory_add: {
      description: "Keeps one lasting fact. The verdict says whether it was kept, and why not.",
      inputSchema: ADD,
      execute: async ({ text: said, topic }) =>
        told((await session.remember(said, topic === undefined ? {} : { topic })) as Told),
    },
    memory_forget: {
      description: "Takes a memory out of what is believed. Its history stays.",
      inputSchema: ID,
      execute: async ({ id }) => told((await session.forget(id)) as Told),
    },
    memory_history: {
      description: "All versions of a memory, oldest first.",
      inputSchema: ID,
      execute: async ({ id }) => {
        const versions = await session.history(id);
        return versions.map(({ version, op, text: said }) => ({
          ...{ version, op },
          ...(said !== undefined && { text: said }),
        }));
      },
    },
  };
}
