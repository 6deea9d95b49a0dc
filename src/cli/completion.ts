import { script } from '@bomb.sh/tab';
import { StetError } from '../memory/failure.ts';
import type { Call } from './command.ts';

/** `stet completion`: the script that a shell loads once. */
export async function run({ arguments: [shell = ''] }: Call): Promise<void> {
  switch (shell) {
    case 'bash':
      // As the library does for the others: a shell reads it, whatever --json says.
      process.stdout.write(`${BASH}\n`);
      return;
    case 'zsh':
    case 'fish':
      // Prints by itself.
      script(shell, 'stet', 'stet');
      return;
    default:
      throw new StetError({
        code: 'bad-argument',
        argument: shell,
        reason: 'there is no completion for this shell',
        hint: 'Use bash, zsh or fish.',
      });
  }
}

// Not the library's script for bash: that one evaluates the line as it is typed, command substitutions and all, and needs
// the bash-completion package. This one passes the words on as they are, and works with the bash 3.2 of macOS.
const BASH = `# bash completion for stet
_stet_complete() {
  local cur=\${COMP_WORDS[COMP_CWORD]} out line i
  local -a args=()
  for ((i = 1; i <= COMP_CWORD; i++)); do
    # bash takes --space=acme for three words.
    if [[ \${COMP_WORDS[i]} == "=" && i -gt 1 ]]; then
      args[\${#args[@]} - 1]+="="
      if ((i < COMP_CWORD)); then
        i=$((i + 1))
        args[\${#args[@]} - 1]+=\${COMP_WORDS[i]}
      fi
    else
      args+=("\${COMP_WORDS[i]}")
    fi
  done
  [[ $cur == "=" ]] && cur=
  COMPREPLY=()
  out=$(stet complete -- "\${args[@]}" 2>/dev/null) || return
  while IFS= read -r line; do
    line=\${line%%$'\\t'*}
    [[ $line != :* && $line == "$cur"* ]] && COMPREPLY+=("$line")
  done <<<"$out"
  # The last line is a number; where its bit 4 is not set, files are wanted.
  if (((\${out##*:} & 4) != 0)); then compopt +o default 2>/dev/null; fi
  return 0
}
complete -o default -F _stet_complete stet`;
