import { exitCodes } from '../errors/exit-codes.ts';
import type { Command, Option } from './command.ts';
import { commonOptions } from './parse.ts';

/** Maximum characters in a line of help. */
const WIDTH = 100;

/** Returns the output of `millrace --help`. */
export function generalHelp(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return `Usage: millrace <command> [options]

${commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}\n`).join('')}
Run "millrace <command> --help" for details about a command, or "millrace --version" for the version.

Select a service with --service or MILLRACE_URL, and its keys with MILLRACE_KEY and MILLRACE_RENDER_KEY (or …_FILE).
Without a service, Millrace runs inside the command until the command ends.

Exit codes:
${Object.values(exitCodes)
  .map(({ code, description }) => `  ${String(code).padStart(3)}  ${description}\n`)
  .join('')}`;
}

/** Returns the usage of a command, one line for each form. */
export function usageOf(command: Command): string {
  return command.usage
    .map((form, index) => `${index === 0 ? 'Usage: ' : '       '}millrace ${command.name} ${form}`.trimEnd())
    .join('\n')
    .concat('\n');
}

/** Returns the output of `millrace <command> --help`. */
export function helpOf(command: Command): string {
  const rows = Object.entries<Option>({ ...command.options, ...commonOptions }).map(
    ([name, { short, value, description }]) => ({
      name: `${short === undefined ? '    ' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`,
      description,
    }),
  );
  const width = Math.max(...rows.map(({ name }) => name.length));
  const options = rows.map(({ name, description }) => {
    const [first = '', ...more] = wrap(description, WIDTH - width - 4);
    return [`  ${name.padEnd(width)}  ${first}\n`, ...more.map((line) => `${' '.repeat(width + 4)}${line}\n`)].join('');
  });
  const details = command.details === undefined ? '' : `\n${command.details}\n`;
  return `${usageOf(command)}\n${command.summary}\n\n${options.join('')}${details}`;
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
