import type { Command } from '../command-line/command.ts';
import { optionsOf, quoted, takesFile } from './table.ts';

/** Completions for bash 3.2 or later, which need no other package. */
export function bashScript(commands: readonly Command[]): string {
  const values = commands.flatMap((command) =>
    optionsOf(command)
      .filter(({ type }) => type === 'string')
      .flatMap(({ name, short, offered, path }) =>
        [`--${name}`, ...(short === undefined ? [] : [`-${short}`])].map((option) => {
          const what = path ? 'files=1' : `words=${quoted(offered.join(' '))}`;
          return `    ${quoted(`${command.name} ${option}`)}) ${what} ;;`;
        }),
      ),
  );
  const words = commands.map((command) => {
    const options = optionsOf(command).map(({ name }) => `--${name}`);
    const all = [...(command.firstWords ?? []), ...options].join(' ');
    return `        ${command.name}) words=${quoted(all)}${takesFile(command) ? ' files=1' : ''} ;;`;
  });
  return `# Completions of millrace for bash.
_millrace() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words= files=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    words=${quoted([...commands.map(({ name }) => name), '--help', '--version'].join(' '))}
  else case "\${COMP_WORDS[1]} $before" in
${values.join('\n')}
    *) case "\${COMP_WORDS[1]}" in
${words.join('\n')}
      esac ;;
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  if [ -n "$files" ]; then COMPREPLY+=($(compgen -f -- "$word")); fi
}
complete -o filenames -F _millrace millrace
`;
}
