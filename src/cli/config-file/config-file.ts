import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Command, Options, ValuesOf } from '../command-line/command.ts';
import { parseOptions } from '../command-line/parse.ts';
import { UsageError } from '../errors/command-errors.ts';
import { splitWords } from './words.ts';

/** Maximum size of a config file in bytes. */
const MAX_BYTES = 100_000;

/** Options that only make sense on the command line. */
const refusedOptions: ReadonlySet<string> = new Set(['help', 'show-config', 'ignore-config', 'batch-file', 'settings']);

/** The options of the command line about the config file. */
export const configOptions = {
  'ignore-config': { type: 'boolean', description: 'Do not read the config file.' },
  'show-config': {
    type: 'boolean',
    standalone: true,
    description: 'Print the path of the config file and the options in effect, and do nothing else.',
  },
} as const satisfies Options;

/** An option of a config file. */
export interface ConfigOption {
  readonly value: string | boolean;
  /** Number of its line, from 1. */
  readonly line: number;
}

/** The options of a config file, by name. */
export type Config = Readonly<Record<string, ConfigOption>>;

/** Returns the path of the config file. The XDG specification says to ignore a relative folder. */
export function configPath({ XDG_CONFIG_HOME: folder = '', HOME }: NodeJS.ProcessEnv): string {
  const root = isAbsolute(folder) ? folder : join(HOME ?? homedir(), '.config');
  return join(root, 'millrace', 'config');
}

/**
 * Reads the config file. A missing one has no options.
 *
 * @param commands The commands whose options it may contain.
 * @throws UsageError that names the file and the line.
 */
export async function readConfig(path: string, commands: readonly Command[]): Promise<Config> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw new UsageError(`The config file ${path} cannot be read. Check it, or add --ignore-config.`, { cause: error });
  });
  if (Buffer.byteLength(text) > MAX_BYTES) throw new UsageError(`The config file ${path} is too large.`);
  const config: Record<string, ConfigOption> = {};
  for (const [index, content] of text.split('\n').entries()) {
    const line = index + 1;
    for (const [name, value] of Object.entries(readLine(content, `${path}, line ${line}`, commands))) {
      if (value !== undefined) config[name] = { value, line };
    }
  }
  return config;
}

/** Returns the options of a line: none or one. */
function readLine(text: string, place: string, commands: readonly Command[]): ValuesOf<Options> {
  const words = splitWords(text);
  if (words === undefined) throw new UsageError(`${place}: a quote is not closed.`);
  const [first = ''] = words;
  if (first === '') return {};
  if (/^(?:--?)?(?:millrace[_-])?(?:render[_-]|admin[_-])?(?:api[_-])?key(?:[=:]|$)/i.test(first)) {
    throw new UsageError(`${place}: keys do not belong here. Put the key into a file, and name that with --key-file.`);
  }
  if (!/^--?[A-Za-z]/.test(first)) {
    throw new UsageError(`${place}: "${first.slice(0, 60)}" is not an option. Links belong on the command line.`);
  }
  const name = /^--([a-z-]{1,40})/.exec(first)?.[1];
  if (name !== undefined && refusedOptions.has(name)) throw new UsageError(`${place}: --${name} cannot be set here.`);
  const { values, positionals } = parseFor(words, place, commands);
  const [extra] = positionals;
  if (extra === undefined) return values;
  throw new UsageError(`${place}: "${extra.slice(0, 60)}" is too much. Write one option a line, and quote its value.`);
}

/** Parses the words of a line with the first command that has the option. */
function parseFor(words: readonly string[], place: string, commands: readonly Command[]) {
  let firstError: unknown;
  for (const command of commands) {
    try {
      return parseOptions(command, words);
    } catch (error) {
      firstError ??= error;
    }
  }
  const message = firstError instanceof Error ? firstError.message : String(firstError);
  throw new UsageError(`${place}: ${message}`, { cause: firstError });
}
