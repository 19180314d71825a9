import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { UsageError } from '../errors/command-errors.ts';
import { type Alias, aliasesOf, typeOfAlias } from './aliases.ts';
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
  if (Object.keys(optionValues).some((name) => command.options[name]?.standalone === true)) {
    return { values: optionValues, positionals, help: false };
  }
  const [minimum, maximum] = command.arity;
  const [usage = ''] = command.usage;
  if (positionals.length < minimum)
    throw new UsageError(`An argument is missing. Run "millrace ${command.name} ${usage}".`);
  if (positionals.length > maximum) {
    throw new UsageError(
      `Unexpected argument: "${positionals.slice(maximum).join(' ')}". Put texts with spaces in quotes.`,
    );
  }
  return { values: optionValues, positionals, help: false };
}

/** The options that `parseArgs` of Node.js reads: those of a command, the common ones, and their aliases. */
type Readable = Readonly<Record<string, { readonly type: Option['type']; readonly short?: string }>>;

/** Parses options and arguments, without checking the number of arguments. @throws UsageError */
export function parseOptions(
  command: Command,
  args: readonly string[],
): { readonly values: ValuesOf<Options>; readonly positionals: readonly string[] } {
  const options: Options = { ...command.options, ...commonOptions };
  const aliases = aliasesOf(options);
  const readable: Readable = Object.fromEntries([
    ...Object.entries(options).map(([name, { type, short }]) => [
      name,
      short === undefined ? { type } : { type, short },
    ]),
    ...Object.entries(aliases).map(([name, alias]) => [name, { type: typeOfAlias(alias, options) }]),
  ]);
  const takesId = command.usage.some((form) => /link\|id/.test(form));
  const prepared = prepareArguments(args, { options, readable, takesId });
  const values: Record<string, string | boolean> = {};
  const positionals: string[] = [];
  for (const token of tokensOf(prepared, readable, command)) {
    if (token.kind === 'positional') positionals.push(token.value.replace(ID_MARK, ''));
    if (token.kind !== 'option') continue;
    const alias = aliases[token.name];
    const name = alias?.option ?? token.name;
    const value = alias === undefined ? token.value : (alias.value ?? convertValue(alias, token.value));
    const { bareValue } = options[name] ?? {};
    // An option without its value does not replace a value, so that "--audio-format mp3 -x" is read in any order.
    if (value === '' && bareValue !== undefined) values[name] ??= bareValue;
    else values[name] = typeof value === 'string' ? expandHome(value, options[name]) : true;
  }
  checkValues(command, values);
  return { values, positionals };
}

/**
 * Replaces `~/` at the start of a path, which shells leave alone in quotes and in the config file. A folder with that
 * name is `./~`.
 */
function expandHome(value: string, option: Option | undefined): string {
  return option?.value === '<path>' && value.startsWith('~/') ? join(homedir(), value.slice(2)) : value;
}

function checkValues({ options }: Command, values: ValuesOf<Options>): void {
  for (const [name, value] of Object.entries(values)) {
    const allowedValues = options[name]?.values;
    if (allowedValues !== undefined && !allowedValues.includes(String(value))) {
      throw new UsageError(`--${name} must be one of ${allowedValues.join(', ')}.`);
    }
  }
}

function convertValue(alias: Alias, value: string | undefined): string | undefined {
  return value === undefined ? undefined : (alias.convert?.(value) ?? value);
}

function tokensOf(args: readonly string[], options: Readable, command: Command) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, tokens: true }).tokens;
  } catch (error) {
    throw new UsageError(parseErrorMessage(error, Object.keys(options), command), { cause: error });
  }
}

/** Marks an ID that starts with a dash, so that `parseArgs` does not read it as options. Arguments cannot contain it. */
const ID_MARK = '\0';

/**
 * Rewrites arguments that Node.js would misread: a value that starts with a dash and a digit, such as `--clip -1:30`;
 * an option whose value is optional; and an ID that starts with a dash.
 */
function prepareArguments(
  args: readonly string[],
  { options, readable, takesId }: { readonly options: Options; readonly readable: Readable; readonly takesId: boolean },
): string[] {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const prepared: string[] = [];
  for (const [index, arg] of args.entries()) {
    const previous = index === 0 ? undefined : optionNamed(args[index - 1] ?? '', readable);
    const expectsValue = previous !== undefined && readable[previous]?.type === 'string';
    const name = optionNamed(arg, readable);
    const { bareValue, values = [] } = options[name ?? ''] ?? {};
    if (index >= end) prepared.push(arg);
    else if (expectsValue && /^-\d/.test(arg)) prepared.splice(-1, 1, `--${previous}=${arg}`);
    else if (bareValue !== undefined && !isValue(args[index + 1] ?? '', values)) prepared.push(`--${name}=`);
    else if (takesId && !expectsValue && isDashedId(arg, readable)) prepared.push(`${ID_MARK}${arg}`);
    else prepared.push(arg);
  }
  return prepared;
}

/** Whether an argument is the value of an option that needs none: an allowed one, or a word too short for a link or ID. */
function isValue(arg: string, values: readonly string[]): boolean {
  return values.includes(arg) || /^[a-z]\w{1,4}$/i.test(arg);
}

/** Returns the name of the option that an argument consists of, such as `--clip` or `-o`. */
function optionNamed(arg: string, readable: Readable): string | undefined {
  if (arg.startsWith('--')) return Object.hasOwn(readable, arg.slice(2)) ? arg.slice(2) : undefined;
  return arg.length === 2 && arg.startsWith('-') ? optionWithLetter(arg.slice(1), readable) : undefined;
}

function optionWithLetter(letter: string, readable: Readable): string | undefined {
  return Object.keys(readable).find((name) => readable[name]?.short === letter);
}

/** Whether an argument is a YouTube ID that starts with a dash, and cannot be a group of short options. */
function isDashedId(arg: string, readable: Readable): boolean {
  if (!/^-[A-Za-z0-9_][\w-]{9}$/.test(arg)) return false;
  for (const letter of arg.slice(1)) {
    const name = optionWithLetter(letter, readable);
    if (name === undefined) return true;
    // The rest of the argument is its value.
    if (readable[name]?.type === 'string') return false;
  }
  return false;
}

function parseErrorMessage(error: unknown, names: readonly string[], command: Command): string {
  const message = error instanceof Error ? error.message : String(error);
  const [, dashes = '', option] = /^Unknown option '(--?)([^']*)'/.exec(message) ?? [];
  if (option === undefined) return message;
  const replacement = Object.entries(command.replacements ?? {}).find(([name]) => name === option)?.[1];
  if (replacement !== undefined) return `Millrace has no ${dashes}${option}. ${replacement}`;
  const suggestion = suggestionFor(option, names);
  const isLikeId = /^-[\w-]{10}$/.test(`${dashes}${option}`);
  const advice = isLikeId
    ? `Put "--" before arguments that start with a dash: millrace ${command.name} -- ${dashes}${option}`
    : `"millrace ${command.name} --help" lists all options.`;
  return `Unknown option: ${dashes}${option}. ${suggestion === undefined ? advice : `Did you mean --${suggestion}?`}`;
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
