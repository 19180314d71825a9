import { expect, it } from 'vitest';
import { parseFacts } from './rest-facts.ts';

it("reads the REST interface's fields", () => {
  const response = {
    title: 'T',
    description: 'Line one<br />Line &amp; two <3 <a href="x">link</a>',
    created_time: 5,
    views_total: 1200,
    likes_total: '7',
    thumbnail_1080_url: 'https://s1.dmcdn.net/v/A/x1080',
    'owner.id': 'x2',
    'owner.screenname': 'Some One',
    geoblocking: ['deny', 'de', 'FR', 'toolong'],
  };
  expect(parseFacts(JSON.stringify(response))).toEqual({
    facts: {
      title: 'T',
      description: 'Line one\nLine & two <3 link',
      createdTime: 5,
      viewCount: 1200,
      likeCount: 7,
      thumbnailUrl: 'https://s1.dmcdn.net/v/A/x1080',
      owner: { id: 'x2', name: 'Some One' },
      geoblocking: { mode: 'deny', countries: ['DE', 'FR'] },
    },
  });
});

it.each([
  [['allow', 'fr'], { mode: 'allow', countries: ['FR'] }],
  [['fr', 'be'], { mode: 'allow', countries: ['FR', 'BE'] }],
  [['allow'], { mode: 'allow', countries: [] }],
  [['deny', 5, null], { mode: 'deny', countries: [] }],
])('reads the countries %j', (geoblocking, expected) => {
  expect(parseFacts(JSON.stringify({ geoblocking }))).toEqual({ facts: { geoblocking: expected } });
});

it('returns no facts for a refusal', () => {
  expect(parseFacts('{"error":{"code":403,"type":"access_forbidden"}}')).toEqual({});
});

it.each(['', '<html>', '[]', '{}', '{"geoblocking":[]}'])('returns undefined for %j', (body) => {
  expect(parseFacts(body)).toBeUndefined();
});
