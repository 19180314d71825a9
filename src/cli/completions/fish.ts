import type { Command } from '../command-line/command.ts';
import { optionsOf, takesFile } from './completion-options.ts';

/** Returns the completion script for fish. */
export function fishScript(commands: readonly Command[]): string {
  const names = commands.map(
    ({ name, summary }) => `complete -c millrace -n __fish_use_subcommand -a ${name} -d ${quote(summary)}`,
  );
  const completions = commands.flatMap((command) => {
    const prefix = `complete -c millrace -n ${quote(`__fish_seen_subcommand_from ${command.name}`)}`;
    return [
      ...(command.firstArguments === undefined ? [] : [`${prefix} -a ${quote(command.firstArguments.join(' '))}`]),
      ...(takesFile(command) ? [`${prefix} -F`] : []),
      ...optionsOf(command).map(({ name, short, type, description, candidates, isPath }) => {
        const values = isPath ? ' -r -F' : ` -x${candidates.length === 0 ? '' : ` -a ${quote(candidates.join(' '))}`}`;
        const shortName = short === undefined ? '' : ` -s ${short}`;
        return `${prefix} -l ${name}${shortName}${type === 'boolean' ? '' : values} -d ${quote(description)}`;
      }),
    ];
  });
  return ['# Completions of millrace for fish.', 'complete -c millrace -f', ...names, ...completions, ''].join('\n');
}

/** Quotes a text with the single quotes of fish. */
function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
