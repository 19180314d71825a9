import { describe, expect, it } from 'vitest';
import type { SourceMedia, SourceStream } from '../contract/source-media.ts';
import { plans } from '../contract/subscription-plans.ts';
import type { ContentMedia } from '../platforms/platform.ts';
import { selectRenderables } from './select-renderables.ts';
import { formatsRequested } from './testing/formats-requested.ts';

const MB = 1_000_000;
const exact = { matches: (label: string, format: string) => label === format, audio: false };
const withAudio = { ...exact, audio: true };

function media(label: string, stream: Partial<SourceStream>, [width, height] = [0, 0]): SourceMedia {
  const full: SourceStream = { ext: 'mp4', kind: 'muxed', ...stream };
  const metadata = { mime_type: 'x/y', width, height, has_audio: full.kind !== 'video' };
  return { item: { label, url: `https://cdn.example/${label}.${full.ext}`, repId: label, metadata }, stream: full };
}

function size(height: number): [number, number] {
  return [(height * 16) / 9, height];
}

const muxedVideo = (height: number, bytes: number) =>
  media(`${height}p`, { videoCodec: 'h264', audioCodec: 'aac', bytes }, size(height));

/** 240p to 1080p with 50, 100, 300 and 800 MB, listed largest first. */
const ladder: ContentMedia = {
  videos: [muxedVideo(1080, 800 * MB), muxedVideo(720, 300 * MB), muxedVideo(480, 100 * MB), muxedVideo(240, 50 * MB)],
};

/** Returns labels of ready items, and labels of error items with the beginning of the error. */
function labelsOf(content: ContentMedia, formats: string[] | undefined, plan: keyof typeof plans, rules = exact) {
  return selectRenderables(content, formatsRequested(formats), plans[plan], rules).videos.map((item) =>
    'error' in item ? [item.label, item.error.split(':')[0]] : item.label,
  );
}

const overSizeLimit = 'Over the plan size limit';
const overCountLimit = 'Beyond the plan renderable count';
const unavailable = 'Unavailable';

