import { parseArgs } from 'node:util';
import { UsageError } from '../errors/command-errors.ts';
import type { Command, Option, Options, ValuesOf } from './command.ts';
import { suggestionFor } from './suggestion.ts';

/** Options that every command has. */
export const commonOptions = {
  help: { type: 'boolean', short: 'h', description: 'Show this help.' },
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
  const { values, positionals } = parseOptions(command, args);
  const { help, ...optionValues } = values;
  if (help === true) return { values: optionValues, positionals, help };
  for (const [name, value] of Object.entries(optionValues)) {
    const allowedValues = command.options[name]?.values;
    if (allowedValues !== undefined && !allowedValues.includes(String(value))) {
      throw new UsageError(`--${name} must be one of ${allowedValues.join(', ')}.`);
    }
  }
  const [minimum, maximum] = command.arity;
  const [usage = ''] = command.usage;
  if (positionals.length < minimum) throw new UsageError(`An argument is missing: millrace ${command.name} ${usage}`);
  if (positionals.length > maximum) {
    throw new UsageError(
      `Unexpected argument: "${positionals.slice(maximum).join(' ')}". Put texts with spaces in quotes.`,
    );
  }
  return { values: optionValues, positionals, help: false };
}

function parseOptions(command: Command, args: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries<Option>({ ...command.options, ...commonOptions }).map(([name, { type, short }]) => [
      name,
      short === undefined ? { type } : { type, short },
    ]),
  );
  try {
    return parseArgs({ args: joinValues(args, options), options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(parseErrorMessage(error, Object.keys(options)), { cause: error });
  }
}

/**
 * Joins an option with a value that starts with a dash and a digit, such as `--clip -1:30`, as `--clip=-1:30`. Node.js
 * rejects such values because they could be options, but no option is a digit.
 */
function joinValues(args: readonly string[], options: Readonly<Record<string, Pick<Option, 'type'>>>): string[] {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const joined: string[] = [];
  for (const [index, arg] of args.entries()) {
    const previous = args[index - 1] ?? '';
    const takesValue = previous.startsWith('--') && options[previous.slice(2)]?.type === 'string';
    if (index < end && takesValue && /^-\d/.test(arg)) joined[joined.length - 1] = `${previous}=${arg}`;
    else joined.push(arg);
  }
  return joined;
}

function parseErrorMessage(error: unknown, names: readonly string[]): string {
  const message = error instanceof Error ? error.message : String(error);
  const [, option] = /^Unknown option '--?([^']*)'/.exec(message) ?? [];
  if (option === undefined) return message;
  const suggestion = suggestionFor(option, names);
  const advice = 'Put "--" before arguments that start with a dash.';
  return `Unknown option: --${option}. ${suggestion === undefined ? advice : `Did you mean --${suggestion}?`}`;
}

/**
 * Parses the value of an option as a whole number.
 *
 * @throws UsageError
 */
export function parseWholeNumber(name: string, text: string, minimum: number): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < minimum) {
    throw new UsageError(`--${name} must be a whole number of at least ${minimum}, not ${text}.`);
  }
  return value;
}
