import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../../testing/property-runs.ts';
import { testSamples, testTrack } from '../testing/mp4-tracks.ts';
import { refuseDamagedSamples } from './refuse-damaged-samples.ts';
import { placeTracks } from './track-timing.ts';

/** Samples of H.264: each is one unit after its length. */
const video = Array.from({ length: 20 }, (_, at) => {
  const unit = Buffer.alloc(5 + 37 * at, at + 1);
  return Buffer.concat([Buffer.from([0, 0, unit.length >> 8, unit.length & 0xff]), unit]);
});
const audio = Array.from({ length: 20 }, (_, at) => Buffer.alloc(9 + at, at + 1));
const tracks = [
  { input: 1, track: testTrack('video'), samples: listOf(video, 512) },
  { input: 0, track: testTrack('audio'), samples: listOf(audio, 960) },
];
const stored = video.flatMap((_, sample) => [0, 1].map((track) => ({ track, sample })));

function listOf(samples: readonly Buffer[], duration: number) {
  return testSamples(samples.map(({ length }) => ({ size: length, duration })));
}

/** Passes the media of a result on in blocks of these sizes, through one buffer. */
function inspect(media: Buffer, sizes: readonly number[]): void {
  const receive = refuseDamagedSamples(tracks, placeTracks(tracks), stored, [4, 6]);
  const buffer = Buffer.alloc(media.length);
  for (let [at, block] = [0, 0]; at < media.length; block += 1) {
    const length = Math.min(sizes[block % sizes.length] ?? 1, media.length - at);
    media.copy(buffer, 0, at, at + length);
    receive(buffer.subarray(0, length));
    at += length;
  }
}

const mediaOf = (videoSamples: readonly Buffer[], audioSamples: readonly Buffer[]) =>
  Buffer.concat(
    stored.map(({ track, sample }) => (track === 0 ? videoSamples : audioSamples)[sample] ?? Buffer.alloc(0)),
  );

const blockSizes = fc.array(fc.integer({ min: 1, max: 2_000 }), { minLength: 1, maxLength: 5 });

test('intact samples pass in blocks of any size', () => {
  fc.assert(
    fc.property(blockSizes, (sizes) => inspect(mediaOf(video, audio), sizes)),
    { seed: 50, numRuns: propertyRuns(200) },
  );
});

test('a damaged sample is refused, wherever blocks end', () => {
  fc.assert(
    fc.property(blockSizes, fc.nat(19), fc.boolean(), (sizes, at, isVideo) => {
      const damaged = (samples: readonly Buffer[]) => samples.with(at, Buffer.alloc(samples[at]?.length ?? 0));
      const media = isVideo ? mediaOf(damaged(video), audio) : mediaOf(video, damaged(audio));
      const stream = isVideo ? 'h264 video of input 7' : 'opus audio of input 5';
      const seconds = (at * (isVideo ? 512 / 12_800 : 0.02)).toFixed(1);
      expect(() => inspect(media, sizes)).toThrow(`The ${stream} is damaged at ${seconds} s of the result: a packet`);
    }),
    { seed: 51, numRuns: propertyRuns(200) },
  );
});
