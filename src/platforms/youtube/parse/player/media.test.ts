import { describe, expect, it } from 'vitest';
import {
  audioFormat as audio,
  formatUrl as link,
  audioTrack as track,
  videoFormat as video,
} from '../../testing/formats.ts';
import { formatId } from './formats.ts';
import { readMedia } from './media.ts';
import { readStreams } from './streams.ts';

const formatsOf = (adaptiveFormats: unknown[], formats: unknown[] = []) =>
  readStreams({ streamingData: { formats, adaptiveFormats } }).formats;
const media = (adaptiveFormats: unknown[], language?: string, formats: unknown[] = []) =>
  readMedia(formatsOf(adaptiveFormats, formats), language, 'UA');

describe('video files', () => {
  it('are those that can be fetched directly', () => {
    const formats = formatsOf([
      video(137, '1080p', 'avc1.640028'),
      video(1, '1080p', 'avc1.640028', { url: undefined, signatureCipher: 's=1' }),
      video(2, '1080p', 'avc1.640028', { url: `${link()}&n=abc` }),
      video(3, '1080p', 'avc1.640028', { drmFamilies: ['WIDEVINE'] }),
      video(4, '1080p', 'avc1.640028', { type: 'FORMAT_STREAM_TYPE_OTF' }),
      video(5, '1080p', 'avc1.640028', { targetDurationSec: 5 }),
      video(6, '1080p', 'avc1.640028', { url: 'javascript:alert(1)' }),
      video(7, '1080p', 'avc1.640028', { mimeType: 7 }),
      null,
    ]);
    expect(formats.map(({ itag }) => itag)).toEqual([137]);
  });

  it('have all known properties', () => {
    const { videos } = media([
      video(299, '1080p60', 'avc1.64002a', {
        fps: 60,
        averageBitrate: 1_500_000,
        lastModified: '1735339010343492',
        initRange: { start: '0', end: '740' },
        indexRange: { start: '741', end: '1456' },
        quality: 'hd1080',
        projectionType: 'RECTANGULAR',
      }),
    ]);
    expect(videos).toEqual([
      {
        item: {
          label: '1080p60',
          url: link(),
          repId: '299',
          metadata: {
            mime_type: 'video/mp4; codecs="avc1.64002a"',
            width: 2160,
            height: 1080,
            has_audio: false,
            content_length: 1_000_000,
            content_length_text: '1.00 MB',
            itag: 299,
            codecs: 'avc1.64002a',
            bitrate: 2_000_000,
            average_bitrate: 1_500_000,
            fps: 60,
            quality: 'hd1080',
            quality_label: '1080p60',
            is_hdr: false,
            duration_ms: 10_000,
            last_modified: '2024-12-27T22:36:50.343Z',
            expires_at: '2026-06-08T03:42:10.000Z',
            init_range: { start: 0, end: 740 },
            index_range: { start: 741, end: 1456 },
          },
        },
        stream: {
          ext: 'mp4',
          kind: 'video',
          bytes: 1_000_000,
          bitrate: 1_500_000,
          videoCodec: 'h264',
          expiresAt: 1_780_890_130_000,
          headers: { 'user-agent': 'UA' },
        },
      },
    ]);
  });

  it('include a muxed file if the site has one, with an estimated size if the site states none', () => {
    const muxed = video(18, '360p', 'avc1.42001E, mp4a.40.2', { contentLength: undefined, audioChannels: 2 });
    expect(media([], undefined, [muxed]).videos).toMatchObject([
      {
        item: { repId: '18', metadata: { has_audio: true, audio_channels: 2 } },
        stream: { kind: 'muxed', videoCodec: 'h264', audioCodec: 'aac', estimatedBytes: 2_500_000 },
      },
    ]);
  });

  it('are distinguished when one itag occurs more than once', () => {
    const formats = formatsOf([
      audio(140, 'mp4a.40.2'),
      audio(140, 'mp4a.40.2', { isDrc: true }),
      audio(140, 'mp4a.40.2', { ...track('en-US.4', 'English (US) original', true) }),
      audio(140, 'mp4a.40.2', { ...track('de-DE.10', 'German'), isDrc: true }),
      audio(140, 'mp4a.40.2', { ...track('de-DE.10', 'German'), isDrc: true }),
      video(399, '1080p', 'av01.0.08M.08'),
      video(399, '1080p', 'av01.0.08M.08', { url: link('sr=1') }),
    ]);
    expect(formats.map(formatId)).toEqual(['140', '140-drc', '140-en-US.4', '140-de-DE.10-drc', '399', '399-sr']);
  });

  it('describe their audio track', () => {
    const { audios } = media([
      audio(140, 'mp4a.40.2', track('en-US.4', 'English (US) original', true)),
      audio(251, 'opus', { ...track('de-DE.10', 'German'), url: link('acont=dubbed-auto:lang=de-DE') }),
      audio(251, 'opus', { ...track('fr.3', 'French'), isDrc: true }),
      audio(251, 'opus', track('en.2', 'English descriptive')),
    ]);
    expect(
      audios?.map(({ item, stream }) => [item.label, item.metadata.audio_track_kind, stream?.secondary ?? false]),
    ).toEqual([
      ['AAC 130 kbps, English (US) original', 'original', false],
      ['Opus 130 kbps, German', 'auto-dubbed', true],
      ['Opus 130 kbps, French, DRC', 'dubbed', true],
      ['Opus 130 kbps, English descriptive', 'descriptive', true],
    ]);
    expect(audios?.[1]?.item.metadata).toMatchObject({
      language: 'de-DE',
      language_name: 'German',
      is_dubbed: true,
      is_auto_dubbed: true,
      is_original: false,
      is_drc: false,
      width: 0,
      has_audio: true,
    });
  });
});
