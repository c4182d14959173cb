import { isDeepYaml } from "../core/base/index.js";
import { type Match, matchTexts } from "./mirror.js";

/** A documented way to do something: a Markdown file, or a folder with a `SKILL.md`. */
export interface Playbook {
  readonly name: string;
  readonly title: string;
  /** When to use it, as it says itself; else its first paragraph. */
  readonly description: string;
  readonly text: string;
  /** Relative to the folder of playbooks, with slashes. */
  readonly path: string;
}

export interface PlaybookHit extends Playbook, Omit<Match, "at"> {}

/** Reads one file. Front matter may give `name` and `description`, as skills do. */
export async function readPlaybook(path: string, source: string): Promise<Playbook> {
  const text = source.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
  const [whole = "", yaml] = /^---\n([\s\S]*?)\n---(?:\n|$)/.exec(text) ?? [];
  const front = yaml === undefined ? {} : await frontMatter(yaml);
  const body = text.slice(whole.length).trim();
  const heading = /^#{1,6}[ \t]+(.+)$/m.exec(body)?.[1]?.replace(/(?<![ \t#])[ \t#]+$/, "") || undefined;
  const name = front.name ?? nameFrom(path);
  return {
    name,
    title: heading ?? name,
    description: front.description ?? firstParagraph(body),
    text: body,
    path,
  };
}

/** The playbooks that fit a task, best first. What one says it is for weighs more than what is in it. */
export function matchPlaybooks(playbooks: readonly Playbook[], task: string, limit: number): PlaybookHit[] {
  const texts = playbooks.map(({ name, title, description, text }) => ({
    title: `${name.replace(/[_-]+/g, " ")} ${title} ${description}`,
    text,
  }));
  return matchTexts(texts, task, limit).map(({ at, ...match }) => ({
    ...(playbooks[at] as Playbook),
    ...match,
  }));
}

async function frontMatter(yaml: string): Promise<{ name?: string; description?: string }> {
  if (isDeepYaml(yaml)) return {};
  const { parse } = await import("yaml");
  let parsed: unknown;
  try {
    parsed = parse(yaml, { logLevel: "silent", maxAliasCount: 0 });
  } catch {
    // A procedure with a slip in its head is still a procedure.
    return {};
  }
  const { name, description } = (typeof parsed === "object" && parsed !== null ? parsed : {}) as Record<
    string,
    unknown
  >;
  return {
    ...(typeof name === "string" && name.trim() !== "" && { name: name.trim() }),
    ...(typeof description === "string" && description.trim() !== "" && { description: description.trim() }),
  };
}

const nameFrom = (path: string): string =>
  path
    .replace(/(?:^|\/)SKILL\.md$/i, "")
    .replace(/\.(?:md|markdown)$/i, "")
    .split("/")
    .at(-1) || "skill";

function firstParagraph(body: string): string {
  const paragraph = body.split(/\n\s*\n/).find((part) => part.trim() !== "" && !part.trim().startsWith("#"));
  return (paragraph ?? "").replace(/\s+/g, " ").trim().slice(0, 300).toWellFormed();
}
