import { describe, expect, inject, test } from 'vitest';
import { describeJob, render } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { packetTimes } from '../support/media.ts';

const service = inject('serviceUrl');

/** A job for a clip of a playlist that begins with a key frame. */
const clipOf = (name: string, ext: string, start: number, end: number) =>
  describeJob('convert_format', [{ url: labFile(`/playlists/${name}`).url, ext: 'm3u8' }], ext, {
    clip: { start, end },
  });

describe('a clip of video and audio that begin at different times', () => {
  test.each([
    ['has audio from where that begins on', 'late-audio.m3u8', 10, 15, [0, 5], [2, 5]],
    ['has audio from where that begins on', 'late-fragments.m3u8', 10, 15, [0, 5], [2, 5]],
    ['has the video of its part', 'out-of-step.m3u8', 10, 15, [0, 5], [0, 5]],
    ['has the audio of its part, before the video begins', 'out-of-step.m3u8', 2, 6, [2, 4], [0, 4]],
    ['has the audio of its part in packed AAC', 'wraps-10.m3u8', 10, 15, [0, 5], [0, 5]],
  ] as const)('%s: %s from %d to %d s', async (_what, name, start, end, video, audio) => {
    for (const ext of ['mp4', 'mkv']) {
      const { file } = await render(service, clipOf(name, ext, start, end));
      for (const { kind, packets } of await packetTimes(file)) {
        const [first, last] = kind === 'video' ? video : audio;
        expect(Math.abs(Math.min(...packets.map(({ time }) => time)) - first)).toBeLessThan(0.15);
        expect(Math.abs(Math.max(...packets.map((one) => one.end)) - last)).toBeLessThan(0.15);
      }
    }
  });
});

test.each([
  ['late-audio.m3u8', 2, 6, 'before its audio begins'],
  ['out-of-step.m3u8', 21, 23, 'after its audio has ended'],
])('a clip of %s from %d to %d s, %s, has video only, with a note', async (name, start, end) => {
  const { event, file } = await render(service, clipOf(name, 'mp4', start, end));
  expect(event.output?.notes.map(({ message }) => message)).toEqual(['Input 1 has no audio in the clip.']);
  expect((await packetTimes(file)).map(({ kind }) => kind)).toEqual(['video']);
});

test.each([
  ['in which a segment is missing has a note', 10, 1],
  ['after a missing segment has no note', 12, 0],
])('a clip %s', async (_what, start, notes) => {
  const { event } = await render(service, clipOf('gaps.m3u8', 'mp4', start, 15));
  expect(event.output?.notes.map(({ code }) => code)).toEqual(Array(notes).fill('segments_missing'));
});