describe('the choice of videos', () => {
  it.each<[string[], unknown[]]>([
    [
      ['480p', '720p'],
      [{ label: '480p' }, { label: '720p' }],
    ],
    [
      ['highres', '1080p'],
      [
        { label: '1080p', requested: 'highres' },
        { label: '1080p', requested: '1080p' },
      ],
    ],
    [
      ['480p', 'lowres'],
      [{ label: '480p' }, { label: '240p', requested: 'lowres' }],
    ],
  ])('states which format an item is for, unless its label does: %j', (formats, names) => {
    const { videos } = selectRenderables(ladder, formatsRequested(formats), plans.MEGA, exact);
    expect(videos.map(({ label, requested }) => (requested === undefined ? { label } : { label, requested }))).toEqual(
      names,
    );
  });

  it.each<[keyof typeof plans, string[], unknown[]]>([
    ['BASIC', ['lowres'], ['240p']],
    ['BASIC', ['midres'], ['480p']],
    ['BASIC', ['highres'], ['720p']],
    ['PRO', ['midres'], ['480p']],
    ['PRO', ['highres'], ['1080p']],
    ['PRO', ['lowres', 'midres', 'highres'], ['240p', '480p', '1080p']],
    ['BASIC', ['720p'], ['720p']],
    ['BASIC', ['1080p'], [['1080p', overSizeLimit]]],
    ['BASIC', ['2160p'], [['2160p', unavailable]]],
    ['BASIC', ['720p', '480p'], ['720p', ['480p', overCountLimit]]],
    [
      'BASIC',
      ['2160p', '480p'],
      [
        ['2160p', unavailable],
        ['480p', overCountLimit],
      ],
    ],
    [
      'PRO',
      ['1080p', '480p', 'lowres', '240p', 'all'],
      ['1080p', '480p', '240p', ['240p', overCountLimit], ['all', overCountLimit]],
    ],
    ['BASIC', ['all'], ['240p']],
    ['BASIC', ['all_highres'], [['1080p', overSizeLimit], '720p']],
    ['PRO', ['all'], ['240p', '480p', '720p']],
    ['PRO', ['all_highres'], ['1080p', '720p', '480p']],
    ['MEGA', ['all'], ['240p', '480p', '720p', '1080p']],
    ['MEGA', ['all_highres'], ['1080p', '720p', '480p', '240p']],
    ['MEGA', ['all', '720p'], ['240p', '480p', '720p', '1080p', '720p']],
    ['PRO', ['720p', 'all'], ['720p', '240p', '480p']],
    ['PRO', ['all', '720p'], ['240p', '480p', '720p', ['720p', overCountLimit]]],
    ['PRO', [], []],
  ])('for plan %s, %j returns %j', (plan, formats, expected) => {
    expect(labelsOf(ladder, formats, plan)).toEqual(expected);
  });

  it('is empty if nothing was requested', () => {
    expect(selectRenderables(ladder, formatsRequested(), plans.MEGA, withAudio).videos).toEqual([]);
  });

  it.each(['lowres', 'midres', 'highres', 'all', 'all_highres', '720p'])(
    'reports that there is no video for %s',
    (format) => {
      expect(labelsOf({}, [format], 'PRO')).toEqual([[format, unavailable]]);
      expect(labelsOf({ videos: [{ item: muxedVideo(720, 1).item }] }, [format], 'PRO')).toEqual([
        [format, unavailable],
      ]);
    },
  );

  it('reports the smallest quality if none fits', () => {
    const [item] = selectRenderables(
      { videos: [muxedVideo(1080, 800 * MB), muxedVideo(720, 600 * MB)] },
      formatsRequested(['lowres']),
      plans.BASIC,
      exact,
    ).videos;
    expect(item).toEqual({
      label: 'lowres',
      error: 'Over the plan size limit: 720p has 600.00 MB, but plan BASIC allows 500.00 MB per file.',
    });
  });

  it('lists the available qualities if the requested one is missing', () => {
    const [item] = selectRenderables(ladder, formatsRequested(['144p']), plans.BASIC, exact).videos;
    expect(item).toEqual({ label: '144p', error: 'Unavailable: only available in 240p, 480p, 720p, 1080p.' });
  });

  it('follows the rules of the platform and labels the item like its video', () => {
    const content = { videos: [media('hls-720', { ext: 'm3u8' }, size(720))] };
    const rules = { matches: (label: string, format: string) => label === `hls-${format}`, audio: false };
    expect(labelsOf(content, ['720', 'hls-720'], 'PRO', rules)).toEqual(['hls-720', ['hls-720', unavailable]]);
  });

  it('gives the reason for every format if nothing can be rendered', () => {
    const live = { ...ladder, unrenderable: 'A live stream has no end.' };
    expect(selectRenderables(live, formatsRequested(['720p', 'all']), plans.BASIC, withAudio)).toEqual({
      videos: [
        { label: '720p', error: 'A live stream has no end.' },
        { label: 'all', error: 'A live stream has no end.' },
      ],
      audios: [{ label: 'audio', error: 'A live stream has no end.' }],
    });
    expect(selectRenderables(live, formatsRequested(), plans.BASIC, exact)).toEqual({ videos: [], audios: [] });
  });
});

describe('the choice among streams of one quality', () => {
  const of = (codec: string | undefined, stream: Partial<SourceStream> = {}, name = codec ?? 'unknown') => {
    const entry = media(
      '720p',
      { ext: 'm3u8', ...(codec === undefined ? {} : { videoCodec: codec }), ...stream },
      size(720),
    );
    return { ...entry, item: { ...entry.item, url: `https://cdn.example/${name}` } };
  };
  const chosenUrl = (videos: SourceMedia[], format = '720p', plan = plans.BASIC) => {
    const [item] = selectRenderables({ videos }, formatsRequested([format]), plan, exact).videos;
    return item && 'job' in item ? item.job.inputs[0]?.url : item?.error;
  };

  it.each([
    ['H.264 before AV1', [of('av1', { bitrate: 9 }), of('h264', { bitrate: 1 })], 'h264'],
    ['AV1 before VP9', [of('vp9'), of('av1')], 'av1'],
    ['VP9 before HEVC', [of('hevc'), of('vp9')], 'vp9'],
    ['a known codec before an unknown one', [of(undefined), of('hevc')], 'hevc'],
    [
      'sound inside before sound to be joined',
      [of('h264', { kind: 'video', bitrate: 9 }, 'silent'), of('h264')],
      'h264',
    ],
    ['the higher bitrate', [of('h264', { bitrate: 1 }, 'low'), of('h264', { bitrate: 2 }, 'high')], 'high'],
    ['the first of equals', [of('h264', {}, 'first'), of('h264', {}, 'second')], 'first'],
    ['no lesser version', [of('h264', { secondary: true }, 'hdr'), of('vp9')], 'vp9'],
    ['a lesser version alone', [of('h264', { secondary: true }, 'hdr')], 'hdr'],
    ['what MP4 can hold', [of('vp8'), of('vp9')], 'vp9'],
    ['what the plan has room for', [of('h264', { bytes: 600 * MB }), of('av1', { bytes: 400 * MB })], 'av1'],
  ])('prefers %s', (_, videos, name) => {
    expect(chosenUrl(videos)).toBe(`https://cdn.example/${name}`);
    expect(chosenUrl(videos, 'highres')).toBe(`https://cdn.example/${name}`);
    expect(chosenUrl(videos, 'all')).toBe(`https://cdn.example/${name}`);
  });

  it('counts a resolution once under all its labels, and orders by pixels', () => {
    const videos = [
      media('native_hd', {}, size(720)),
      media('720p', { videoCodec: 'h264', kind: 'video' }, size(720)),
      media('480p', {}, size(480)),
    ];
    expect(labelsOf({ videos }, ['all'], 'MEGA')).toEqual(['480p', '720p']);
    expect(labelsOf({ videos }, ['native_hd'], 'MEGA')).toEqual(['native_hd']);
  });

  it('treats earlier list items as larger if pixels are unknown', () => {
    const videos = [media('native_hd', {}), media('native_sd', {})];
    expect(labelsOf({ videos }, ['all', 'highres'], 'MEGA')).toEqual(['native_sd', 'native_hd', 'native_hd']);
  });
});

