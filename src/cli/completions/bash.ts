import type { Command } from '../command-line/command.ts';
import { optionsOf, shellQuote, takesFile } from './completion-options.ts';

/** Returns the completion script for bash 3.2 or later, which needs no other package. */
export function bashScript(commands: readonly Command[]): string {
  const values = commands.flatMap((command) =>
    optionsOf(command)
      .filter(({ type }) => type === 'string')
      .flatMap(({ name, short, candidates, isPath }) =>
        [`--${name}`, ...(short === undefined ? [] : [`-${short}`])].map((option) => {
          const completion = isPath ? 'files=1' : `words=${shellQuote(candidates.join(' '))}`;
          return `    ${shellQuote(`${command.name} ${option}`)}) ${completion} ;;`;
        }),
      ),
  );
  const words = commands.map((command) => {
    const options = optionsOf(command).map(({ name }) => `--${name}`);
    const all = [...(command.firstArguments ?? []), ...options].join(' ');
    return `        ${command.name}) words=${shellQuote(all)}${takesFile(command) ? ' files=1' : ''} ;;`;
  });
  return `# Completions of millrace for bash.
_millrace() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words= files=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    words=${shellQuote([...commands.map(({ name }) => name), '--help', '--version'].join(' '))}
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
