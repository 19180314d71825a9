import { describe, expect, it } from 'vitest';
import { plans } from '../contract/subscription-plans.ts';
import { readMedia } from '../platforms/youtube/parse/player/media.ts';
import { readStreams } from '../platforms/youtube/parse/player/streams.ts';
import {
  audioFormat as audio,
  formatUrl as link,
  audioTrack as track,
  videoFormat as video,
} from '../platforms/youtube/testing/formats.ts';
import type { RenderOptions } from './render-options.ts';
import { selectRenderables } from './select-renderables.ts';
import { formatsRequested } from './testing/formats-requested.ts';

describe('a file rendered from a video', () => {
  const rules = { matches: (label: string, format: string) => label === format, audio: false };
  const hdr = { colorInfo: { transferCharacteristics: 'COLOR_TRANSFER_CHARACTERISTICS_SMPTEST2084' } };
  const ladder = [
    video(335, '1080p60 HDR', 'vp09.02.41.10', hdr),
    video(303, '1080p60', 'vp09.00.41.08'),
    video(399, '1080p60', 'av01.0.09M.08'),
    video(299, '1080p60', 'avc1.64002a'),
    video(308, '1440p60', 'vp09.00.50.08'),
    video(400, '1440p60', 'av01.0.12M.08'),
    video(313, '2160p', 'vp9'),
  ];
  const audioFormats = [
    audio(251, 'opus', { ...track('en.4', 'English original', true), averageBitrate: 150_000 }),
    audio(139, 'mp4a.40.5', { ...track('en.4', 'English original', true), averageBitrate: 49_000 }),
    audio(140, 'mp4a.40.2', track('en.4', 'English original', true)),
    audio(140, 'mp4a.40.2', { ...track('en.4', 'English original', true), isDrc: true, averageBitrate: 140_000 }),
    audio(140, 'mp4a.40.2', { ...track('de.3', 'German'), averageBitrate: 140_000 }),
    audio(140, 'mp4a.40.2', { ...track('de.2', 'German descriptive'), averageBitrate: 150_000 }),
  ].map((format, at) => ({ ...format, url: `${link()}&sound=${at}` }));
  const inputs = (format: string, language?: string, formats: unknown[] = [], others: Partial<RenderOptions> = {}) => {
    const adaptiveFormats = [...ladder.map((one) => ({ ...one, url: `${link()}&video=${one.itag}` })), ...audioFormats];
    const content = readMedia(readStreams({ streamingData: { formats, adaptiveFormats } }).formats, language, 'UA');
    const [renderable] = selectRenderables(content, formatsRequested([format], others), plans.MEGA, rules).videos;
    if (renderable === undefined || 'error' in renderable) return renderable?.error;
    expect(renderable).toMatchObject({ job: { output: { ext: 'mp4' } }, expiresAt: 1_780_890_130_000 });
    for (const input of renderable.job.inputs)
      expect(input.requestOptions).toEqual({ headers: { 'user-agent': 'UA' } });
    return renderable.job.inputs.map(({ url }) => /(?:video|sound)=(\d+)/.exec(url)?.[1]);
  };

  it.each([
    ['1080p60', ['299', '2']],
    ['1440p60', ['400', '2']],
    ['2160p', ['313', '2']],
    ['1080p60 HDR', ['335', '2']],
    ['highres', ['313', '2']],
    ['lowres', ['299', '2']],
  ])('uses the best video stream that MP4 supports for %s, with the original audio', (format, expected) => {
    expect(inputs(format)).toEqual(expected);
  });

  it.each([
    ['1080p60', 'av1', '399'],
    ['1080p60', 'vp9', '303'],
    ['highres', 'h264', '299'],
    ['1080p60', 'h265', 'Unavailable: no video in h265. Available: h264, vp9, av1.'],
    ['2160p', 'av1', 'Unavailable: only available in 1080p60, 1440p60.'],
  ] as const)('uses %s in %s, or reports what is available', (format, videoCodec, expected) => {
    const result = inputs(format, undefined, [], { videoCodec });
    expect(typeof result === 'object' ? result[0] : result).toBe(expected);
  });

  it('uses audio in the requested language if available', () => {
    expect(inputs('1080p60', 'de')).toEqual(['299', '4']);
    expect(inputs('1080p60', 'fr')).toEqual(['299', '2']);
  });

  it('never has a quality other than the requested one', () => {
    expect(inputs('1080p')).toBe('Unavailable: only available in 1080p60, 1080p60 HDR, 1440p60, 2160p.');
  });

  it('prefers a separate dub to a file that contains the original audio', () => {
    const muxedFormats = [{ ...video(18, '1080p60', 'avc1.42001E, mp4a.40.2'), url: `${link()}&video=18` }];
    expect(inputs('1080p60', undefined, muxedFormats)).toEqual(['18']);
    expect(inputs('1080p60', 'de', muxedFormats)).toEqual(['299', '4']);
  });
});
