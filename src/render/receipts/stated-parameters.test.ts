import { expect, test } from 'vitest';
import { statedParameters } from './stated-parameters.ts';

test('keeps values without links', () => {
  const parameters = { videoId: 'lab-plain30', languages: ['en', 'fr'], countryCode: undefined };
  expect(statedParameters(parameters)).toEqual({ videoId: 'lab-plain30', languages: ['en', 'fr'] });
});

test.each([
  ['https://www.facebook.com/reel/77?mibextid=SECRET&rdid=SECRET#SECRET', 'https://www.facebook.com/reel/77'],
  [
    'Only for you: https://www.instagram.com/p/DdG4RIxIPyf/?igsh=SECRET (SECRET)',
    'https://www.instagram.com/p/DdG4RIxIPyf/',
  ],
  [
    'https://www.youtube.com/watch?v=lab-plain30&si=SECRET&list=PL1',
    'https://www.youtube.com/watch?v=lab-plain30&list=PL1',
  ],
  ['www.youtube.com/watch?si=SECRET&v=lab-plain30', 'https://www.youtube.com/watch?v=lab-plain30'],
  ['https://me:SECRET@www.facebook.com/reel/77', 'https://www.facebook.com/reel/77'],
  [
    'https://www.facebook.com/story.php?story_fbid=1&id=2&access_token=SECRET',
    'https://www.facebook.com/story.php?story_fbid=1&id=2',
  ],
  [
    'https://l.facebook.com/l.php?u=https%3A%2F%2Fwww.facebook.com%2Freel%2F77%3Fmibextid%3DSECRET&h=SECRET',
    'https://www.facebook.com/reel/77',
  ],
  ['https://a.example/1?x=SECRET https://b.example/2', 'https://a.example/1 https://b.example/2'],
])('reduces links to what names the item: %s', (value, stated) => {
  expect(statedParameters({ url: value })).toEqual({ url: stated });
  expect(statedParameters({ url: [value] })).toEqual({ url: [stated] });
});

test('states nothing of a link that cannot be read', () => {
  expect(statedParameters({ url: 'https://[SECRET/path?token=SECRET' })).toEqual({ url: '' });
});
