import { latePattern, MAIN } from "../core/base/index.js";
import { checkDrawable, type Drawable, grouped, type Track, tracksOf, unused } from "./tracks.js";

/**
 * The history as a Mermaid `gitGraph`. Mermaid branches and merges only at the head of a branch: a branch is made
 * right after the commit it starts from, and a parent that is no head any more when it is merged gets a branch of
 * its own while it is one. `main` is there from the start, so it is checked out and never made.
 */
export function mermaidGraph(commits: readonly Drawable[]): string {
  checkDrawable("mermaidGraph", commits);
  const tracks = tracksOf(commits);
  const order = [...commits].reverse();
  const trackAt = new Map(tracks.flatMap((track) => track.commits.map((commit) => [commit, track] as const)));
  const earlier = lostHeads(order, trackAt, new Set(tracks.map(({ name }) => name)));
  const starting = grouped(tracks, ({ from }) => from);
  const ids = shortest(commits.map(({ commit }) => commit));
  const script = new Script();
  for (const { name } of starting.get(undefined) ?? []) if (name !== MAIN) script.branch(name);
  for (const drawn of order) {
    const { commit, links } = drawn;
    const { name } = trackAt.get(commit) as Track;
    const id = ids.get(commit) as string;
    const said = `id: "${`${id} ${label(drawn)}`.trim()}"${signs(drawn, name)}`;
    const others = links.slice(1).map((other) => earlier.get(other) ?? (trackAt.get(other) as Track).name);
    script.checkout(name);
    if (others.length === 0) script.add(`commit ${said}`);
    // Mermaid joins two at a time.
    for (const [at, other] of others.entries())
      script.add(`merge ${quoted(other)} ${at < others.length - 1 ? `id: "${id} (${at + 1})"` : said}`);
    const here = [...(starting.get(commit) ?? []).map((track) => track.name), earlier.get(commit)];
    for (const next of here) {
      if (next === undefined) continue;
      script.checkout(name);
      script.branch(next);
    }
  }
  return script.text();
}

/** Statements, with `checkout` only where it changes something. */
class Script {
  readonly #lines = ["gitGraph"];
  #current: string = MAIN;

  add(line: string): void {
    this.#lines.push(line);
  }
  branch(name: string): void {
    this.add(`branch ${quoted(name)}`);
    this.#current = name;
  }
  checkout(name: string): void {
    if (this.#current !== name) this.add(`checkout ${quoted(name)}`);
    this.#current = name;
  }
  text(): string {
    return `${this.#lines.join("\n  ")}\n`;
  }
}

/** Commits that are merged when they are not the head of their track any more, with a name to merge each by. */
function lostHeads(
  order: readonly Drawable[],
  trackAt: ReadonlyMap<string, Track>,
  names: Set<string>,
): Map<string, string> {
  const heads = new Map<Track, string>();
  const lost = new Map<string, string>();
  for (const { commit, links } of order) {
    const track = trackAt.get(commit) as Track;
    // To Mermaid a branch without commits of its own is still the one it came from, which it refuses to merge.
    const here = heads.has(track) ? track : trackAt.get(track.from ?? "");
    for (const other of links.slice(1)) {
      const there = trackAt.get(other) as Track;
      if (lost.has(other) || (heads.get(there) === other && there !== here)) continue;
      const name = unused(`${there.name}-earlier`, names);
      names.add(name);
      lost.set(other, name);
    }
    heads.set(track, commit);
  }
  return lost;
}

const UNSAFE = latePattern("gu")`[^\p{L}\p{M}\p{N} .,:!?()+=/_-]+`;

/** What somebody wrote is not to be read as Mermaid, HTML or Markdown: only harmless characters stay. */
function label({ message, first }: Drawable): string {
  const said = message ?? first?.text ?? (first?.id === undefined ? "" : `forget ${first.id}`);
  const text = said.replace(UNSAFE(), " ").replace(/\s+/g, " ").trim();
  return text.length > WIDEST
    ? `${[...text]
        .slice(0, WIDEST - 1)
        .join("")
        .trimEnd()}…`
    : text;
}

const WIDEST = 32;

/** Tags, and branches that stand here without a line of their own. */
function signs({ branches, tags }: Drawable, track: string): string {
  const names = [...branches.filter((name) => name !== track), ...tags];
  return names.map((name) => ` tag: "${name}"`).join("");
}

/** Words that begin a statement, or that the lexer takes for something else. */
const RESERVED =
  /^(?:\d|git|commit|branch|merge|checkout|switch|cherry|order|title|acc|true|false|[LTB][RB]|[A-Z]+$)|[^\w-]|-$/;

const quoted = (name: string): string => (RESERVED.test(name) ? `"${name}"` : name);

/** As few first digits as tell all hashes apart, but no fewer than can be given back. */
function shortest(hashes: readonly string[]): Map<string, string> {
  let length = 7;
  const distinct = (digits: number) => new Set(hashes.map((hash) => hash.slice(0, digits))).size;
  while (length < 64 && distinct(length) < hashes.length) length++;
  return new Map(hashes.map((hash) => [hash, hash.slice(0, length)]));
}
