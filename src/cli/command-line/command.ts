import type { Terminal } from '../terminal/terminal.ts';

/** An option of a command. */
export interface Option {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  /** What stands for its value in help: `<seconds>`. */
  readonly value?: string;
  /** The only values that it may have. */
  readonly values?: readonly string[];
  /** Values that are proposed, beside any others. */
  readonly proposals?: readonly string[];
  readonly meaning: string;
}

/** The options of a command, by name. */
export type Options = Readonly<Record<string, Option>>;

/** What was written for each option. */
export type ValuesOf<O extends Options> = { readonly [Name in keyof O]?: ValueOf<O[Name]['type']> | undefined };

type ValueOf<Type extends Option['type']> = Type extends 'boolean' ? boolean : string;

/** A command as it was called. */
export interface Call<O extends Options = Options> {
  readonly values: ValuesOf<O>;
  readonly positionals: readonly string[];
  readonly terminal: Terminal;
  /** Ends it: Ctrl-C, or nobody reads its output. */
  readonly signal: AbortSignal;
  readonly environment: NodeJS.ProcessEnv;
}

/** A command of `millrace`: all that parsing, help and completions need is here. */
export interface Command<O extends Options = Options> {
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  /** What stands behind its name, as help shows it, for each way to call it. */
  readonly forms: readonly string[];
  /** How many words may stand there. */
  readonly words: readonly [least: number, most: number];
  /** What the first word may be, where that is known. */
  readonly firstWords?: readonly string[];
  readonly options: O;
  /** Paragraphs and examples for its help. */
  readonly details?: string;
  /** Whether it sees to signals by itself. */
  readonly ownSignals?: true;
  /** Carries it out; returns the number that the process ends with, 0 if none. */
  run(call: Call<O>): Promise<number | undefined>;
}

/** Makes a command, whose `run` knows what its options are. */
export function defineCommand<const O extends Options>(command: Command<O>): Command {
  // Parsing gives each command the values of its own options.
  return command as unknown as Command;
}
