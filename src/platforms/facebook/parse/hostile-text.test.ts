import { expect, test } from 'vitest';
import { startCpuClock } from '../../../testing/cpu-clock.ts';
import type { Page } from './page.ts';
import { titleOfPage } from './post-metadata.ts';
import { readMessage } from './post-text.ts';
import { readProfile } from './profile.ts';
import { readRecords } from './records.ts';

/** Characters of hostile text. The site's own texts have a few thousand. */
const LENGTH = 120_000;

const page = (properties: Record<string, string>): Page => ({
  results: [],
  properties: new Map(Object.entries(properties)),
  isComplete: true,
  hasResults: false,
});
const repeated = (text: string) => text.repeat(LENGTH / text.length);

test.each<[string, () => unknown]>([
  [
    'a message of links with dots inside',
    () => readMessage([{ message: { text: `http://a${'.'.repeat(1_990)}/ `.repeat(1_000) } }]),
  ],
  ['a title of digits', () => titleOfPage(page({ 'og:title': `${repeated('0')} | a | b` }).properties)],
  [
    'a description of digits',
    () => readProfile({ profileId: '1' }, page({ 'og:description': repeated('0') }), readRecords([])),
  ],
  [
    'a description of commas',
    () => readProfile({ profileId: '1' }, page({ 'og:description': repeated(',') }), readRecords([])),
  ],
])('%s is read in linear time', (_what, read) => {
  const elapsed = startCpuClock();
  read();
  // A linear pattern takes a few milliseconds, a quadratic one tens of seconds.
  expect(elapsed()).toBeLessThan(1_500);
});

test('description counts and reel titles are still read correctly', () => {
  const description = 'Creator. 28,660,812 likes · 78,461 talking about this · 1,204 were here. More text';
  expect(readProfile({ profileId: '1' }, page({ 'og:description': description }), readRecords([]))).toMatchObject({
    likeCount: 28_660_812,
    talkingAboutCount: 78_461,
    checkinCount: 1_204,
  });
  expect(titleOfPage(page({ 'og:title': '453K views · 5.9K reactions | text | more | owner' }).properties)).toBe(
    'text | more',
  );
  expect(titleOfPage(page({ 'og:title': 'views | text | owner' }).properties)).toBe('views | text | owner');
});
