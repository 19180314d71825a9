import { describe, expect, it } from 'vitest';
import { copyObstacles } from './copy-obstacles.ts';
import type { SourceStream } from './source-stream.ts';
import { planTracks } from './track-plan.ts';

const mp3 = copyObstacles({ codec: 'mp3', sampleRate: 8000, hasFormat: true, setup: null });
const wide = copyObstacles({ codec: 'aac', sampleRate: 48_000, hasFormat: true, setup: Buffer.from('11e0', 'hex') });

describe('copyObstacles', () => {
  it('reports MP3 below 16 kHz in MP4', () => {
    expect(mp3).toEqual({ mp4: 'MP4 does not define MP3 at 8000 Hz' });
    expect(copyObstacles({ codec: 'mp3', sampleRate: 16_000, hasFormat: true, setup: null })).toBeUndefined();
  });

  it('reports AC-3 below 32 kHz in MP4', () => {
    const ac3 = { codec: 'ac3', hasFormat: true, setup: null };
    const why = 'MP4 does not define AC-3 at 24000 Hz';
    expect(copyObstacles({ ...ac3, sampleRate: 24_000 })).toEqual({ mp4: why, m4a: why });
    expect(copyObstacles({ ...ac3, sampleRate: 32_000 })).toBeUndefined();
  });

  it('reports VP9 of unknown format in MP4', () => {
    const vp9 = { codec: 'vp9', sampleRate: 0, setup: null };
    const expected = { mp4: 'no frame was found that states its format' };
    expect(copyObstacles({ ...vp9, hasFormat: false })).toEqual(expected);
    expect(copyObstacles({ ...vp9, hasFormat: true })).toBeUndefined();
  });

  it('reports AAC in MPEG-TS and AAC files if ADTS cannot describe it', () => {
    const why = 'ADTS has no channel configuration 12';
    expect(wide).toEqual({ ts: why, aac: why });
    expect(
      copyObstacles({ codec: 'aac', sampleRate: 48_000, hasFormat: true, setup: Buffer.from('1190', 'hex') }),
    ).toBeUndefined();
    // AAC from ADTS has no decoder setup.
    expect(copyObstacles({ codec: 'aac', sampleRate: 48_000, hasFormat: true, setup: null })).toBeUndefined();
  });
});

describe('a track plan with copy obstacles', () => {
  const stream: Omit<SourceStream, 'codec'> = {
    ...{ input: 0, jobInput: 0, index: 0, kind: 'audio', cover: false, empty: false },
  };
  const plan = (codec: string, obstacles: SourceStream['obstacles'], ext: 'mp4' | 'ts' | 'mkv', copyStreams = true) => {
    const source = { ...stream, codec, ...(obstacles && { obstacles }) };
    return planTracks([[source]], { type: 'convert_format', copyStreams }, ext);
  };

  it('is refused with the reason and a remedy', () => {
    expect(() => plan('mp3', mp3, 'mp4')).toThrow(
      'Processing failed (incompatible codecs for the container mp4): the mp3 audio (input 1, stream 0) cannot be ' +
        'copied into it because MP4 does not define MP3 at 8000 Hz. Choose output.ext mov or mkv or ts or mp3 or wav, or ' +
        'set copyStreams to false to re-encode.',
    );
    expect(() => plan('aac', wide, 'ts')).toThrow(
      /stream 0\) cannot be copied into it because ADTS .* 12\. Choose output.ext mp4 or mov or mkv or m4a, or set/,
    );
  });

  it('copies the streams into other containers, and encodes them', () => {
    expect(plan('aac', wide, 'mkv').tracks).toMatchObject([{ action: 'copy' }]);
    expect(plan('mp3', mp3, 'mp4', false).tracks).toMatchObject([{ action: 'encode' }]);
  });
});
