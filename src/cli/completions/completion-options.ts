import type { Command, Option } from '../command-line/command.ts';
import { commonOptions } from '../command-line/parse.ts';

/** An option with the data that completion scripts need. */
export interface CompletionOption extends Option {
  readonly name: string;
  /** Suggested values; empty for paths and free text. */
  readonly candidates: readonly string[];
  /** Whether its value is a path. */
  readonly isPath: boolean;
}

/** Returns the options of a command, including the common ones. */
export function optionsOf(command: Command): readonly CompletionOption[] {
  return Object.entries<Option>({ ...command.options, ...commonOptions }).map(([name, option]) => ({
    ...option,
    name,
    candidates: option.values ?? option.suggestions ?? [],
    isPath: option.value === '<path>',
  }));
}

/** Whether the first argument of a command is a file. */
export function takesFile(command: Command): boolean {
  return command.usage.some((form) => form.includes('.json'));
}

/** Quotes a text with the single quotes of a POSIX shell. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
