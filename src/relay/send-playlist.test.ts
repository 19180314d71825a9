import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { playlistType } from '../contract/inert-media-types.ts';
import { relayTo, respondWith, sealer } from './testing/test-relay.ts';

const segments = (count: number, name: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => `#EXTINF:4,\n${name(at)}`).join('\n');

/** Starts a relay of a playlist. */
async function relayPlaylist(lines: string) {
  const { link, base } = await relayTo(respondWith(200, { 'content-type': playlistType }, `#EXTM3U\n${lines}`));
  return { link: link({ url: 'https://cdn.example/list', mediaType: playlistType }), base };
}

/** Returns where the links of a relayed playlist lead. */
function targetsOf(playlist: string): string[] {
  const links = playlist.split('\n').filter((line) => !line.startsWith('#'));
  return links.map((link) => {
    const order = sealer.open('relay-link', new URL(link).pathname.split('/')[2] ?? '') as { readonly url: string };
    return order.url;
  });
}

describe('a playlist of thousands of segments', () => {
  const name = (at: number) => `é${at}.ts`;

  test('is sent with all its links in order', async () => {
    const { link } = await relayPlaylist(`${segments(3_000, name)}\n#EXT-X-ENDLIST`);
    const response = await fetch(link);
    const text = await response.text();
    expect(text.length).toBeGreaterThan(500_000);
    expect(text.endsWith('\n#EXT-X-ENDLIST')).toBe(true);
    const expected = Array.from({ length: 3_000 }, (_, at) => new URL(name(at), 'https://cdn.example').href);
    expect(targetsOf(text)).toEqual(expected);
  });

  test('has no body for HEAD', async () => {
    const { link } = await relayPlaylist(segments(3_000, name));
    const response = await fetch(link, { method: 'HEAD' });
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      200,
      playlistType,
      '',
    ]);
  });

  test('gets an error response if its links are too long to be relayed', async () => {
    const { link } = await relayPlaylist(segments(1_000, () => randomBytes(6_000).toString('hex')));
    const response = await fetch(link);
    expect([response.status, await response.json()]).toEqual([
      502,
      expect.objectContaining({ error: expect.objectContaining({ code: 'invalid_response_data' }) }),
    ]);
  });
});

test('a short playlist is sent with its length', async () => {
  const { link } = await relayPlaylist(segments(3, (at) => `${at}.ts`));
  const response = await fetch(link);
  const text = await response.text();
  expect(response.headers.get('content-length')).toBe(String(text.length));
});
