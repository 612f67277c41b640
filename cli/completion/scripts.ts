export type Shell = 'bash' | 'zsh' | 'fish';

/** Without candidates all of them offer files. */
export const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `_headstart() {
  local IFS=$'\\n'
  COMPREPLY=($("\${COMP_WORDS[0]}" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _headstart headstart
`,
  zsh: `_headstart() {
  local -a found
  found=("\${(@f)$("\${words[1]}" complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${found[1]}" ]]; then compadd -a found; else _files; fi
}
compdef _headstart headstart
`,
  fish: `function __headstart_words
  set -l typed (commandline -opc)
  set -l found ($typed[1] complete -- $typed[2..-1] (commandline -ct) 2>/dev/null)
  if test -n "$found"
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c headstart -f -a '(__headstart_words)'
`,
};
