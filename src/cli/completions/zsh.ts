import type { Command } from '../command-line/command.ts';
import { type CompletionOption, optionsOf, shellQuote, takesFile } from './completion-options.ts';

/** Returns the completion script for zsh. */
export function zshScript(commands: readonly Command[]): string {
  const names = commands.map(({ name, summary }) => `    ${shellQuote(`${name}:${stripSpecialCharacters(summary)}`)}`);
  const cases = commands.map((command) => {
    const specs = [...optionsOf(command).flatMap(specsOf), argumentSpec(command)];
    return `    ${command.name}) _arguments ${specs.map(shellQuote).join(' ')} ;;`;
  });
  return `#compdef millrace
# Completions of millrace for zsh.
_millrace() {
  local -a commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local name=$words[2]
  shift words
  (( CURRENT-- ))
  case $name in
${cases.join('\n')}
  esac
}
if [ "$funcstack[1]" = _millrace ]; then _millrace "$@"; else compdef _millrace millrace; fi
`;
}

/** Returns the specs of an option for `_arguments`: `--name[meaning]:value:(one two)`. */
function specsOf({ name, short, type, description, value = '', candidates, isPath }: CompletionOption): string[] {
  const completion = isPath ? '_files' : candidates.length > 0 ? `(${candidates.join(' ')})` : ' ';
  const rest = `[${stripSpecialCharacters(description)}]${type === 'boolean' ? '' : `:${value.replace(/[<>]/g, '')}:${completion}`}`;
  return [`--${name}${rest}`, ...(short === undefined ? [] : [`-${short}${rest}`])];
}

function argumentSpec(command: Command): string {
  if (command.firstArguments !== undefined) return `*:word:(${command.firstArguments.join(' ')})`;
  return takesFile(command) ? '*:job:_files' : '*: : ';
}

/** Removes the characters that have a special meaning for `_arguments` and `_describe`. */
function stripSpecialCharacters(text: string): string {
  return text.replace(/[[\]:\\]/g, '');
}
