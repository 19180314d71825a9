import { describe, expect, inject, test } from 'vitest';
import { describeJob, render, run } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { inspect } from '../support/media.ts';

const service = inject('serviceUrl');

const job = (name: string, ext: string) => {
  return describeJob('convert_format', [{ url: labFile(`/unusual/${name}`).url, ext: 'mp4' }], ext);
};

describe('files as phones, cameras and programs write them are copied', () => {
  test.each([
    ['an edit list that begins before the first listed key frame', 'edited.mp4', 'mp4', ['audio aac', 'video avc']],
    ['the same into Matroska', 'edited.mp4', 'mkv', ['audio aac', 'video avc']],
    ['a track without samples', 'empty-track.mp4', 'mp4', ['video avc']],
    ['a track of timed metadata', 'data-track.mp4', 'mp4', ['video avc']],
    ['a track of timecodes that the container refuses', 'timecode.mp4', 'mov', ['video avc']],
    ['media that claims more bytes than there are', 'long-mdat.mp4', 'mp4', ['audio aac', 'video avc']],
  ])('%s', async (_what, name, ext, tracks) => {
    const { file } = await render(service, job(name, ext));
    const content = await inspect(file);
    expect(content.tracks.map(({ kind, codec }) => `${kind} ${codec}`).sort()).toEqual(tracks);
    if (name === 'edited.mp4') {
      // Up to the key frame at 0 s, since a copy cannot begin between two.
      for (const { duration } of content.tracks) expect(duration).toBeLessThan(2.4);
    } else {
      for (const { packets } of content.tracks) expect(packets).toBeGreaterThanOrEqual(300);
    }
  });
});

describe('a single picture beside twelve seconds of sound in MPEG-TS', () => {
  const { url } = labFile('/unusual/one-picture.ts');
  const input = { url, ext: 'ts' };
  const sound = { url: labFile('/media/amber-2/audio.mp4').url, ext: 'mp4' };

  test.each([
    ['convert_format', [input], 'mp4'],
    ['convert_format', [input], 'mkv'],
    ['mix_audio_and_video', [input, sound], 'mp4'],
  ] as const)('%s', async (operation, inputs, ext) => {
    const { file } = await render(service, describeJob(operation, inputs, ext));
    const { tracks, duration } = await inspect(file);
    expect(tracks.map(({ kind }) => kind).sort()).toEqual(['audio', 'video']);
    expect(tracks.find(({ kind }) => kind === 'video')).toMatchObject({ codec: 'avc', packets: 1 });
    expect(Math.abs(duration - 12)).toBeLessThan(0.2);
  });
});

test('what cannot be decoded is not left out of a file that is done', async () => {
  const damaged = job('misplaced.mp4', 'mkv');
  const encoded = { ...damaged, operation: { ...damaged.operation, copyStreams: false } };
  expect(await run(service, encoded)).toMatchObject({
    status: 'failed',
    error_code: 'input_unreadable',
    retryable: false,
    input: 0,
    error: expect.stringMatching(
      /The aac audio of input 1 is damaged: [3-6]\.\d s of 12\.\d s could not be decoded\. .*set copyStreams true/,
    ),
  });
});

test('what players would not play is not copied, and the message says so', async () => {
  expect(await run(service, job('motion-jpeg.mp4', 'mp4'))).toMatchObject({
    status: 'failed',
    error:
      'Processing failed (incompatible codecs for the container mp4): players do not play the mjpeg video ' +
      '(input 1, stream 0) in MP4; choose output.ext mov or mkv, or set copyStreams false to re-encode.',
  });
});
