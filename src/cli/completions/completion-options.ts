import type { Command, Option } from '../command-line/command.ts';
import { commonOptions } from '../command-line/parse.ts';

/** An option with what a shell needs of it. */
export interface CompletionOption extends Option {
  readonly name: string;
  /** Values to propose; none where a file is meant, or anything. */
  readonly candidates: readonly string[];
  /** Whether its value is a path. */
  readonly isPath: boolean;
}

/** The options of a command, with those that all have. */
export function optionsOf(command: Command): readonly CompletionOption[] {
  return Object.entries<Option>({ ...command.options, ...commonOptions }).map(([name, option]) => ({
    ...option,
    name,
    candidates: option.values ?? option.suggestions ?? [],
    isPath: option.value === '<path>',
  }));
}

/** Whether the first word of a command is a file. */
export function takesFile(command: Command): boolean {
  return command.usage.some((form) => form.includes('.json'));
}

/** Text within single quotes of a POSIX shell. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
