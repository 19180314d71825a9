import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { firstRows } from '../support/first-rows.ts';
import { type HostileHost, startHostileHost } from '../support/hostile-media.ts';
import { describeJob, run } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { canMeasureStalls, MAX_STALL_MS, measureStall } from '../support/loop-stall.ts';
import { type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';

const lab = inject('labUrl');
const closers: (() => Promise<void>)[] = [];
let service: RunningProcess;

beforeAll(async () => {
  const folder = await temporaryFolder();
  closers.push(folder.delete);
  const host: HostileHost = await startHostileHost();
  closers.push(host.close);
  service = await startService(lab, folder.path, { EGRESS_CONNECT_TO: `files.example=${host.url},*=${lab}` });
  closers.push(service.stop);
  // Code that the first job loads and compiles is not part of the cost of a hostile one.
  const { url } = labFile('/hls/amber-2/180/index.m3u8');
  await run(service.url, describeJob('convert_format', [{ url, ext: 'm3u8' }], 'mp4', { clip: { start: 1 } }));
});
afterAll(async () => {
  for (const stop of closers.reverse()) await stop();
});

const inputOf = (name: string) => ({ url: `http://files.example/${name}`, ext: name.split('.').at(-1) ?? '' });
const convert = (name: string, more = {}) => describeJob('convert_format', [inputOf(name)], 'mp4', more);
/** A clip of the middle of a playlist: the reader looks for a key frame before it. */
const clip = (name: string) => convert(name, { clip: { start: 25, end: 28 } });
const joined = (name: string) => {
  const movie = { url: labFile('/media/amber-2/movie-180.mp4').url, ext: 'mp4' };
  return describeJob('join_streams', [movie, inputOf(name)], 'mp4');
};

const jobs: readonly (readonly [what: string, job: () => object, error: RegExp])[] = [
  ['a clip of segments with millions of frames in one run', () => clip('run.m3u8'), /no frames/],
  ['a clip of segments with millions of units in a frame', () => clip('long-units.m3u8'), /neither a video nor/],
  ['a clip of segments with millions of units in short frames', () => clip('short-units.m3u8'), /neither a video nor/],
  ['a clip of segments of malformed packets', () => clip('malformed-units.m3u8'), /neither a video nor/],
  ['a clip of segments of empty runs', () => clip('runs.m3u8'), /cut short/],
  ['segments of empty ID3 tags', () => convert('tags.m3u8'), /not a readable/],
  ['an ID3 tag of millions of frames', () => convert('frames.mp3'), /not a readable/],
  ['millions of frames of ADTS', () => convert('adts.aac'), /no frames/],
  ['frames of 13 bytes, as many as a result may have', () => convert('silence.aac'), /^null$/],
  ['SubRip subtitles of endless cues', () => joined('cues.srt'), /Input 2/],
  ['WebVTT subtitles of endless cues', () => joined('cues.vtt'), /Input 2/],
  ['WebVTT subtitles of endless tags', () => joined('tags.vtt'), /^null$/],
  ['a bomb of gzip', () => convert('gzip.mp4'), /not a readable/],
  ['a bomb of Brotli', () => convert('brotli.mp4'), /not a readable/],
];

describe.skipIf(!canMeasureStalls)('other requests are not delayed (needs /proc) by media that consists of', () => {
  for (const { rows, options } of firstRows(1, jobs)) {
    test.each(rows)('%s', options, async (_what, job, message) => {
      const stall = await measureStall(service, async () => {
        const { error } = await run(service.url, job());
        expect(`${error}`).toMatch(message);
      });
      expect(stall.failures).toEqual([]);
      expect(stall.processor).toBeLessThanOrEqual(MAX_STALL_MS);
    });
  }
});
