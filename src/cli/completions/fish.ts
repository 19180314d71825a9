import type { Command } from '../command-line/command.ts';
import { optionsOf, takesFile } from './table.ts';

/** Completions for fish. */
export function fishScript(commands: readonly Command[]): string {
  const names = commands.map(
    ({ name, summary }) => `complete -c millrace -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
  );
  const rest = commands.flatMap((command) => {
    const begin = `complete -c millrace -n ${quoted(`__fish_seen_subcommand_from ${command.name}`)}`;
    return [
      ...(command.firstWords === undefined ? [] : [`${begin} -a ${quoted(command.firstWords.join(' '))}`]),
      ...(takesFile(command) ? [`${begin} -F`] : []),
      ...optionsOf(command).map(({ name, short, type, meaning, offered, path }) => {
        const values = path ? ' -r -F' : ` -x${offered.length === 0 ? '' : ` -a ${quoted(offered.join(' '))}`}`;
        const shortName = short === undefined ? '' : ` -s ${short}`;
        return `${begin} -l ${name}${shortName}${type === 'boolean' ? '' : values} -d ${quoted(meaning)}`;
      }),
    ];
  });
  return ['# Completions of millrace for fish.', 'complete -c millrace -f', ...names, ...rest, ''].join('\n');
}

/** Text within single quotes of fish. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
