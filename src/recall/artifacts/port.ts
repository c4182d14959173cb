/** What a question names that a forge or a repository may hold. */
export interface ArtifactQuery {
  /** Numbers of issues and pull requests. */
  readonly issues: readonly number[];
  /** Names of files, with the line asked about. */
  readonly files: readonly { readonly path: string; readonly line?: number }[];
  /** Hashes of commits, or the beginnings of them. */
  readonly commits: readonly string[];
  /** Names of projects, and the other words that say something, the telling ones first. */
  readonly words: readonly string[];
}

/** Something that lies outside of memory: an issue, a comment, a commit, a file. Quoted, never stored. */
export interface Artifact {
  /** Unique within its source: `issue 12`, `src/a.ts@1a2b3c4`. */
  readonly id: string;
  readonly title: string;
  /** How it is and what it says, in plain text. */
  readonly text: string;
  readonly updatedAt?: string;
  readonly author?: string;
  readonly uri: string;
  /** The question asked for this very thing. */
  readonly isNamed?: true;
}

/** Where artifacts come from. What cannot be asked throws; what is not there is an empty list. */
export interface ArtifactSource {
  readonly name: string;
  find(query: ArtifactQuery, signal: AbortSignal): Promise<readonly Artifact[]>;
}

const ISSUE =
  /(?:\b(?:issues?|bugs?|tickets?|prs?|mrs?|pulls?|pull requests?|merge requests?)\s{0,2}(?:no\.?|number|nr\.?)?\s{0,2}#?|(?<![\w&/])#)(\d{1,7})\b/giu;
const FILE =
  /(?<![\w/.-])((?:[\w.@-]{1,80}\/){0,12}[\w.@-]{1,80}\.[A-Za-z][A-Za-z0-9]{0,7}|(?:[\w.@-]{1,80}\/){1,12}[\w.@-]{1,80}|Makefile|Dockerfile|README|LICENSE)(?::(\d{1,6})|,? line (\d{1,6}))?(?![\w/])/gu;
/** "line 2 of src/server.ts": written before the file it is in. */
const LINE_BEFORE =
  /\b(?:line|zeile|ligne|línea) (\d{1,6}) (?:of|in|von|de|du|dans|en)(?: the file| der datei)? $/iu;
const BEFORE = 40;
const COMMIT = /(?<![\w-])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])([0-9a-f]{7,40})(?![\w-])/gu;

type Named = Omit<ArtifactQuery, "words">;

/** So much of a question is read. */
export const glance = (question: string): string => question.slice(0, 2_000);

/** What a question names, as it is written. */
export function namedIn(question: string): Named {
  const text = glance(question);
  const numbers = [...text.matchAll(ISSUE)].map(([, number]) => Number(number));
  const files = [...text.matchAll(FILE)]
    .filter(([, path = ""]) => !path.split("/").includes("..") && !/^\d+(?:\.\d+)*$/.test(path))
    .map(({ index, 1: path = "", 2: behind, 3: said }) => {
      const line = behind ?? said ?? LINE_BEFORE.exec(text.slice(Math.max(0, index - BEFORE), index))?.[1];
      return { path, ...(line !== undefined && { line: Number(line) }) };
    });
  const commits = [...text.matchAll(COMMIT)].map(([, hash = ""]) => hash);
  return { issues: [...new Set(numbers)], files, commits };
}

/** Does the question name something that only such a source can have? */
export const isNamed = ({ issues, files, commits }: Named): boolean =>
  issues.length + files.length + commits.length > 0;
