import { parseArgs } from 'node:util';
import { UsageError } from '../errors/command-errors.ts';
import type { Command, Option, Options, ValuesOf } from './command.ts';
import { suggestionFor } from './suggestion.ts';

/** Options that every command has. */
export const commonOptions = {
  help: { type: 'boolean', short: 'h', meaning: 'Show this help.' },
} as const satisfies Options;

/**
 * Parses the arguments after a command's name.
 *
 * @throws UsageError
 */
export function parseCommand(
  command: Command,
  args: readonly string[],
): { readonly values: ValuesOf<Options>; readonly positionals: readonly string[]; readonly help: boolean } {
  const { values, positionals } = read(command, args);
  const { help, ...given } = values;
  if (help === true) return { values: given, positionals, help };
  for (const [name, value] of Object.entries(given)) {
    const allowed = command.options[name]?.values;
    if (allowed !== undefined && !allowed.includes(String(value))) {
      throw new UsageError(`--${name} is one of ${allowed.join(', ')}.`);
    }
  }
  const [least, most] = command.words;
  const [form = ''] = command.forms;
  if (positionals.length < least) throw new UsageError(`Something is missing: millrace ${command.name} ${form}`);
  if (positionals.length > most) {
    throw new UsageError(
      `What does "${positionals.slice(most).join(' ')}" mean here? Texts with spaces stand in quotes.`,
    );
  }
  return { values: given, positionals, help: false };
}

function read(command: Command, args: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries<Option>({ ...command.options, ...commonOptions }).map(([name, { type, short }]) => [
      name,
      short === undefined ? { type } : { type, short },
    ]),
  );
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(faultOf(error, Object.keys(options)), { cause: error });
  }
}

function faultOf(error: unknown, names: readonly string[]): string {
  const message = error instanceof Error ? error.message : String(error);
  const [, option] = /^Unknown option '--?([^']*)'/.exec(message) ?? [];
  if (option === undefined) return message;
  const suggestion = suggestionFor(option, names);
  const words = 'What begins with a dash and is no option stands behind "--".';
  return `There is no option --${option}. ${suggestion === undefined ? words : `Is --${suggestion} meant?`}`;
}

/**
 * Parses a whole number of an option.
 *
 * @throws UsageError
 */
export function wholeNumber(name: string, text: string, least: number): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < least) {
    throw new UsageError(`--${name} takes a whole number from ${least}, not ${text}.`);
  }
  return value;
}
