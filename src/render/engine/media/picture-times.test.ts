import { AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_MPEG4, type AVCodecID } from 'node-av/constants';
import { describe, expect, it } from 'vitest';
import { pictureTimesOf } from './picture-times.ts';

describe('what files say about when their pictures are shown', () => {
  it.each<[string, AVCodecID, number, string]>([
    ['mov,mp4,m4a,3gp,3g2,mj2', AV_CODEC_ID_H264, 2, 'stored'],
    ['avi', AV_CODEC_ID_MPEG4, 1, 'stored'],
    ['avi', AV_CODEC_ID_H264, 0, 'decoded'],
    ['avi', AV_CODEC_ID_H264, 2, 'unknown'],
    ['asf', AV_CODEC_ID_HEVC, 1, 'unknown'],
  ])('%s, codec %i, %i pictures ahead: %s', (format, codecId, videoDelay, times) => {
    expect(pictureTimesOf(format, { codecpar: { codecId, videoDelay } })).toBe(times);
  });
});
