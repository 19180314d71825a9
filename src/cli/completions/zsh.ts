import type { Command } from '../command-line/command.ts';
import { type CompletedOption, optionsOf, quoted, takesFile } from './table.ts';

/** Completions for zsh. */
export function zshScript(commands: readonly Command[]): string {
  const names = commands.map(({ name, summary }) => `    ${quoted(`${name}:${plain(summary)}`)}`);
  const cases = commands.map((command) => {
    const specs = [...optionsOf(command).flatMap(specsOf), wordSpec(command)];
    return `    ${command.name}) _arguments ${specs.map(quoted).join(' ')} ;;`;
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

/** As `_arguments` takes them: `--name[meaning]:value:(one two)`. */
function specsOf({ name, short, type, meaning, value = '', offered, path }: CompletedOption): string[] {
  const what = path ? '_files' : offered.length > 0 ? `(${offered.join(' ')})` : ' ';
  const rest = `[${plain(meaning)}]${type === 'boolean' ? '' : `:${value.replace(/[<>]/g, '')}:${what}`}`;
  return [`--${name}${rest}`, ...(short === undefined ? [] : [`-${short}${rest}`])];
}

function wordSpec(command: Command): string {
  if (command.firstWords !== undefined) return `*:word:(${command.firstWords.join(' ')})`;
  return takesFile(command) ? '*:job:_files' : '*: : ';
}

/** Text without what `_arguments` and `_describe` give a meaning. */
function plain(text: string): string {
  return text.replace(/[[\]:\\]/g, '');
}
