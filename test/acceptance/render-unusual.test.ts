import { describe, expect, inject, test } from 'vitest';
import { describeJob, render, run } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { inspect } from '../support/media.ts';

const service = inject('serviceUrl');

const job = (name: string, ext: string) => {
  return describeJob('convert_format', [{ url: labFile(`/unusual/${name}`).url, ext: 'mp4' }], ext);
};

describe('files from phones, cameras and programs are copied', () => {
  test.each([
    ['an edit list that begins before the first listed keyframe', 'edited.mp4', 'mp4', ['audio aac', 'video avc']],
    ['the same edit list into Matroska', 'edited.mp4', 'mkv', ['audio aac', 'video avc']],
    ['a track without samples', 'empty-track.mp4', 'mp4', ['video avc']],
    ['a track of timed metadata', 'data-track.mp4', 'mp4', ['video avc']],
    ['a track of timecodes that the container refuses', 'timecode.mp4', 'mov', ['video avc']],
    ['media that declares more bytes than it has', 'long-mdat.mp4', 'mp4', ['audio aac', 'video avc']],
  ])('with %s', async (_what, name, ext, tracks) => {
    const { file } = await render(service, job(name, ext));
    const content = await inspect(file);
    expect(content.tracks.map(({ kind, codec }) => `${kind} ${codec}`).sort()).toEqual(tracks);
    if (name === 'edited.mp4') {
      // The copy begins at the keyframe at 0 s, because a copy cannot begin between two keyframes.
      for (const { duration } of content.tracks) expect(duration).toBeLessThan(2.4);
    } else {
      for (const { packets } of content.tracks) expect(packets).toBeGreaterThanOrEqual(300);
    }
  });
});

describe('a single frame beside twelve seconds of audio in MPEG-TS', () => {
  const { url } = labFile('/unusual/one-picture.ts');
  const input = { url, ext: 'ts' };
  const sound = { url: labFile('/media/amber-2/audio.mp4').url, ext: 'mp4' };

  test.each([
    ['convert_format', [input], 'mp4'],
    ['convert_format', [input], 'mkv'],
    ['mix_audio_and_video', [input, sound], 'mp4'],
  ] as const)('is kept by %s', async (operation, inputs, ext) => {
    const { file } = await render(service, describeJob(operation, inputs, ext));
    const { tracks, duration } = await inspect(file);
    expect(tracks.map(({ kind }) => kind).sort()).toEqual(['audio', 'video']);
    expect(tracks.find(({ kind }) => kind === 'video')).toMatchObject({ codec: 'avc', packets: 1 });
    expect(Math.abs(duration - 12)).toBeLessThan(0.2);
  });
});

test('audio that cannot be decoded fails the job instead of being left out', async () => {
  const damaged = job('misplaced.mp4', 'mkv');
  const encoded = { ...damaged, operation: { ...damaged.operation, copyStreams: false } };
  expect(await run(service, encoded)).toMatchObject({
    status: 'failed',
    error_code: 'input_unreadable',
    retryable: false,
    input: 0,
    error: expect.stringMatching(
      /The aac audio of input 1 is damaged: [3-6]\.\d s of 12\.\d s could not be decoded\. .*set copyStreams to true/,
    ),
  });
});

test('a file that is shorter at its source than it declares fails, and is delivered by no_process', async () => {
  const input = { url: labFile('/media/amber-2/movie-360.mp4', { instead: 'third' }).url, ext: 'mp4' };
  expect(await run(service, describeJob('convert_format', [input], 'mkv'))).toMatchObject({
    status: 'failed',
    error_code: 'input_incomplete',
    retryable: false,
    input: 0,
    error: expect.stringMatching(/^Input 1 is cut short: .* so use another source, or the operation no_process/),
  });
  const { file } = await render(service, describeJob('no_process', [input], 'mp4'));
  expect(file.length).toBeGreaterThan(0);
});

test('video that players cannot play is not copied, and the error suggests a solution', async () => {
  expect(await run(service, job('motion-jpeg.mp4', 'mp4'))).toMatchObject({
    status: 'failed',
    error:
      'Processing failed (incompatible codecs for the container mp4): players do not play the mjpeg video ' +
      '(input 1, stream 0) in MP4. Choose output.ext mov or mkv, or set copyStreams to false to re-encode.',
  });
});
