import type { Command, Options, ValuesOf } from '../command-line/command.ts';
import { parseCommand } from '../command-line/parse.ts';
import { formatTable } from '../terminal/table.ts';
import { type Config, configPath, readConfig } from './config-file.ts';

/** Options that replace each other: one of the command line replaces all of the config file. */
const alternatives: readonly (readonly string[])[] = [
  ['quality', 'audio', 'slideshow', 'max-size'],
  ['embed', 'no-embed'],
  ['items', 'item'],
  ['json', 'events'],
];

/** A parsed command line, with the options of the config file. */
export interface Configured extends ReturnType<typeof parseCommand> {
  /** What `--show-config` prints; undefined if it is not requested. */
  readonly report?: string;
}

/**
 * Parses the arguments of a command, and adds the options of the config file that the command line does not set.
 *
 * @param commands The commands that read the config file.
 * @throws UsageError; it names the file and the line if the fault is there.
 */
export async function parseWithConfig(
  command: Command,
  args: readonly string[],
  commands: readonly Command[],
  environment: NodeJS.ProcessEnv,
): Promise<Configured> {
  const parsed = parseCommand(command, args);
  if (!commands.includes(command) || parsed.help) return parsed;
  const { 'ignore-config': ignores, 'show-config': shows, ...given } = parsed.values;
  const path = configPath(environment);
  const config = ignores === true ? {} : await readConfig(path, commands);
  const added = Object.entries(config).filter(
    ([name]) => Object.hasOwn(command.options, name) && !isReplaced(name, given),
  );
  const values: ValuesOf<Options> = {
    ...Object.fromEntries(added.map(([name, { value }]) => [name, value])),
    ...given,
  };
  if (shows !== true) return { ...parsed, values };
  const source = ignores === true ? `${path} (ignored)` : path;
  return { ...parsed, values, report: reportOf(source, given, Object.fromEntries(added)) };
}

/** Whether the command line sets an option, or another one in its place. */
function isReplaced(name: string, given: ValuesOf<Options>): boolean {
  const group = alternatives.find((names) => names.includes(name)) ?? [name];
  return group.some((other) => given[other] !== undefined);
}

function reportOf(path: string, given: ValuesOf<Options>, config: Config): string {
  const rows = [
    ...Object.entries(config).map(([name, { value, line }]) => [name, value, `line ${line}`] as const),
    ...Object.entries(given).map(([name, value]) => [name, value, 'command line'] as const),
  ];
  const table = rows
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, value, source]) => [`--${name}`, value === true ? '' : String(value), source]);
  return `Config file: ${path}\n${table.length === 0 ? 'No options are set.\n' : formatTable(table)}`;
}