describe('the job of a video', () => {
  const aac = media('medium', { kind: 'audio', ext: 'm4a', audioCodec: 'aac', bytes: 5, bitrate: 128 });
  const opus = media('opus', { kind: 'audio', ext: 'webm', audioCodec: 'opus', bytes: 7, bitrate: 160 });
  const silent = media('720p', { kind: 'video', ext: 'mp4', videoCodec: 'h264', bytes: 100 }, size(720));
  const selectFile = (content: ContentMedia) => {
    const [item] = selectRenderables(content, formatsRequested(['highres']), plans.PRO, exact).videos;
    if (item === undefined || 'error' in item) throw new Error('expected a file');
    return item;
  };

  it('uses a finished MP4 unchanged', () => {
    expect(selectFile({ videos: [muxedVideo(720, 42)] })).toEqual({
      label: '720p',
      requested: 'highres',
      metadata: {
        mime_type: 'video/mp4',
        width: 1280,
        height: 720,
        has_audio: true,
        content_length: 42,
        content_length_text: '42.00 B',
      },
      representations: [{ kind: 'muxed', repId: '720p', issuedAt: expect.any(Number) }],
      job: {
        inputs: [{ url: 'https://cdn.example/720p.mp4', ext: 'mp4' }],
        output: { ext: 'mp4' },
        operation: { type: 'no_process', copyStreams: true },
      },
      estimatedBytes: 42,
    });
  });

  it('converts a playlist, whose size is only estimated', () => {
    const item = selectFile({
      videos: [media('hls-720', { ext: 'm3u8', estimatedBytes: 42, expiresAt: 9 }, size(720))],
    });
    expect(item.job.operation).toEqual({ type: 'convert_format', copyStreams: true });
    expect(item.metadata).not.toHaveProperty('content_length');
    expect(item).toMatchObject({ estimatedBytes: 42, expiresAt: 9 });
  });

  it('reports no exact size for a file that changes its container', () => {
    const item = selectFile({
      videos: [media('720p', { ext: 'webm', videoCodec: 'vp9', audioCodec: 'opus', bytes: 42 })],
    });
    expect(item.job.operation.type).toBe('convert_format');
    expect(item.metadata).not.toHaveProperty('content_length');
    expect(item.estimatedBytes).toBe(42);
  });

  it('joins a silent video with AAC audio in preference to better audio of another codec', () => {
    const item = selectFile({ videos: [silent], audios: [opus, aac] });
    expect(item.job).toEqual({
      inputs: [
        { url: 'https://cdn.example/720p.mp4', ext: 'mp4' },
        { url: 'https://cdn.example/medium.m4a', ext: 'm4a' },
      ],
      output: { ext: 'mp4' },
      operation: { type: 'join_streams', copyStreams: true },
    });
    expect(item.metadata).toMatchObject({ has_audio: true, content_length: 105 });
    expect(item.estimatedBytes).toBe(105);
  });

  it('joins the original audio in preference to a better dub, and the better of two', () => {
    const audioStream = (label: string, stream: Partial<SourceStream>) =>
      media(label, { kind: 'audio', ext: 'm4a', audioCodec: 'aac', ...stream });
    const audios = [
      audioStream('dub', { bitrate: 9, secondary: true }),
      audioStream('low', { bitrate: 1 }),
      audioStream('high', { bitrate: 2 }),
    ];
    expect(selectFile({ videos: [silent], audios }).job.inputs[1]?.url).toContain('/high.m4a');
  });

  it('leaves a video silent if there is no audio that MP4 supports', () => {
    const vorbis = media('vorbis', { kind: 'audio', ext: 'webm', audioCodec: 'vorbis' });
    const item = selectFile({ videos: [silent], audios: [vorbis] });
    expect(item.job).toMatchObject({ inputs: [{ ext: 'mp4' }], operation: { type: 'no_process' } });
    expect(item.metadata.has_audio).toBe(false);
  });

  it('passes on headers and the earliest expiry', () => {
    const headers = { referer: 'https://site.example/' };
    const video = media('720p', { kind: 'video', headers, expiresAt: 20 }, size(720));
    const audio = media('sound', { kind: 'audio', ext: 'm4a', expiresAt: 10 });
    const item = selectFile({ videos: [video], audios: [audio] });
    expect(item.job.inputs[0]).toMatchObject({ requestOptions: { headers } });
    expect(item.job.inputs[1]).not.toHaveProperty('requestOptions');
    expect(item.expiresAt).toBe(10);
  });

  it('allows an unknown size, and reports no size if that of a part is unknown', () => {
    const item = selectFile({ videos: [silent], audios: [media('sound', { kind: 'audio', ext: 'm4a' })] });
    expect(item).not.toHaveProperty('estimatedBytes');
    expect(item.metadata).not.toHaveProperty('content_length');
  });

  it('passes on the frame rate', () => {
    const video = muxedVideo(720, 1);
    video.item.metadata.fps = 50;
    expect(selectFile({ videos: [video] }).metadata.fps).toBe(50);
  });
});

