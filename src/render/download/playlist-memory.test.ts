import { expect, test } from 'vitest';
import { parsePlaylist } from '../../hls/testing/parse-playlist.ts';
import { runSteps } from '../../waiting/steps.ts';
import { createPlaylistMemory, openInputPlaylists, playlistBytes, unparsedBytes } from './playlist-memory.ts';

const full = expect.objectContaining({ code: 'service_unavailable' });

test.each([
  ['an account', ['a'], 50],
  ['an account with visitors', Array.from({ length: 8 }, (_, at) => `a/v4:192.0.2.${at}`), 50],
  ['a visitor', ['a/v4:192.0.2.1'], 12],
])('%s can take a part of the memory', (_, owners, most) => {
  const memory = createPlaylistMemory(100);
  const take = () => {
    for (let at = 0; ; at += 1) memory.take(owners[at % owners.length] ?? '', 1);
  };
  expect(take).toThrow(full);
  expect(memory.used).toBe(most);
  memory.take('another', 10);
  expect(() => memory.take('another', 100)).toThrow(full);
  expect(memory.used).toBe(most + 10);
});

test('all accounts together can take no more than there is', () => {
  const memory = createPlaylistMemory(100);
  memory.take('one', 50);
  memory.take('other', 40);
  expect(() => memory.take('third', 11)).toThrow('those of others');
  memory.give('one', 1);
  memory.take('third', 11);
  expect(memory.used).toBe(100);
});

test('an input gives back what each of its playlists took, and at its end the rest', () => {
  const memory = createPlaylistMemory(100_000);
  const playlists = openInputPlaylists('one', memory);
  const list = parsePlaylist('#EXTM3U\n#EXTINF:1,\ns.ts\n#EXT-X-ENDLIST\n', 'https://media.example/list.m3u8');
  const [first, second] = [playlists.open(), playlists.open()];
  first(20_000);
  second(30_000);
  expect(() => first(30_000)).toThrow(full);
  expect(memory.used).toBe(50_000);
  first(playlistBytes(list));
  playlists.release(list);
  expect(memory.used).toBe(30_000);
  playlists.close();
  expect(memory.used).toBe(0);
});

test.each([
  ['short names at a long address', 'https://media.example/', 'a'.repeat(600), 's'],
  ['long names', 'https://media.example/', '', 'long'.repeat(50)],
])('a playlist with %s takes no more than was expected of its text', (_, host, folder, name) => {
  const lines = Array.from({ length: 5_000 }, (_line, at) => `#EXTINF:1,\n${name}${at}.ts`);
  const text = ['#EXTM3U', ...lines, '#EXT-X-ENDLIST'].join('\n');
  const url = `${host}${folder}/list.m3u8`;
  const expected = runSteps(unparsedBytes({ body: Buffer.from(text), url }));
  const bytes = playlistBytes(parsePlaylist(text, url));
  expect(bytes).toBeLessThanOrEqual(expected);
  expect(bytes).toBeGreaterThan(expected / 2);
});
