import { describe, expect, it } from 'vitest';
import { addressOfTarget, describeLink } from './link-text.ts';
import { recogniseAll } from './recognise-link.ts';

describe.each([
  ['@some.name', ['YouTube channel', 'TikTok profile', 'Instagram profile']],
  ['dQw4w9WgXcQ', ['YouTube video', 'Instagram post']],
  ['7608826249200356630', ['TikTok post', 'Pinterest pin']],
  ['31454897393552949', ['Pinterest pin', 'Facebook post']],
])('the meanings of %s', (text, descriptions) => {
  const meanings = recogniseAll(text);

  it('are described by their platform and content', () => {
    expect(meanings.map(describeLink)).toEqual(descriptions);
  });

  it('have links that mean nothing else', () => {
    for (const meaning of meanings) expect(recogniseAll(addressOfTarget(meaning) ?? '')).toEqual([meaning]);
  });
});

it('a target that only one platform could have needs no link', () => {
  const [search] = recogniseAll('https://www.youtube.com/results?search_query=a');
  if (search === undefined) throw new Error('expected a search');
  expect([describeLink(search), addressOfTarget(search)]).toEqual(['YouTube search', undefined]);
});
