import { describe, expect, it } from 'vitest';
import { packetSeconds, storesDuration } from './packet-seconds.ts';

describe('packetSeconds', () => {
  it.each<[string, string, string, number]>([
    ['Opus, one frame of 20 ms', 'opus', 'fc', 0.02],
    ['Opus, two frames of 60 ms', 'opus', '19', 0.12],
    ['Opus, two frames of different sizes of 10 ms', 'opus', '62', 0.02],
    ['Opus, a counted number of 2.5 ms frames', 'opus', '8305', 0.0125],
    ['an empty Opus packet', 'opus', '', 0],
    ['FLAC', 'flac', 'fff8ca1800000000', 4096 / 48_000],
    ['FLAC whose rate is in the header of the stream', 'flac', 'fff8c01800000000', 4096 / 8000],
    ['FLAC without a header', 'flac', '00', 0],
    ['another codec', 'aac', 'fff1', 0],
  ])('returns the duration stored in a packet: %s', (_what, codec, bytes, seconds) => {
    expect(packetSeconds(codec, Buffer.from(bytes, 'hex'), 8000)).toBeCloseTo(seconds, 9);
  });

  it('supports only codecs whose packets store their duration', () => {
    expect(['opus', 'flac', 'aac', 'toString'].filter(storesDuration)).toEqual(['opus', 'flac']);
  });
});
