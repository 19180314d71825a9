import { describe, expect, inject, test } from 'vitest';
import { describeJob, render } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { tracksOf } from '../support/matroska.ts';
import { packetTimes, soundOf } from '../support/media.ts';

const service = inject('serviceUrl');

/** Milliseconds of priming in the first two files. The third one has the same audio without priming. */
const priming = 44;
const [tagged, edited, plain] = ['/unusual/tagged.m4a', '/unusual/primed.m4a', '/media/amber-12/sound.m4a'] as const;

const source = (path: string) => ({ url: labFile(path).url, ext: path.split('.').at(-1) ?? '' });

/** Renders the audio of a file as WAV. Returns its samples, of 16 bits in two channels. */
async function samplesOf(path: string): Promise<Buffer> {
  const job = describeJob('extract_audio', [source(path)], 'wav', {
    operation: { type: 'extract_audio', copyStreams: false },
  });
  const { file } = await render(service, job);
  return file.subarray(file.indexOf('data') + 8);
}

/** Mixes the audio of a file with a video. Returns the result, and how far its audio begins before the video. */
async function mix(video: string, audio: string, ext: string, more: Record<string, unknown> = {}) {
  const job = describeJob('mix_audio_and_video', [source(video), source(audio)], ext, more);
  const { file } = await render(service, job);
  const first = new Map((await packetTimes(file)).map(({ kind, packets }) => [kind, packets[0]?.time ?? Number.NaN]));
  const delay = ext === 'mkv' ? (tracksOf(file).find(({ kind }) => kind === 'audio')?.delay ?? 0) : 0;
  const ahead = (first.get('video') ?? Number.NaN) - (first.get('audio') ?? Number.NaN);
  return { file, milliseconds: Math.round(ahead * 1000 + delay) };
}

describe('priming that a tag of iTunes states', () => {
  test('is not heard, like that of an edit list', async () => {
    const [all, rest, other] = await Promise.all([plain, tagged, edited].map(samplesOf));
    const bytes = 4 * 48 * priming;
    expect(rest?.equals(all?.subarray(bytes) ?? Buffer.alloc(0))).toBe(true);
    expect(other?.equals(rest ?? Buffer.alloc(0))).toBe(true);
  });

  test.each(['mp4', 'mkv', 'ts'])('lies before the video in a join in %s', async (ext) => {
    const [one, other, late] = await Promise.all(
      [tagged, edited, plain].map((audio) => mix('/media/amber-12/video-360.mp4', audio, ext)),
    );
    expect([one?.milliseconds, other?.milliseconds, late?.milliseconds]).toEqual([priming, priming, 0]);
  });

  test.each([
    ['mp4', 0, 4],
    ['mp4', 4, 8],
    ['mkv', 4, 8],
  ])('moves the sound of a clip in %s from %d to %d s as an edit list does', async (ext, start, end) => {
    const clip = { start, end };
    const [one, other, late] = await Promise.all(
      [tagged, edited, plain].map((audio) => mix('/media/amber-12/video-360.mp4', audio, ext, { clip })),
    );
    const digests = await Promise.all([one, other, late].map((each) => soundOf(each?.file ?? Buffer.alloc(0))));
    expect([digests[0], one?.milliseconds]).toEqual([digests[1], other?.milliseconds]);
    expect([digests[2], late?.milliseconds]).not.toEqual([digests[0], one?.milliseconds]);
  });

  test('is left out of a mix with other audio', async () => {
    const [one, other, late] = await Promise.all(
      [tagged, edited, plain].map((audio) => mix('/media/birch-12/movie-360.mp4', audio, 'mp4')),
    );
    const digests = await Promise.all([one, other, late].map((each) => soundOf(each?.file ?? Buffer.alloc(0))));
    expect(digests[0]).toBe(digests[1]);
    expect(digests[0]).not.toBe(digests[2]);
  });
});
