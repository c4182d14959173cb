/**
 * What makes a shell ask `pal complete` for what could come next. What was typed is handed over as it stands and never
 * evaluated, and what comes back is quoted by the shell: a memory may be called `$(reboot)`.
 */
export const COMPLETION_SCRIPTS: Readonly<Record<string, string>> = {
  bash: `# bash completion for pal
_pal_completion() {
  local cur=$2 value rest
  COMPREPLY=()
  while IFS=$'\\t' read -r value rest; do
    case $value in
      :0) compopt -o default ;;
      :4) ;;
      # Where bash breaks words itself, what comes back would not fit what was typed.
      *[:=@]*) ;;
      *) COMPREPLY+=("$(printf '%q' "$value")") ;;
    esac
  done < <(pal complete -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" "\${cur//\\\\/}" 2>/dev/null)
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
