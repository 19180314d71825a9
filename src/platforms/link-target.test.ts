import { describe, expect, it, test } from 'vitest';
import { links } from '../../lab/platforms/sample-links.ts';
import { linksIn, webUrl } from './link-target.ts';
import { readers } from './testing/link-readers.ts';

const link = 'https://tube.example/video/x1';

describe('links in a text', () => {
  test.each([
    `${link}😂`,
    `**${link}**`,
    `~~${link}~~`,
    `\`${link}\``,
    `[title](${link})`,
    `||${link}||`,
    `${link}…`,
    `${link}—nice`,
    `شاهد هذا: ${link}؟`,
    `${link}،`,
    `${link}।`,
    `\u200b${link}\u2069`,
    `看这个：${link}。`,
    `<a href="${link}">x</a>`,
    'look: tube.example/video/x1!',
  ])('in %j are found without what surrounds them', (text) => {
    expect(linksIn(text).map(({ href }) => href)).toEqual([link]);
  });

  test.each([`${link}很好看`, `${link},next`, `${link}!next`])(
    'in %j are listed with and without the text that directly follows',
    (text) => {
      expect(linksIn(text).map(({ href }) => href)).toEqual([new URL(text).href, link]);
    },
  );

  it('keep an underscore at the end, which IDs can have, unless another one precedes them', () => {
    const hrefs = (text: string) => linksIn(text).map(({ href }) => href);
    expect(hrefs('https://youtu.be/abcdefghij_')).toEqual(['https://youtu.be/abcdefghij_']);
    expect(hrefs('see youtu.be/abcdefghij_.')).toEqual(['https://youtu.be/abcdefghij_']);
    expect(hrefs(`_${link}_ **_${link}_**`)).toEqual([link, link]);
  });

  it('may contain letters of any script', () => {
    expect(linksIn('https://tube.example/@имя ＠x')[0]?.href).toBe(new URL('https://tube.example/@имя').href);
  });

  it('may be escaped for HTML', () => {
    expect(linksIn('https://tube.example/?a=1&amp;b=2')[0]?.search).toBe('?a=1&b=2');
  });
});

/** Texts around a link. Letters of another script can be part of a name, so none directly follows. */
const surroundings: readonly ((link: string) => string)[] = [
  (text) => `😂${text}😂`,
  (text) => `\`${text}\``,
  (text) => `شاهد هذا:${text}؟ جميل`,
  (text) => `look\n${text}\r\nbye`,
  (text) => `\u2068${text}\u2069`,
  (text) => `~~${text}~~ ${text}—nice`,
];

describe.each(Object.keys(links))('%s', (platform) => {
  it('reads each of its links within texts', async () => {
    for (const each of links[platform] ?? []) {
      for (const surround of surroundings) {
        for (const read of readers[platform] ?? []) {
          const outcome = await outcomeOf(read, each);
          if (outcome !== undefined) expect([each, await outcomeOf(read, surround(each))]).toEqual([each, outcome]);
        }
      }
    }
  });
});

async function outcomeOf(read: (text: string) => unknown, text: string): Promise<unknown> {
  try {
    return await read(text);
  } catch {
    // Not every reader takes every link of its platform.
    return undefined;
  }
}

test.each([
  `https://${'一'.repeat(93)}/`,
  `ht\ttps:\\\\\n//${'一'.repeat(93)}/`,
  `https://${'a'.repeat(100)}@youtu.be/`,
])('a link with a long host is refused before it is parsed: %s', (link) => {
  expect(URL.canParse(link)).toBe(true);
  expect(webUrl(link)).toBeNull();
});

test('a link with a long path is a link', () => {
  expect(webUrl(`https://example.com/${'一'.repeat(500)}?${'/'.repeat(200)}`)?.hostname).toBe('example.com');
  expect(webUrl(`https://${'一'.repeat(60)}.example/`)).not.toBeNull();
});
