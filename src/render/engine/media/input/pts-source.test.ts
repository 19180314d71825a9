import { AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_MPEG4, type AVCodecID } from 'node-av/constants';
import { describe, expect, it } from 'vitest';
import { ptsSourceOf } from './pts-source.ts';

describe('ptsSourceOf', () => {
  it.each<[boolean, AVCodecID, number, string]>([
    [true, AV_CODEC_ID_H264, 2, 'stored'],
    [false, AV_CODEC_ID_MPEG4, 1, 'stored'],
    [false, AV_CODEC_ID_H264, 0, 'dts'],
    [false, AV_CODEC_ID_H264, 2, 'unknown'],
    [false, AV_CODEC_ID_HEVC, 1, 'unknown'],
  ])('detects the source: stored %s, codec %i, %i frames ahead: %s', (isStored, codecId, videoDelay, times) => {
    expect(ptsSourceOf({ codecpar: { codecId, videoDelay } }, isStored)).toBe(times);
  });
});
