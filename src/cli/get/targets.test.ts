import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { Terminal } from '../terminal/terminal.ts';
import type { GetValues } from './get-options.ts';
import { hasSeveralItems, readTargets } from './targets.ts';

/** Reads the targets of an invocation. Returns them with what was said. */
async function read(positionals: readonly string[], values: GetValues = {}, input = '') {
  const lines: string[] = [];
  const terminal = {
    interactive: false,
    say: (text: string) => lines.push(text),
    input: Readable.from([Buffer.from(input)]),
  } as unknown as Terminal; // Has the members that reading targets uses.
  const { signal } = new AbortController();
  const invocation = { values, positionals, terminal, signal, environment: {} };
  const targets = await readTargets(invocation, { quality: undefined, extension: undefined, parameters: {} });
  return { targets, lines, isMany: hasSeveralItems(targets, values) };
}

const video = 'https://www.youtube.com/watch?v=lab-plain30';
const list = 'PLnjd5uX9KfBXznMBgXO3INBCCJ2vzonJR';

describe('the targets of get', () => {
  test.each([
    ['search:steam trains', 1],
    ['ytsearch:steam trains', 1],
    ['search12:steam trains', 12],
    ['ytsearchall:steam trains', Number.POSITIVE_INFINITY],
  ])('can be a search: %s', async (text, limit) => {
    const { targets, isMany } = await read([text]);
    const link = { platform: 'p1', endpoint: 'search/video', parameters: { query: 'steam trains' } };
    expect([targets, isMany]).toEqual([[{ text, limit, link }], true]);
  });

  test('are a video, and not the list in its link, which is named', async () => {
    const { targets, lines, isMany } = await read([`${video}&list=${list}`]);
    expect([targets, isMany]).toMatchObject([[{ link: { endpoint: 'video/details' } }], false]);
    expect(lines).toEqual([
      `Getting only the video. For its list: millrace get 'https://www.youtube.com/playlist?list=${list}'`,
    ]);
    expect((await read([`${video}&list=${list}`], { json: true })).lines).toEqual([]);
  });

  test.each([
    ['several links', [video, 'https://youtu.be/lab-min-002'], {}],
    ['a list', [`https://www.youtube.com/playlist?list=${list}`], {}],
    ['a list of one link', [], { 'batch-file': '-' }],
    ['an archive', [video], { archive: 'seen' }],
  ])('have several items with %s', async (_, positionals, values) => {
    expect((await read(positionals, values, video)).isMany).toBe(true);
  });

  test('are errors if they are no links, unless there is only one', async () => {
    const { targets } = await read([video], { 'batch-file': '-' }, 'not a link\n');
    expect(targets).toMatchObject([{ text: video }, { text: 'not a link', error: { name: 'UsageError' } }]);
    await expect(read(['not a link'])).rejects.toThrow('"not a link" is not a link');
    await expect(read([])).rejects.toThrow('An argument is missing');
  });

  test('are checked against the options', async () => {
    const tiktok = 'https://www.tiktok.com/@thelab/video/7559142440960000001';
    await expect(read([tiktok], { 'write-subtitles': 'srt' })).rejects.toThrow('only available for YouTube');
  });
});
