import type { Terminal } from '../terminal/terminal.ts';

/** An option of a command. */
export interface Option {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  /** Placeholder for the option's value in help: `<seconds>`. */
  readonly value?: string;
  /** The value of the option without one, which is only read if one of `values` follows it. */
  readonly bareValue?: string;
  /** The allowed values. */
  readonly values?: readonly string[];
  /** Suggested values; other values are also allowed. */
  readonly suggestions?: readonly string[];
  readonly description: string;
  /** The heading of help under which it is listed; absent for the first options and the common ones. */
  readonly group?: string;
  /** Whether the command needs no arguments with it. */
  readonly standalone?: true;
}

/** The options of a command, by name. */
export type Options = Readonly<Record<string, Option>>;

/** The value of each option. */
export type ValuesOf<O extends Options> = { readonly [Name in keyof O]?: ValueOf<O[Name]['type']> | undefined };

type ValueOf<Type extends Option['type']> = Type extends 'boolean' ? boolean : string;

/** Lists options under a heading of help. */
export function inGroup<const O extends Options>(group: string, options: O): O {
  // The cast is safe: each option only gains its group.
  return Object.fromEntries(Object.entries(options).map(([name, option]) => [name, { ...option, group }])) as O;
}

/** An invocation of a command. */
export interface Invocation<O extends Options = Options> {
  readonly values: ValuesOf<O>;
  readonly positionals: readonly string[];
  readonly terminal: Terminal;
  /** Aborts on Ctrl-C, or when the output is closed. */
  readonly signal: AbortSignal;
  readonly environment: NodeJS.ProcessEnv;
}

/** A command of `millrace`, with everything that parsing, help and completions need. */
export interface Command<O extends Options = Options> {
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  /** The arguments that help shows after the command's name, one text for each form of the command. */
  readonly usage: readonly string[];
  /** Minimum and maximum number of positional arguments. */
  readonly arity: readonly [minimum: number, maximum: number];
  /** The allowed first arguments, if they are fixed. */
  readonly firstArguments?: readonly string[];
  readonly options: O;
  /** Options of other programs that it refuses, without their dashes, each with what to do instead. */
  readonly replacements?: Readonly<Record<string, string>>;
  /** Paragraphs and examples for the command's help. */
  readonly details?: string;
  /** Whether it reads the config file. */
  readonly usesConfig?: true;
  /** Whether it handles signals itself. */
  readonly handlesSignals?: true;
  /** Runs the command, and returns its exit code; undefined means 0. */
  run(invocation: Invocation<O>): Promise<number | undefined>;
}

/** Defines a command whose `run` has the types of its options. */
export function defineCommand<const O extends Options>(command: Command<O>): Command {
  // The cast is safe: parsing passes each command only the values of its own options.
  return command as unknown as Command;
}
