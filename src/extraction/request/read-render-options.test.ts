import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { renderParameters } from '../../contract/render-parameters.ts';
import { readParameters } from './read-parameters.ts';
import { readRenderOptions } from './read-render-options.ts';

const schema = Type.Object(renderParameters);
const optionsOf = (query: Record<string, string>) => readRenderOptions(readParameters(schema, query));

describe('the options of rendered files', () => {
  it('have tags and chapters by default', () => {
    expect(optionsOf({})).toEqual({
      audioFormats: [],
      audioLanguages: [],
      embed: new Set(['metadata', 'chapters']),
      subtitleLanguages: [],
    });
  });

  it('can be set together', () => {
    const query = {
      renderableAudios: 'mp3, original',
      renderableAudioBitrate: '192',
      audioLanguage: 'de,en-US',
      clip: '1:30-2:30',
      embed: 'cover,subtitles',
      subtitleLanguages: 'de',
      maxSize: '8000000',
    };
    expect(optionsOf(query)).toEqual({
      audioFormats: ['mp3', 'original'],
      audioBitrate: 192,
      audioLanguages: ['de', 'en-US'],
      clip: { start: 90, end: 150 },
      embed: new Set(['cover', 'subtitles']),
      subtitleLanguages: ['de'],
      maxSize: 8_000_000,
    });
  });

  it('have subtitles by default if their languages are requested', () => {
    expect(optionsOf({ subtitleLanguages: 'de' }).embed).toEqual(new Set(['metadata', 'chapters', 'subtitles']));
  });

  it('have the tags that are requested', () => {
    const query = { tagTitle: ' Brücken ', tagArtist: '', tagDate: '2026-11', tagComment: 'a\nb' };
    expect(optionsOf(query).tags).toEqual({ title: 'Brücken', date: '2026-11', comment: 'a\nb' });
  });

  it('have no additions with embed=none, and no clip for the whole media', () => {
    expect(optionsOf({ embed: 'none', clip: '0-' })).toMatchObject({ embed: new Set() });
    expect(optionsOf({ clip: '0-' })).not.toHaveProperty('clip');
  });

  it.each<[string, Record<string, string>]>([
    ['clip', { clip: '150-90' }],
    ['clip', { clip: '90' }],
    ['clip', { clip: '-90-150' }],
    ['clip', { clip: 'a-b' }],
    ['embed', { embed: 'none,cover' }],
    ['embed', { embed: 'lyrics' }],
    ['renderableAudios', { renderableAudios: 'weba' }],
    ['renderableAudioBitrate', { renderableAudios: 'mp3', renderableAudioBitrate: '31' }],
    ['renderableAudioBitrate', { renderableAudios: 'mp3', renderableAudioBitrate: '321' }],
    ['renderableAudioBitrate', { renderableAudios: 'mp3', renderableAudioBitrate: '192k' }],
    ['renderableAudioBitrate', { renderableAudios: 'flac,original', renderableAudioBitrate: '192' }],
    ['audioLanguage', { audioLanguage: 'german language' }],
    ['audioLanguage', { audioLanguage: Array.from({ length: 64 }, (_, at) => `de-${100 + at}`).join() }],
    ['subtitleLanguages', { subtitleLanguages: 'de', embed: 'none' }],
    ['subtitleLanguages', { subtitleLanguages: 'de', embed: 'metadata' }],
    ['tagTitle', { tagTitle: 'a', embed: 'none' }],
    ['tagAlbum', { tagAlbum: 'a', embed: 'cover' }],
    ['tagArtist', { tagArtist: 'a'.repeat(501) }],
    ['tagDate', { tagDate: 'yesterday' }],
    ['maxSize', { maxSize: '8MB' }],
    ['maxSize', { maxSize: '65535' }],
    ['maxSize', { maxSize: '5000000001' }],
  ])('are refused if %s is wrong: %j', (parameter, query) => {
    expect(() => optionsOf(query)).toThrow(expect.objectContaining({ code: 'invalid_params', parameter }));
  });
});
