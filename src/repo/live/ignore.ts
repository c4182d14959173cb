interface Rule {
  readonly pattern: RegExp;
  readonly isNegated: boolean;
  readonly isForFolders: boolean;
}

/** The rules of one `.gitignore`; paths are relative to its folder, with `/`. */
export class IgnoreRules {
  readonly #rules: readonly Rule[];

  constructor(text: string) {
    this.#rules = text.split(/\r?\n/).flatMap(ruleOf);
  }

  /** What the last rule that fits says; undefined when none does. */
  verdict(path: string, isFolder: boolean): "ignored" | "wanted" | undefined {
    const rule = this.#rules.findLast(
      ({ pattern, isForFolders }) => (isFolder || !isForFolders) && pattern.test(path),
    );
    return rule && (rule.isNegated ? "wanted" : "ignored");
  }
}

function ruleOf(line: string): Rule[] {
  let glob = line.replace(/(?:(?<![\\ \t])|(?<=\\[ \t]))[ \t]+$/, "");
  if (glob === "" || glob.startsWith("#")) return [];
  const isNegated = glob.startsWith("!");
  if (isNegated) glob = glob.slice(1);
  const isForFolders = glob.endsWith("/");
  if (isForFolders) glob = glob.slice(0, -1);
  // A slash before the end ties a rule to its folder; without one it holds at every depth.
  const isTied = glob.includes("/");
  if (glob.startsWith("/")) glob = glob.slice(1);
  try {
    return [
      { pattern: new RegExp(`^${isTied ? "" : "(?:.*/)?"}${source(glob)}$`, "u"), isNegated, isForFolders },
    ];
  } catch {
    return [];
  }
}

/** A glob as the source of a regular expression: `*` and `?` stop at slashes, `**` does not. */
function source(glob: string): string {
  let out = "";
  for (let at = 0; at < glob.length; at++) {
    const rest = glob.slice(at);
    const set = /^\[([!^]?)((?:\\.|[^\]\\])+)\]/.exec(rest);
    if (rest.startsWith("**/")) {
      out += "(?:.*/)?";
      at += 2;
    } else if (rest === "**") {
      out += ".*";
      at++;
    } else if (rest.startsWith("*")) out += "[^/]*";
    else if (rest.startsWith("?")) out += "[^/]";
    else if (set) {
      out += `[${set[1] ? "^" : ""}${set[2]?.replace(/[[\]]/g, "\\$&")}]`;
      at += set[0].length - 1;
    } else {
      if (rest.startsWith("\\") && rest.length > 1) at++;
      out += (glob[at] as string).replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
    }
  }
  return out;
}
