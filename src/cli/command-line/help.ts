import { exitCodes } from '../errors/exit-codes.ts';
import type { Command, Option } from './command.ts';
import { commonOptions } from './parse.ts';

/** Characters that a line of help has at most. */
const WIDTH = 100;

/** What `millrace --help` shows. */
export function generalHelp(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return `Usage: millrace <command> [options]

${commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}\n`).join('')}
"millrace <command> --help" tells more of each. "millrace --version" tells the version.

A service is named by --service or MILLRACE_URL, its keys by MILLRACE_KEY and MILLRACE_RENDER_KEY (or …_FILE).
Without a service, Millrace runs inside the command for as long as it takes.

It ends with:
${Object.values(exitCodes)
  .map(({ code, description }) => `  ${String(code).padStart(3)}  ${description}\n`)
  .join('')}`;
}

/** How a command is called, a line for each way. */
export function usageOf(command: Command): string {
  return command.usage
    .map((form, index) => `${index === 0 ? 'Usage: ' : '       '}millrace ${command.name} ${form}`.trimEnd())
    .join('\n')
    .concat('\n');
}

/** What `millrace <command> --help` shows. */
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
