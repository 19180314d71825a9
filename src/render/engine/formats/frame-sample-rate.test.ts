import { expect, it } from 'vitest';
import { frameRateReader } from './frame-sample-rate.ts';

it.each([
  ['mp3', 'fffb9064', 44_100],
  ['mp3', 'fffb9464', 48_000],
  ['mp3', 'fff394c4', 24_000],
  ['mp3', 'ffe388c4', 8000],
  ['mp2', 'fffda404', 48_000],
  // A reserved version, layer, bit rate and sample rate.
  ...['ffeb9064', 'fff99064', 'fffbf064', 'fffb9c64'].map((bytes) => ['mp3', bytes, undefined] as const),
  ['mp3', '49443304', undefined],
  ['mp3', 'fffb90', undefined],
  ['ac3', '0b7750681440', 48_000],
  ['ac3', '0b7750685440', 44_100],
  ['ac3', '0b7750681448', 24_000],
  ['ac3', '0b7750681450', 12_000],
  ['ac3', '0b775068d440', undefined],
  ['ac3', '50681440430b', undefined],
  ['eac3', '0b7705ff3f80', 48_000],
  ['eac3', '0b7705ffbf80', 32_000],
  ['eac3', '0b7705ffcf80', 24_000],
  ['eac3', '0b7705ffff80', undefined],
] as const)('reads the sample rate of a frame of %s: %s', (codec, bytes, rate) => {
  expect(frameRateReader(codec)?.(Buffer.from(bytes, 'hex'))).toBe(rate);
});

it('reads none of codecs whose frames do not state it', () => {
  expect(frameRateReader('aac')).toBeUndefined();
  expect(frameRateReader('toString')).toBeUndefined();
});
