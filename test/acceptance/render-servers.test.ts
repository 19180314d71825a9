import { describe, expect, inject, test } from 'vitest';
import { describeJob, render, run } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';

const service = inject('serviceUrl');

const movies = { ts: '/media/giant-10/movie-360.ts', mp4: '/media/giant-10/movie-360.mp4' } as const;

/** Downloads a file from the lab itself. */
async function original(path: string): Promise<Buffer> {
  const { url } = labFile(path);
  const { file } = await render(service, describeJob('no_process', [{ url, ext: 'bin' }], 'bin'));
  return file;
}

/** Servers that answer as HTTP allows, and unlike most others. */
const servers: readonly (readonly [name: string, faults: Record<string, string | number>, more: object])[] = [
  ['answers each range with a shorter one', { rangeLimit: 300_000 }, {}],
  ['does not state the total in ranges', { rangeTotal: 'unknown' }, {}],
  ['answers each range with a shorter one, without the total', { rangeLimit: 300_000, rangeTotal: 'unknown' }, {}],
  ['sends another ETag from each backend', { tags: 'each' }, {}],
  ['has ranges in the query, and no length', { noLength: 1 }, { chunkDownload: { type: 'query' } }],
  ['has shorter ranges in the query', { rangeLimit: 300_000 }, { chunkDownload: { type: 'query' } }],
];

describe.each(Object.entries(movies))('a file from a server is whole (%s)', (ext, path) => {
  test.each(servers)('that %s', async (_name, faults, more) => {
    const { url } = labFile(path, faults);
    const { file } = await render(service, describeJob('no_process', [{ url, ext, ...more }], ext));
    expect(file.equals(await original(path))).toBe(true);
  });
});

describe('an MP4 is the same, whatever server its input came from', () => {
  const convert = async (faults: Record<string, string | number>, more: object) => {
    const { url } = labFile(movies.mp4, faults);
    const { file } = await render(service, describeJob('convert_format', [{ url, ext: 'mp4', ...more }], 'mp4'));
    return file;
  };

  test.each(servers)('that %s', async (_name, faults, more) => {
    expect((await convert(faults, more)).equals(await convert({}, {}))).toBe(true);
  });
});

test('a file that ends before its length fails', async () => {
  const { url } = labFile(movies.ts, { noRanges: 1, length: 1000 });
  const event = await run(service, describeJob('no_process', [{ url, ext: 'ts' }], 'ts'));
  expect(event).toMatchObject({ status: 'failed', error: expect.stringContaining('Input 1 is incomplete') });
});
