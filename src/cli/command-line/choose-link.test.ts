import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../errors/command-errors.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { recordingStream } from '../testing/recording-stream.ts';
import { chooseLink } from './choose-link.ts';

const { signal } = new AbortController();

/** Chooses a link with the given input lines. Returns its target, and what was written for people. */
async function choose(text: string, { input = '', interactive = false, silent = false } = {}) {
  const { stream, output } = recordingStream();
  const lines: string[] = [];
  const terminal: Terminal = {
    print: () => Promise.resolve(),
    write: () => Promise.resolve(),
    say: (line) => lines.push(line),
    interactive,
    outputIsTerminal: interactive,
    // A pipe has those members of standard input that the prompt uses.
    input: Object.assign(new PassThrough(), { isTTY: true }) as unknown as NodeJS.ReadStream,
    error: stream,
  };
  const typing = setInterval(() => {
    const [line, ...rest] = input.split('\n');
    input = rest.join('\n');
    terminal.input.push(`${line}\r`);
  }, 20);
  try {
    const { platform, endpoint } = await chooseLink(text, terminal, signal, silent);
    return { target: `${platform} ${endpoint}`, lines, output: output() };
  } finally {
    clearInterval(typing);
  }
}

const accounts = [
  '   1  YouTube channel    https://www.youtube.com/@name',
  '   2  TikTok profile     https://www.tiktok.com/@name',
  '   3  Instagram profile  https://www.instagram.com/name/',
];

describe('a link', () => {
  test('is used without a word', async () => {
    const chosen = await choose('https://www.tiktok.com/@name', { interactive: true });
    expect(chosen).toEqual({ target: 'p4 user/details', lines: [], output: '' });
  });

  test('that belongs to no platform is a usage error', async () => {
    await expect(choose('hello', { interactive: true })).rejects.toThrow(UsageError);
  });
});

describe('a name that several platforms have', () => {
  test('is chosen at a terminal', async () => {
    const { target, lines, output } = await choose(' @name ', { interactive: true, input: '9\n2' });
    expect(target).toBe('p4 user/details');
    expect(lines).toEqual([
      '@name can be:',
      ...accounts,
      'Enter a number from 1 to 3, or press Enter for the first account.',
    ]);
    expect(output).toContain('Select an account [1]: ');
  });

  test('is the first one if the person presses Enter, or enters nothing valid', async () => {
    const target = 'p1 channel/id-from-handle';
    expect(await choose('@name', { interactive: true, input: '' })).toMatchObject({ target });
    expect(await choose('@name', { interactive: true, input: 'x\n0\n4' })).toMatchObject({ target });
  });

  test('is the first one without a terminal, and the links to the others are listed', async () => {
    expect(await choose('@name')).toEqual({
      target: 'p1 channel/id-from-handle',
      lines: [
        'Treating @name as a YouTube channel. For another target, use its link:',
        '  TikTok profile     https://www.tiktok.com/@name',
        '  Instagram profile  https://www.instagram.com/name/',
      ],
      output: '',
    });
  });

  test('is the first one without a word if a program reads the output', async () => {
    const target = 'p1 channel/id-from-handle';
    expect(await choose('@name', { interactive: true, silent: true })).toEqual({ target, lines: [], output: '' });
  });
});

test('an ID is used for the platform to which it most likely belongs, and the links to the others are listed', async () => {
  const { target, lines } = await choose('7608826249200356630', { interactive: true });
  expect(target).toBe('p4 post/details');
  expect(lines).toEqual([
    'Treating 7608826249200356630 as a TikTok post. For another target, use its link:',
    '  Pinterest pin      https://www.pinterest.com/pin/7608826249200356630/',
  ]);
});

test('an ID of eleven characters is a YouTube video without a word', async () => {
  expect(await choose('jNQXAC9IVRw')).toEqual({ target: 'p1 video/details', lines: [], output: '' });
});
