import { describe, expect, test } from 'vitest';
import { parsePlaylist } from '../../../hls/testing/parse-playlist.ts';
import { timestampTag } from '../../engine/testing/timestamp-tag.ts';
import { muxTransportStream } from '../../engine/testing/transport-stream.ts';
import { mpegClockTicks } from '../../engine/timing/clock-turns.ts';
import { playlistDelays } from './playlist-delays.ts';

const segmentSeconds = 4;

/** Makes a segment that begins at a time on the clock of MPEG-TS. */
type MakeSegment = (ticks: number) => Buffer;

const transportStream: MakeSegment = (ticks) =>
  muxTransportStream([{ kind: 'video', pts: ticks, dts: ticks, payload: Buffer.from([0, 0, 0, 1, 0x65, 0x88, 0x84]) }]);
const packedAudio: MakeSegment = (ticks) => Buffer.concat([timestampTag(ticks), Buffer.alloc(64, 1)]);
const unknown: MakeSegment = () => Buffer.alloc(512, 1);

/** Returns a playlist of three segments, the first of which begins at a time in seconds. */
function playlistOf(make: MakeSegment, seconds: number, tag?: string) {
  const lines = [0, 1, 2].flatMap((at) => [...(at === 1 && tag !== undefined ? [tag] : []), '#EXTINF:4,', `${at}.ts`]);
  const media = parsePlaylist(
    ['#EXTM3U', '#EXT-X-TARGETDURATION:4', ...lines, '#EXT-X-ENDLIST'].join('\n'),
    'https://cdn.example/media.m3u8',
  );
  if (media.kind !== 'media') throw new Error('it is a media playlist');
  const read = async ({ sequence }: { readonly sequence: number }) => {
    const ticks = Math.round((seconds + segmentSeconds * sequence) * 90_000);
    return { bytes: make((ticks + mpegClockTicks) % mpegClockTicks), isWhole: true };
  };
  return { media, reader: { read, readHead: read } };
}

describe('the delays of playlists', () => {
  test.each([
    ['those of MPEG-TS', playlistOf(transportStream, 10), playlistOf(transportStream, 13), [0, 3]],
    ['those of packed audio', playlistOf(transportStream, 10), playlistOf(packedAudio, 14.5), [0, 4.5]],
    ['those of the first', playlistOf(transportStream, 12), playlistOf(transportStream, 10), [2, 0]],
    ['those on a clock that wraps around', playlistOf(transportStream, -2), playlistOf(packedAudio, 3), [0, 5]],
    ['zero if they are small', playlistOf(transportStream, 10), playlistOf(transportStream, 10.4), [0, 0]],
    ['zero if they exceed the playlists', playlistOf(transportStream, 10), playlistOf(transportStream, 99), [0, 0]],
    ['zero if a segment has no time', playlistOf(transportStream, 10), playlistOf(unknown, 13), [0, 0]],
    [
      'zero if they begin together again at discontinuities',
      playlistOf(transportStream, 10, '#EXT-X-DISCONTINUITY'),
      playlistOf(transportStream, 13, '#EXT-X-DISCONTINUITY'),
      [0, 0],
    ],
  ])('are %s', async (_what, video, audio, expected) => {
    for (const seconds of [0, 5, 11]) {
      const delays = await playlistDelays([video, audio], seconds);
      delays.forEach((delay, at) => {
        expect(delay).toBeCloseTo(expected[at] ?? Number.NaN);
      });
    }
  });

  test('are not read for one playlist', async () => {
    const reader = { read: () => Promise.reject(new Error()), readHead: () => Promise.reject(new Error()) };
    expect(await playlistDelays([{ media: playlistOf(unknown, 0).media, reader }], 0)).toEqual([0]);
  });
});
