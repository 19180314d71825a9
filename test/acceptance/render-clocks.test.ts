import { describe, expect, inject, test } from 'vitest';
import { describeJob, render } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { packetTimes } from '../support/media.ts';

const service = inject('serviceUrl');

const source = (path: string) => ({ url: labFile(path).url, ext: path.split('.').at(-1) ?? '' });

/** Joins a video and an audio. Returns by how many seconds the audio begins after the video. */
async function join(video: string, audio: string, ext: string): Promise<number> {
  const { file } = await render(service, describeJob('join_streams', [source(video), source(audio)], ext));
  const first = new Map((await packetTimes(file)).map(({ kind, packets }) => [kind, packets[0]?.time ?? Number.NaN]));
  const seconds = (first.get('audio') ?? Number.NaN) - (first.get('video') ?? Number.NaN);
  return Math.round(seconds * 10) / 10;
}

const video = '/media/amber-12/video-360.mp4';
const [segment, nextSound] = ['/hls/coral-24/video-180/seg-00001.ts', '/hls/coral-24/audio/seg-00002.ts'] as const;

describe.each(['mp4', 'mkv'])('video and audio from two links (%s)', (ext) => {
  test.each([
    ['MPEG-TS, however close their clocks are, begin together', segment, nextSound, 0],
    ['MP4 keep their distance', video, '/unusual/late-4.mp4', 4],
    ['MP4 of which one was cut from something longer begin together', video, '/unusual/late-12.mp4', 0],
  ])('%s', async (_what, first, second, seconds) => {
    expect(await join(first, second, ext)).toBe(seconds);
  });
});
