import { describe, expect, it } from 'vitest';
import { sourceCaptionsOf as ofDailymotion } from './dailymotion/parse/source-captions.ts';
import { sourceCaptionsOf as ofFacebook } from './facebook/parse/source-captions.ts';
import { soundMedia } from './instagram/parse/sound-media.ts';
import { sourceCaptionsOf as ofPinterest } from './pinterest/parse/source-captions.ts';
import { sourceCaptionsOf as ofTiktok } from './tiktok/parse/source-captions.ts';

describe('captions to embed', () => {
  it('of p5 are SubRip or WebVTT, and automatic ones are marked', () => {
    const subtitles = [
      { language: 'de', label: 'Deutsch', url: 'https://site.example/de.srt' },
      { language: 'en-auto', url: 'https://site.example/en.vtt?a=1' },
      { language: '?', url: 'https://site.example/x.srt' },
    ];
    expect(ofDailymotion({ subtitles })).toEqual([
      { url: 'https://site.example/de.srt', format: 'srt', language: 'de', title: 'Deutsch', automatic: false },
      { url: 'https://site.example/en.vtt?a=1', format: 'vtt', language: 'en', automatic: true },
    ]);
  });

  it('of p3 have the locale as their language', () => {
    const captions = [
      { language: 'en_US', name: 'English (auto-generated)', url: 'https://site.example/1' },
      { language: 'de_DE', url: 'ftp://site.example/2' },
      null,
    ];
    expect(ofFacebook(captions)).toEqual([
      {
        url: 'https://site.example/1',
        format: 'srt',
        language: 'en-US',
        title: 'English (auto-generated)',
        automatic: true,
      },
    ]);
    expect(ofFacebook(undefined)).toEqual([]);
  });

  it('of p6 are those of its only video', () => {
    const captions = [
      { language: 'en-us', url: 'https://site.example/en.vtt' },
      { language: 'fr', url: 'https://site.example/fr.srt' },
      { language: '?', url: 'https://site.example/x.vtt' },
      { language: 'de', url: 'ftp://site.example/x.vtt' },
    ];
    const metadata = { mime_type: 'video/mp4', width: 0, height: 0, has_audio: true };
    const item = (more: object) => ({
      item: { label: 'v', url: 'https://site.example/v', repId: 'v', metadata: { ...metadata, ...more } },
    });
    const video = { videos: [item({}), item({ captions })] };
    expect(ofPinterest([{ images: [item({})] }, video])).toEqual([
      { url: 'https://site.example/en.vtt', format: 'vtt', language: 'en-us', automatic: false },
      { url: 'https://site.example/fr.srt', format: 'srt', language: 'fr', automatic: false },
    ]);
    expect(ofPinterest([video, video])).toEqual([]);
    expect(ofPinterest([{ images: [item({ captions })] }])).toEqual([]);
  });

  it('of p4 have the headers of their host, and other formats are left out', () => {
    const access = {
      of: (url: string) => (url.endsWith('/1') ? { headers: { cookie: 'a=b' }, relayOnly: true } : undefined),
    };
    const subtitle = (at: number, format: string, kind: string) => ({
      language: 'eng-US',
      url: `https://site.example/${at}`,
      format,
      kind,
    });
    const subtitles = [subtitle(1, 'webvtt', 'ASR'), subtitle(2, 'srt', 'LC'), subtitle(3, 'creator_caption', 'LC')];
    expect(ofTiktok(subtitles, access)).toEqual([
      { url: 'https://site.example/1', format: 'vtt', language: 'eng-US', automatic: true, headers: { cookie: 'a=b' } },
      { url: 'https://site.example/2', format: 'srt', language: 'eng-US', automatic: false },
    ]);
  });
});

describe('the sound of a p2 post', () => {
  it('is the file of its music, with the expiry of its link', () => {
    const music = { url: 'https://cdn.example/a.m4a?oe=6a000000', title: 'Song', artist: 'Lab', duration: 60 };
    expect(soundMedia(music)).toMatchObject({
      item: { label: 'Song - Lab', metadata: { mime_type: 'audio/mp4', duration: 60 } },
      stream: { ext: 'm4a', kind: 'audio', audioCodec: 'aac', expiresAt: 0x6a000000 * 1000 },
    });
    expect(soundMedia({ url: 'https://cdn.example/a.mp3' })?.stream).toEqual({
      ext: 'mp3',
      kind: 'audio',
      audioCodec: 'mp3',
    });
    expect(soundMedia({ title: 'Song' })).toBeUndefined();
    expect(soundMedia()).toBeUndefined();
  });
});
