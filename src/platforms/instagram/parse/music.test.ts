import { expect, it } from 'vitest';
import { partsOfMusic, readMusic } from './music.ts';
import { soundMedia } from './sound-media.ts';

const url = 'https://scontent.cdninstagram.com/sound.m4a';
const original = {
  audio_asset_id: '123',
  progressive_download_url: url,
  ig_artist: { pk: '528', username: 'some.one' },
};
const song = { audio_cluster_id: '7', audio_asset_id: '8', progressive_download_url: url };

it.each([
  ['an original sound', { original_sound_info: original }, { items: ['123'], channels: ['528', '@some.one'] }],
  ['a song', { music_info: { music_asset_info: song } }, { items: ['7', '8'], channels: [] }],
])('%s with a file belongs to its track and its artist', (_what, metadata, subjects) => {
  const music = readMusic(metadata);
  expect(partsOfMusic(music, ['additionalData', 'music'])).toEqual([{ path: ['additionalData', 'music'], subjects }]);
  expect(soundMedia(music)).toMatchObject({ subjects, item: { url } });
});

it('music without a file is no part that can be blocked', () => {
  const music = readMusic({ original_sound_info: { audio_asset_id: '123' } });
  expect(partsOfMusic(music, [])).toEqual([]);
  expect(partsOfMusic(undefined, [])).toEqual([]);
});
