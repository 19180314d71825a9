import { createCipheriv } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { body, download, hash } from './testing/downloads.ts';
import { type Behaviour, type SeenRequest, withRanges } from './testing/origin.ts';
import { media, playlistOf, says, segments, served, whole } from './testing/playlist.ts';

const good = { '/a': media, ...served((bytes) => withRanges(bytes)) };

function answers(content: string, type: string): Behaviour {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(content) }).end(content);
  };
}

const fetchWith = (third: Behaviour, seen: SeenRequest[] = []) =>
  download({ ...good, '/seg-2': third }, [{ url: '/a', ext: 'm3u8' }], {}, seen);

describe('a segment that is answered with status 200 and something else', () => {
  test.each([
    ['JSON', '{"error":"token expired"}', 'application/json', 'a JSON document'],
    ['text', 'Access denied', 'text/plain', 'text'],
    ['text in UTF-8', 'Accès refusé — lien expiré', 'video/mp2t', 'text'],
    ['a page that claims to be media', '\n<!doctype html><html>Sign in</html>', 'video/mp2t', 'a web page'],
    ['a page', '<html>Sign in</html>', 'text/html', 'a web page'],
  ])('%s: the source refuses, and it is not asked again', async (_name, content, type, what) => {
    const seen: SeenRequest[] = [];
    await expect(fetchWith(answers(content, type), seen)).rejects.toMatchObject({
      code: 'source_refused',
      message: expect.stringMatching(
        `^Segment 3 of 12 of input 1: .* answered with ${what} instead of media\\. Obtain`,
      ),
      input: 0,
    });
    expect(seen.filter(({ url }) => url === '/seg-2')).toHaveLength(1);
  });

  test('nothing: it is tried again like any incomplete answer, and then incomplete', async () => {
    const seen: SeenRequest[] = [];
    await expect(fetchWith(answers('', 'video/mp2t'), seen)).rejects.toMatchObject({
      code: 'download_incomplete',
      retryable: true,
      message: 'Segment 3 of 12 of input 1 is empty. Start the same job again.',
    });
    expect(seen.filter(({ url }) => url === '/seg-2')).toHaveLength(6);
  });

  test('nothing at first: the next try is taken', async () => {
    let tries = 0;
    const late: Behaviour = (request, response) => {
      tries += 1;
      if (tries < 3) response.writeHead(200).end();
      else withRanges(segments[2] ?? body(1))(request, response);
    };
    const { files } = await fetchWith(late);
    expect(hash(files[0])).toBe(hash(whole));
  });

  test('JSON in place of an encrypted segment', async () => {
    const key = Buffer.alloc(16, 7);
    const iv = Buffer.alloc(16, 9);
    const cipher = createCipheriv('aes-128-cbc', key, iv);
    const encrypted = Buffer.concat([cipher.update(body(10_000)), cipher.final()]);
    const tag = `#EXT-X-KEY:METHOD=AES-128,URI="/key",IV=0x${iv.toString('hex')}`;
    const playlist = playlistOf([tag, '#EXTINF:4,', '/one', '#EXTINF:4,', '/two']);
    const behaviours = { '/a': says(playlist), '/key': says(key), '/one': says(encrypted) };
    const ask = (two: string | Buffer) => download({ ...behaviours, '/two': says(two) }, [{ url: '/a', ext: 'm3u8' }]);
    expect((await ask(encrypted)).files[0]).toHaveLength(20_000);
    await expect(ask('{"error":"token expired"}')).rejects.toMatchObject({
      code: 'source_refused',
      message: expect.stringContaining('Segment 2 of 2 of input 1'),
    });
  });
});

describe('media that begins in an unusual way is taken', () => {
  test.each([
    ['an ID3 tag', Buffer.from('ID3\x04\0\0\0\0\0\x3fPRIV')],
    ['a byte that is no text', Buffer.from([0xff, 0xf1])],
    ['a picture that hides MPEG-TS', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
    ['white space', Buffer.alloc(600, '\n')],
  ])('%s', async (_name, begin) => {
    const { fetched } = await fetchWith(says(Buffer.concat([begin, body(1000)])));
    expect(fetched[0]?.parts).toHaveLength(1);
  });
});
