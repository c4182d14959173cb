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
