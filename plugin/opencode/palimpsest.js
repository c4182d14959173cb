// Long-term memory for OpenCode: what is known goes before a prompt, and what was said is kept when a session rests.
// `pal connect opencode --hooks` writes the two lines below; by hand, name the program by its absolute path.
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PAL = ["pal"];
const OPTIONS = ["--agent", "opencode"];
const LONGEST_MS = 10_000;

/** What `pal hook` says to an event; nothing where it fails, because a memory is no reason to stop somebody's work. */
const said = (event, input) =>
  new Promise((resolve) => {
    const [command, ...args] = [...PAL, "hook", event, ...OPTIONS];
    const child = spawn(command, args, { cwd: input.cwd, stdio: ["pipe", "pipe", "ignore"] });
    const late = setTimeout(() => child.kill(), LONGEST_MS);
    let out = "";
    child.stdout.setEncoding("utf8").on("data", (part) => {
      out += part;
    });
    child.on("error", () => resolve({}));
    child.on("close", () => {
      clearTimeout(late);
      try {
        resolve(JSON.parse(out));
      } catch {
        resolve({});
      }
    });
    child.stdin.on("error", () => undefined).end(JSON.stringify(input));
  });

export const Palimpsest = async ({ client, directory }) => {
  const begun = new Set();
  const contextFor = async (session_id, prompt) => {
    const input = { session_id, cwd: directory };
    const first = begun.has(session_id) ? {} : await said("session.start", input);
    begun.add(session_id);
    const { context = [] } = await said("chat.message", { ...input, prompt });
    return [...(first.context ?? []), ...context].join("\n");
  };
  /** The conversation as lines, as the hook reads those of other hosts. */
  const keep = async (session_id) => {
    const { data = [] } = await client.session.messages({ path: { id: session_id } });
    const lines = data.map(({ info, parts }) =>
      JSON.stringify({
        type: info.role,
        uuid: info.id,
        timestamp: new Date(info.time.created).toISOString(),
        message: {
          role: info.role,
          content: parts.flatMap(({ type, text, synthetic }) =>
            type === "text" && !synthetic ? [{ type, text }] : [],
          ),
        },
      }),
    );
    const folder = await mkdtemp(join(tmpdir(), "pal-opencode-"));
    try {
      const transcript_path = join(folder, "said.jsonl");
      await writeFile(transcript_path, lines.join("\n"), { mode: 0o600 });
      await said("stop", { session_id, cwd: directory, transcript_path });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
  return {
    "chat.message": async ({ sessionID }, { message, parts }) => {
      const prompt = parts.flatMap(({ type, text, synthetic }) =>
        type === "text" && !synthetic ? [text] : [],
      );
      const text = await contextFor(sessionID, prompt.join("\n"));
      if (text === "") return;
      const id = `prt_${Date.now().toString(16)}${Math.random().toString(16).slice(2, 14)}`;
      parts.push({ id, sessionID, messageID: message.id, type: "text", text, synthetic: true });
    },
    event: async ({ event }) => {
      if (event.type === "session.idle") await keep(event.properties.sessionID).catch(() => undefined);
    },
  };
};