describe('the job of audio', () => {
  const audios = (content: ContentMedia, plan = plans.BASIC) =>
    selectRenderables(content, formatsRequested(), plan, withAudio).audios;
  const audioStream = (stream: Partial<SourceStream>) => media('en', { kind: 'audio', ext: 'm4a', ...stream });

  it('extracts the audio from the smallest video that contains it', () => {
    expect(audios({ ...ladder, audios: [audioStream({ audioCodec: 'aac' })] })).toEqual([
      {
        label: 'audio',
        metadata: { mime_type: 'audio/mp4', width: 0, height: 0, has_audio: true },
        representations: [{ kind: 'muxed', repId: '240p', issuedAt: expect.any(Number) }],
        job: {
          inputs: [{ url: 'https://cdn.example/240p.mp4', ext: 'mp4' }],
          output: { ext: 'm4a' },
          operation: { type: 'extract_audio', copyStreams: true },
        },
        estimatedBytes: 50 * MB,
      },
    ]);
  });

  it.each<[string, Partial<SourceStream>, string, string]>([
    ['a finished M4A as it is', { audioCodec: 'aac', bytes: 7 }, 'm4a', 'no_process'],
    ['AAC out of a playlist', { audioCodec: 'aac', ext: 'm3u8' }, 'm4a', 'extract_audio'],
    ['AAC that the source does not name', { ext: 'm4a' }, 'm4a', 'no_process'],
    ['an MP3 as it is', { audioCodec: 'mp3', ext: 'mp3' }, 'mp3', 'no_process'],
  ])('is %s', (_, stream, ext, type) => {
    const content = { videos: [media('720p', { kind: 'video' })], audios: [audioStream(stream)] };
    expect(audios(content)).toMatchObject([{ label: 'en', job: { output: { ext }, operation: { type } } }]);
  });

  it('is omitted if there is no audio, no container supports it, or the platform offers none', () => {
    expect(audios({})).toEqual([]);
    expect(audios({ audios: [audioStream({ audioCodec: 'opus', ext: 'webm' })] })).toEqual([]);
    expect(selectRenderables(ladder, formatsRequested(), plans.BASIC, exact).audios).toEqual([]);
  });

  it('is rejected if the stream that contains it is too large for the plan', () => {
    expect(audios({ videos: [muxedVideo(1080, 800 * MB)] })).toEqual([
      {
        label: 'audio',
        error: 'Over the plan size limit: audio has 800.00 MB, but plan BASIC allows 500.00 MB per file.',
      },
    ]);
  });
});
