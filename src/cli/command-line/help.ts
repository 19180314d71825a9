import { exitCodes } from '../errors/exit-codes.ts';
import { aliasesOf } from './aliases.ts';
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
  const options = Object.entries<Option>({ ...command.options, ...commonOptions });
  const groups = Map.groupBy(options, ([, { group = '' }]) => group);
  const width = Math.max(...options.map(([name, option]) => nameColumn(name, option).length));
  const sections = [...groups].map(([title, members]) => {
    const rows = members.map(([name, option]) => rowOf(nameColumn(name, option), option.description, width));
    return `${title === '' ? '' : `\n${title}:\n`}${rows.join('')}`;
  });
  const details = command.details === undefined ? '' : `\n${command.details}\n`;
  return `${usageOf(command)}\n${command.summary}\n\n${sections.join('')}${aliasText(command)}${details}`;
}

function nameColumn(name: string, { short, value }: Option): string {
  return `${short === undefined ? '    ' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;
}

function rowOf(name: string, description: string, width: number): string {
  const [first = '', ...more] = wrap(description, WIDTH - width - 4);
  return [`  ${name.padEnd(width)}  ${first}\n`, ...more.map((line) => `${' '.repeat(width + 4)}${line}\n`)].join('');
}

/** Returns the aliases of a command's options; empty if it has none. */
function aliasText({ options }: Command): string {
  const names = Object.keys(aliasesOf(options)).map((name) => `--${name}`);
  if (names.length === 0) return '';
  const lines = wrap(names.join(', '), WIDTH - 2).map((line) => `  ${line}\n`);
  return `\nNames of yt-dlp that work as well:\n${lines.join('')}`;
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
