import { describe, expect, inject, test } from 'vitest';
import type { Picture } from '../../lab/media/testing/read.ts';
import { firstRows } from '../support/first-rows.ts';
import { describeJob, render, run } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { contentsOf, packetTimes } from '../support/media.ts';
import { picturesBesideSound, picturesOf } from '../support/pictures.ts';

const service = inject('serviceUrl');
const labUrl = inject('labUrl');

const job = (
  path: string,
  ext: string,
  more: { clip?: { start: number; end: number }; copyStreams?: boolean } = {},
) => {
  const { clip, copyStreams = true } = more;
  const input = { url: labFile(path).url, ext: path.split('.').at(-1) ?? '' };
  const operation = { type: 'convert_format', copyStreams };
  return { ...describeJob(operation.type, [input], ext, clip && { clip }), operation };
};

const labBytes = async (path: string) => Buffer.from(await (await fetch(`${labUrl}${path}`)).arrayBuffer());

/** The recording of a browser that `/unusual/` files are made of. */
const recorded = { webm: '/media/amber-12/recorded-180.webm', mp4: '/media/amber-12/recorded-180.mp4' };
/** Fragments with B-frames and without edit lists: the video begins 80 ms after the audio. */
const fragments = '/media/amber-12/fragments-180.mp4';

/** Seconds that a recording was paused. */
const pause = 5;
/** Adds the pause to the times of pictures in milliseconds. The first one after it is displayed at `from`. */
const withPause = (pictures: readonly Picture[], from: number) =>
  pictures.map(({ time, digest }) => ({ time: time < from ? time : time + pause * 1000, digest }));

/** Returns the break of over a second in each stream that has one: the second in which it begins, and its length. */
async function breaksOf(file: Buffer): Promise<Record<string, number[]>> {
  const breaks = (await packetTimes(file)).flatMap(({ kind, packets }) => {
    const times = packets.map(({ time }) => time).sort((a, b) => a - b);
    const at = times.findIndex((time, index) => time - (times[index - 1] ?? time) > 1);
    const [before = 0, after = 0] = [times[at - 1], times[at]];
    return at < 0 ? [] : [[kind, [before, after - before].map(Math.round)] as const];
  });
  return Object.fromEntries(breaks);
}

const never = Number.POSITIVE_INFINITY;
/** Copies: the recording without the pause, and when the first picture after the pause is displayed in milliseconds. */
const copies: [what: string, path: string, ext: string, real: string, from: number][] = [
  ['without sizes, duration and index', '/unusual/recorded.webm', 'mp4', recorded.webm, never],
  ['that was paused', '/unusual/paused.webm', 'mp4', recorded.webm, 2000],
  ['of fragments without a duration', recorded.mp4, 'mp4', recorded.mp4, never],
  ['of fragments that was paused', '/unusual/paused.mp4', 'mp4', recorded.mp4, 2080],
  ['without sizes, duration and index', '/unusual/recorded.webm', 'webm', recorded.webm, never],
  ['that was paused', '/unusual/paused.webm', 'webm', recorded.webm, 2000],
  ['of fragments without a duration', recorded.mp4, 'mkv', recorded.mp4, never],
  ['of fragments that was paused', '/unusual/paused.mp4', 'mkv', recorded.mp4, 2080],
];

describe('a recording of a browser', () => {
  for (const { rows, options } of firstRows(4, copies)) {
    test.each(rows)(
      '%s is copied whole, with its pause and with picture and sound in step: %s to %s',
      options,
      async (_what, path, ext, real, from) => {
        const { event, file } = await render(service, job(path, ext));
        expect(event.output?.notes).toEqual([]);
        const source = await labBytes(real);
        expect(await picturesBesideSound(file)).toEqual(withPause(await picturesBesideSound(source), from));
        expect(await contentsOf(file)).toEqual(await contentsOf(source));
        expect(await breaksOf(file)).toEqual(from === never ? {} : { video: [2, pause], audio: [2, pause] });
      },
    );
  }

  test('that was paused is encoded with silence during its pause', { tags: ['long'] }, async () => {
    const { event, file } = await render(service, job('/unusual/paused.webm', 'mp4', { copyStreams: false }));
    expect(event.output?.notes).toEqual([]);
    const pictures = withPause(await picturesOf(await labBytes(recorded.webm)), 2000);
    expect((await picturesOf(file)).map(({ time }) => time)).toEqual(pictures.map(({ time }) => time));
    expect(await breaksOf(file)).toEqual({ video: [2, pause] });
  });

  test.each([
    ['/unusual/paused.webm', recorded.webm, 2000],
    ['/unusual/paused.mp4', recorded.mp4, 2080],
  ])('is cut to a clip over its pause: %s', async (path, real, from) => {
    const [start, end] = [1000, 8000];
    const { event, file } = await render(service, job(path, 'mp4', { clip: { start: start / 1000, end: end / 1000 } }));
    expect(event.output?.notes).toMatchObject([{ code: 'clip_without_index', input: 0 }]);
    const whole = withPause(await picturesOf(await labBytes(real)), from);
    expectClip(await picturesOf(file), whole, start, end);
  });

  test.each([['/unusual/cut.webm'], ['/unusual/cut.mp4']])(
    'that is cut off is refused, and the error states the missing bytes: %s',
    async (path) => {
      expect(await run(service, job(path, 'mp4'))).toMatchObject({
        status: 'failed',
        error_code: 'input_incomplete',
        retryable: false,
        input: 0,
        error: expect.stringMatching(/^Input 1 is cut short: its last part .*needs \d+ bytes/),
      });
    },
  );
});

describe.each([
  ['with B-frames and without an edit list', fragments],
  ['with negative decoding times', '/unusual/negative.mp4'],
])('fragmented MP4 %s', (_what, path) => {
  test.each(['mp4', 'mkv'])('is copied to %s with picture and sound in step', async (ext) => {
    const { event, file } = await render(service, job(path, ext));
    expect(event.output?.notes).toEqual([]);
    const pictures = await picturesBesideSound(file);
    expect(pictures.map(({ time }) => time)).toEqual(Array.from({ length: 300 }, (_, at) => 80 + 40 * at));
    const source = await labBytes(fragments);
    expect(pictures).toEqual(await picturesBesideSound(source));
    expect(await contentsOf(file)).toEqual(await contentsOf(source));
  });

  test.each([
    // The sound of the third fragment begins at 4.00 s, and its picture at 4.08 s.
    [4040, 7040],
    [5000, 8000],
  ])('is cut to a clip that has all its frames: from %i ms', async (start, end) => {
    const { event, file } = await render(service, job(path, 'mp4', { clip: { start: start / 1000, end: end / 1000 } }));
    expect(event.output?.notes).toEqual([]);
    expectClip(await picturesOf(file), await picturesOf(await labBytes(fragments)), start, end);
  });
});

/** Checks that a clip has exactly the frames that begin within its bounds, in milliseconds, at their times. */
function expectClip(clip: readonly Picture[], whole: readonly Picture[], start: number, end: number): void {
  const expected = whole.filter(({ time }) => time >= start && time < end);
  expect(clip.map(({ digest }) => digest)).toEqual(expected.map(({ digest }) => digest));
  clip.forEach(({ time }, at) => {
    expect(Math.abs(time - ((expected[at]?.time ?? 0) - start)), `frame ${at}`).toBeLessThan(10);
  });
}
