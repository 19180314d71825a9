import { spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aliases, aliasesOf } from './command-line/aliases.ts';
import { generalHelp, helpOf } from './command-line/help.ts';
import { parseCommand, parseWholeNumber } from './command-line/parse.ts';
import { suggestionFor } from './command-line/suggestion.ts';
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

test('help of get lists its options under headings, each once', () => {
  const help = helpOf(commandOf('get'));
  const headings = [...help.matchAll(/^(\S.*):$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual([
    ...['What to get', 'What the file contains', 'Files', 'Downloads', 'Output', 'Config file and service'],
    'Names of yt-dlp that work as well',
  ]);
  for (const { name } of optionsOf(commandOf('get'))) {
    expect(help.split('\n').filter((line) => new RegExp(`^  (?:-\\w, |    )--${name}(?: |$)`).test(line))).toHaveLength(
      1,
    );
  }
});

describe('aliases', () => {
  test('stand for an option that exists', () => {
    const names = new Set(commands.flatMap(({ options }) => Object.keys(options)));
    for (const { option } of Object.values(aliases)) expect(names).toContain(option);
  });

  test.each(commands.map((command) => [command.name, command] as const))('of %s collide with nothing', (_, command) => {
    const options = optionsOf(command);
    const shorts = options.flatMap(({ short }) => short ?? []);
    expect(new Set(shorts).size).toBe(shorts.length);
    for (const alias of Object.keys(aliasesOf(command.options))) {
      expect(options.map(({ name }) => name)).not.toContain(alias);
      expect(helpOf(command)).toContain(`--${alias}`);
    }
  });

  test.each([
    [['--format', 'b[height<=720]'], { quality: 'b[height<=720]' }],
    [['-x'], { audio: 'original' }],
    [['-x', 'mp3'], { audio: 'mp3' }],
    [['--extract-audio', '--audio-format', 'mp3', '--audio-quality', '192K'], { audio: 'mp3', 'audio-bitrate': '192' }],
    [['--audio-format', 'best', '-x'], { audio: 'original' }],
    [['--audio-format', 'mp3', '-x'], { audio: 'mp3' }],
    [['--download-sections', '*1:30-2:00'], { clip: '1:30-2:00' }],
    [['--download-sections', '*90-inf'], { clip: '90-' }],
    [['--sub-langs', 'en.*,de', '--write-subs'], { subtitles: 'en,de', 'write-subtitles': 'srt' }],
    [['--embed-thumbnail', '--write-thumbnail'], { 'embed-cover': true, 'write-cover': true }],
    [['-F'], { list: true }],
    [['-R', '3'], { retries: '3' }],
  ])('of get are read: %j', (args, values) => {
    const positionals = ['lab-plain30'];
    expect(parseCommand(commandOf('get'), [...args, ...positionals])).toEqual({ values, positionals, help: false });
  });

  test.each([
    [['--audio-quality', '0'], /192K/],
    [['-P', 'films'], /^Millrace has no -P\. Set --output to a folder/],
    [['--cookies', 'c.txt'], /public content/],
    [['--download-sections', 'intro'], /\*1:30-2:00/],
    [['--sub-langs', 'all'], /--embed subtitles/],
    [['--audio-format', 'aiff'], /--audio must be one of/],
    [['--audio', 'aiff'], /--audio must be one of/],
  ])('of get are refused without an equivalent: %j', (args, message) => {
    expect(() => parseCommand(commandOf('get'), [...args, 'abc'])).toThrow(UsageError);
    expect(() => parseCommand(commandOf('get'), [...args, 'abc'])).toThrow(message);
  });
});

test('the replacements of get are not options that it has', () => {
  const { options, replacements = {} } = commandOf('get');
  const known = new Set([...Object.keys(options), ...Object.keys(aliasesOf(options))]);
  for (const { short } of optionsOf(commandOf('get'))) if (short !== undefined) known.add(short);
  expect(Object.keys(replacements).filter((name) => known.has(name))).toEqual([]);
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
  ])('of bash complete %s', { tags: ['long'] }, (_, words, expected) => {
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

  test('is parsed with IDs that start with a dash', () => {
    const ids = (...args: string[]) => parseCommand(commandOf('get'), args).positionals;
    expect(ids('-AbCdEfGhIj', '--force', '-_bCdEfGhIj')).toEqual(['-AbCdEfGhIj', '-_bCdEfGhIj']);
    expect(ids('--', '-ofghijklmn')).toEqual(['-ofghijklmn']);
    expect(parseCommand(commandOf('get'), ['-ofghijklmn', 'abc']).values).toEqual({ output: 'fghijklmn' });
    expect(() => ids('--bcdefghij')).toThrow('millrace get -- --bcdefghij');
  });

  test('replaces ~/ at the start of paths only', () => {
    const { values } = parseCommand(commandOf('get'), [
      '-o',
      '~/{title}.mp4',
      '--archive=~/seen',
      '--quality',
      '~/x',
      'a',
    ]);
    expect(values).toEqual({
      output: join(homedir(), '{title}.mp4'),
      archive: join(homedir(), 'seen'),
      quality: '~/x',
    });
  });

  test('is parsed with --help even if arguments are missing', () => {
    expect(parseCommand(commandOf('get'), ['-h']).help).toBe(true);
  });

  test.each([
    ['too few arguments', 'info', [], /missing/],
    ['too many arguments', 'info', ['a', 'b'], /"b"/],
    ['an unknown option', 'get', ['a', '--qualty', 'x'], /--qualty.*Did you mean --quality/],
    ['an option that resembles none', 'get', ['a', '--zzzzzz'], /--zzzzzz.*"millrace get --help"/],
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

test.each([
  ['gte', 'get'],
  ['ifno', 'info'],
  ['sear', 'search'],
  ['xyz', undefined],
])('the suggestion for %s is %s', (word, suggestion) => {
  const names = commands.map(({ name }) => name);
  expect(suggestionFor(word, names)).toBe(suggestion);
});
