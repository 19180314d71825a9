import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { generalHelp, helpOf } from './command-line/help.ts';
import { parseCommand, parseWholeNumber } from './command-line/parse.ts';
import { commands } from './commands.ts';
import { optionsOf } from './completions/completion-options.ts';
import { completionScript } from './completions/completion-script.ts';
import { UsageError } from './errors/command-errors.ts';
import { exitCodes } from './errors/exit-codes.ts';

function commandOf(name: string) {
  const command = commands.find((entry) => entry.name === name);
  if (command === undefined) throw new Error(`unknown command ${name}`);
  return command;
}

describe('help', () => {
  test('lists every command and exit code', () => {
    const help = generalHelp(commands);
    for (const { name, summary } of commands) expect(help).toMatch(new RegExp(`^  ${name} +${summary}$`, 'm'));
    for (const { code, description } of Object.values(exitCodes)) expect(help).toContain(`${code}  ${description}\n`);
  });

  test.each(commands.map((command) => [command.name, command] as const))('of %s lists each option', (_, command) => {
    const help = helpOf(command);
    for (const { name } of optionsOf(command)) expect(help).toContain(`--${name}`);
    for (const line of help.split('\n')) expect(line.length).toBeLessThanOrEqual(120);
  });
});

describe('completions', () => {
  test.each(['bash', 'zsh', 'fish'])('of %s contain every command and option', (shell) => {
    const script = completionScript(shell, commands) ?? '';
    for (const command of commands) {
      expect(script).toContain(command.name);
      for (const { name } of optionsOf(command))
        expect(script).toContain(shell === 'fish' ? `-l ${name}` : `--${name}`);
    }
  });

  test('are undefined for an unknown shell', () => {
    expect(completionScript('csh', commands)).toBeUndefined();
  });

  test.each([
    ['a command', ['millrace', 'se'], 'search serve'],
    ['an option', ['millrace', 'get', '--qual'], '--quality'],
    ['a value', ['millrace', 'get', '--quality', 'be'], 'best'],
    ['an enumerated value', ['millrace', 'transcript', '--format', 's'], 'srt'],
    ['a first argument', ['millrace', 'keys', 'ro'], 'rotate'],
    ['an option without suggestions', ['millrace', 'get', '--country', ''], ''],
  ])('of bash complete %s', (_, words, expected) => {
    const script = `${completionScript('bash', commands)}
      COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _millrace; echo "\${COMPREPLY[*]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', ...words], { encoding: 'utf8' });
    expect([stdout.trim(), stderr]).toEqual([expected, '']);
  });
});

describe('a command line', () => {
  test('is parsed with options in any position', () => {
    const parsed = parseCommand(commandOf('get'), ['-f', 'abc', '--quality=720p', '-o', 'x']);
    expect(parsed).toEqual({
      values: { force: true, quality: '720p', output: 'x' },
      positionals: ['abc'],
      help: false,
    });
  });

  test('is parsed with values that start with a dash and a digit', () => {
    const parsed = parseCommand(commandOf('get'), ['--clip', '-1:30', '-o', 'x', 'abc']);
    expect(parsed).toMatchObject({ values: { clip: '-1:30', output: 'x' }, positionals: ['abc'] });
    expect(parseCommand(commandOf('get'), ['--force', '--', '-1abc']).positionals).toEqual(['-1abc']);
    expect(() => parseCommand(commandOf('get'), ['abc', '--clip', '-f'])).toThrow(UsageError);
  });

  test('is parsed with --help even if arguments are missing', () => {
    expect(parseCommand(commandOf('get'), ['-h']).help).toBe(true);
  });

  test.each([
    ['too few arguments', 'get', [], /missing/],
    ['too many arguments', 'get', ['a', 'b'], /"b"/],
    ['an unknown option', 'get', ['a', '--qualty', 'x'], /--qualty.*Did you mean --quality/],
    ['an option that resembles none', 'get', ['a', '--zzzzzz'], /--zzzzzz.*"--"/],
    ['an option without its value', 'get', ['a', '--quality'], /--quality/],
    ['an invalid value', 'transcript', ['a', '--format', 'doc'], /text, srt, vtt, json/],
  ])('is rejected with %s', (_, name, args, message) => {
    expect(() => parseCommand(commandOf(name), args)).toThrow(UsageError);
    expect(() => parseCommand(commandOf(name), args)).toThrow(message);
  });

  test('is rejected if a number is not whole or too small', () => {
    expect(parseWholeNumber('limit', '20', 1)).toBe(20);
    for (const text of ['0', '-1', '1.5', 'x', '1e99'])
      expect(() => parseWholeNumber('limit', text, 1)).toThrow('--limit');
  });
});
