import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commands } from '../commands.ts';
import { UsageError } from '../errors/command-errors.ts';
import { parseWithConfig } from './apply-config.ts';
import { configPath } from './config-file.ts';
import { splitWords } from './words.ts';

let folder: string;
let environment: NodeJS.ProcessEnv;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-config-'));
  environment = { XDG_CONFIG_HOME: folder };
});

afterEach(() => rm(folder, { recursive: true }));

/** Parses arguments with the lines of a config file. */
async function parse(args: readonly string[], lines: readonly string[] = []) {
  const [name = '', ...rest] = args;
  const command = commands.find((entry) => entry.name === name);
  if (command === undefined) throw new Error(`unknown command ${name}`);
  await mkdir(join(folder, 'millrace'), { recursive: true });
  await writeFile(join(folder, 'millrace', 'config'), lines.join('\n'));
  return parseWithConfig(
    command,
    rest,
    commands.filter(({ usesConfig }) => usesConfig === true),
    environment,
  );
}

test.each([
  ['', []],
  ['  # comment', []],
  ['-o "{title} [{id}].{ext}" # as for yt-dlp', ['-o', '{title} [{id}].{ext}']],
  ['--output \'~/a b/\'"c"', ['--output', '~/a b/c']],
  ['--quality a#b ""', ['--quality', 'a#b', '']],
  ['a\\ b "c\\"d" \'e\\f\'', ['a b', 'c"d', 'e\\f']],
  ['"open', undefined],
  ['end\\', undefined],
])('splitWords splits %j', (line, words) => {
  expect(splitWords(line)).toEqual(words);
});

test('the path follows the XDG specification', () => {
  expect(configPath({ XDG_CONFIG_HOME: '/x', HOME: '/home/me' })).toBe('/x/millrace/config');
  expect(configPath({ XDG_CONFIG_HOME: 'relative', HOME: '/home/me' })).toBe('/home/me/.config/millrace/config');
  expect(configPath({ HOME: '/home/me' })).toBe('/home/me/.config/millrace/config');
});

describe('the options of a config file', () => {
  const lines = ['# my defaults', '--quality <=720p', '', '-o "{title}.{ext}"', '--subs=en', '--country fr', '--nfo'];

  test('apply to get', async () => {
    const { values, positionals } = await parse(['get', 'abc'], lines);
    expect(values).toEqual({ quality: '<=720p', output: '{title}.{ext}', subtitles: 'en', country: 'fr', nfo: true });
    expect(positionals).toEqual(['abc']);
  });

  test('apply to info if it has them, and to no other command', async () => {
    expect((await parse(['info', 'abc'], lines)).values).toEqual({ country: 'fr' });
    expect((await parse(['transcript', 'abc'], lines)).values).toEqual({});
  });

  test('are replaced by those of the command line and their alternatives', async () => {
    expect((await parse(['get', 'abc', '--country', 'de', '-x'], lines)).values).toMatchObject({
      country: 'de',
      audio: 'original',
    });
    expect((await parse(['get', 'abc', '-x'], lines)).values.quality).toBeUndefined();
    expect((await parse(['get', 'abc', '--no-config'], lines)).values).toEqual({});
  });

  test('are shown with their lines', async () => {
    const { report } = await parse(['get', '--show-config', '--country', 'de'], lines);
    expect(report).toBe(`Config file: ${folder}/millrace/config
--country    de             command line
--nfo                       line 7
--output     {title}.{ext}  line 4
--quality    <=720p         line 2
--subtitles  en             line 5
`);
  });

  test.each([
    ['--qualty best', /config, line 2: Unknown option: --qualty. Did you mean --quality/],
    ['https://youtu.be/abc', /line 2: "https:\/\/youtu.be\/abc" is not an option/],
    ['--output a b', /line 2: "b" is too much/],
    ['--audio aiff', /line 2: --audio must be one of/],
    ['MILLRACE_KEY=abc', /line 2: keys do not belong here/],
    ['--key abc', /line 2: keys do not belong here/],
    ['--show-config', /line 2: --show-config cannot be set here/],
    ['-o "x', /line 2: a quote is not closed/],
  ])('are refused with the file and the line: %s', async (line, message) => {
    await expect(parse(['get', 'abc'], ['', line])).rejects.toThrow(UsageError);
    await expect(parse(['get', 'abc'], ['', line])).rejects.toThrow(message);
  });
});

test('a missing config file has no options, and one that cannot be read is reported', async () => {
  expect((await parse(['get', 'abc'])).values).toEqual({});
  const path = configPath(environment);
  await rm(path);
  await mkdir(path);
  const command = commands.filter(({ name }) => name === 'get');
  await expect(parseWithConfig(command[0] as never, ['abc'], command, environment)).rejects.toThrow('cannot be read');
  await rm(dirname(path), { recursive: true });
  await expect(parseWithConfig(command[0] as never, ['abc'], command, environment)).resolves.toMatchObject({
    values: {},
  });
});
