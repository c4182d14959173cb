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
