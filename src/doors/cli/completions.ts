import type { ArgumentSpec, Command } from "./command.js";
import { GLOBALS } from "./globals.js";
import type { OptionSpec } from "./options.js";

/** What may stand at a place of a line: words of ours, names that the store knows, files, or nothing to be guessed. */
export type Wanted =
  | { readonly words: readonly Candidate[] }
  | { readonly names: "branches" | "memories" | "points" }
  | { readonly files: true }
  | undefined;

export interface Candidate {
  readonly value: string;
  readonly description?: string;
}

/** What the last of these words may become; the others are the line before it. */
export function wantedAt(commands: readonly Command[], words: readonly string[]): Wanted {
  const [current = "", before] = [words.at(-1), words.slice(0, -1)];
  const { command, given, pending } = read(commands, before);
  if (pending) return ofOption(pending);
  if (current.startsWith("-") && !before.includes("--"))
    return { words: [...(command?.options ?? []), ...GLOBALS].map(asCandidate) };
  if (!command) return { words: named(commands) };
  const arg = command.args?.[given] ?? command.args?.findLast(({ name }) => name.includes("..."));
  if (arg) return ofArgument(command.name, arg, given);
  return command.name === "help" ? { words: named(commands) } : undefined;
}

/** The command of a line, how many arguments it has, and the option whose value comes next. */
function read(commands: readonly Command[], words: readonly string[]) {
  let command: Command | undefined;
  let given = 0;
  let pending: OptionSpec | undefined;
  let isOver = false;
  for (const word of words) {
    if (pending) pending = undefined;
    else if (!isOver && word === "--") isOver = true;
    else if (!isOver && word.startsWith("-"))
      pending = [...(command?.options ?? []), ...GLOBALS].find(
        ({ flags }) => takesValue(flags) && flags.split(/, | /).includes(word),
      );
    else if (command) given++;
    else command = commands.find(({ name }) => name === word);
  }
  return { command, given, pending };
}

const takesValue = (flags: string): boolean => /[<[]/.test(flags);
const PLACE = /file|path|dir/;

const asCandidate = ({ flags, description }: OptionSpec): Candidate => ({
  value: /--[\w-]+/.exec(flags)?.[0] ?? flags,
  description,
});

const named = (commands: readonly Command[]): Candidate[] =>
  commands
    .filter(({ hidden }) => !hidden)
    .map(({ name, summary }) => ({ value: name, description: summary }));

function ofOption({ flags, choices }: OptionSpec): Wanted {
  if (choices) return { words: choices.map((value) => ({ value })) };
  if (/--(?:branch|into)\b/.test(flags)) return { names: "branches" };
  if (/--(?:at|from)\b/.test(flags)) return { names: "points" };
  if (/<id>/.test(flags) && !flags.includes("--session")) return { names: "memories" };
  return PLACE.test(flags) || flags.includes("--jsonl") ? { files: true } : undefined;
}

const OF_BRANCHES = new Set(["checkout", "merge", "delete-branch", "rename-branch"]);
const OF_POINTS = new Set(["log", "diff", "rollback", "cherry-pick", "revert"]);
/** Their first argument is one of a few words, which its description lists. */
const OF_WORDS = new Set(["completion", "config", "connect", "hook", "palace", "review", "scratch", "trace"]);

function ofArgument(command: string, { name, description }: ArgumentSpec, at: number): Wanted {
  if (OF_WORDS.has(command)) return at === 0 ? { words: listed(description) } : undefined;
  if (OF_BRANCHES.has(command)) return at === 0 ? { names: "branches" } : undefined;
  if (OF_POINTS.has(command) || (command === "tag" && at === 1)) return { names: "points" };
  if (/\bid\b/.test(name)) return { names: "memories" };
  return PLACE.test(name) ? { files: true } : undefined;
}

/** "list (default), get, set or unset": the words of it. */
const listed = (description: string): Candidate[] =>
  description
    .replace(/\(.*?\)/g, "")
    .split(/,| or /)
    .map((word) => ({ value: word.trim() }));

/**
 * What makes a shell ask `pal complete` for what could come next. What was typed is handed over as it stands and never
 * evaluated, and what comes back is quoted by the shell: a memory may be called `$(reboot)`.
 */
export const COMPLETION_SCRIPTS: Readonly<Record<string, string>> = {
  bash: `# bash completion for pal
_pal_completion() {
  local typed=\${COMP_LINE:0:COMP_POINT} gap word value rest at
  local -a words=()
  COMPREPLY=()
  # Bash also breaks words at : = and @; what stands together on the line is one word.
  for ((at = 0; at <= COMP_CWORD; at++)); do
    gap=\${typed%%[![:space:]]*}
    typed=\${typed#"$gap"}
    word=\${COMP_WORDS[at]}
    if ((at == COMP_CWORD)); then word=$typed; fi
    if [[ -z $gap && at -gt 0 ]]; then words[\${#words[@]}-1]+=$word; else words+=("$word"); fi
    typed=\${typed#"$word"}
  done
  local cur=\${words[\${#words[@]}-1]}
  # Only what bash takes for the word is replaced; what comes before it stays on the line.
  local kept=\${cur%"$2"}
  case $cur in [\\"\\']*) cur=$2 kept= ;; esac
  while IFS=$'\\t' read -r value rest; do
    case $value in
      :0) compopt -o default ;;
      :4) ;;
      *)
        value=$(printf '%q' "$value")
        if [[ $value == "$kept"* ]]; then COMPREPLY+=("\${value#"$kept"}"); fi
        ;;
    esac
  done < <(pal complete -- "\${words[@]:1:\${#words[@]}-2}" "\${cur//\\\\/}" 2>/dev/null)
}
complete -F _pal_completion pal`,
  zsh: `#compdef pal
_pal() {
  local value rest files=
  local -a values shown
  while IFS=$'\\t' read -r value rest; do
    case $value in
      :0) files=1 ;;
      :4) ;;
      *) values+=("$value") shown+=("$value\${rest:+  -- $rest}") ;;
    esac
  done < <(pal complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)
  (( $#values )) && compadd -l -d shown -a values
  [[ -n $files ]] && _files
}
if [[ $funcstack[1] == _pal ]]; then _pal; else compdef _pal pal; fi`,
  fish: `# fish completion for pal
function __pal_completion
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in (pal complete -- $words[2..-1] "$current" 2>/dev/null)
        switch $line
            case ':0'
                __fish_complete_path "$current"
            case ':4'
            case '*'
                printf '%s\\n' $line
        end
    end
end
complete -c pal -e
complete -c pal -f -a '(__pal_completion)'`,
};
