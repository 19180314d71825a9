import { parseCount } from '../../../parsing/numbers.ts';
import { defined, text } from '../../../parsing/values.ts';
import { recognise } from '../links.ts';
import { cleanLink } from './clean-link.ts';
import type { Page } from './page.ts';
import { readPicture } from './pictures.ts';

/** Properties that a profile's page has even if it comes without its data. */
const headProperties = ['og:title', 'og:image', 'og:url'];

/** Returns whether a page without data has the head of a profile. */
export function isHeadOfProfile({ properties, isComplete, hasResults, results }: Page): boolean {
  const isGroup = properties.get('al:android:url')?.startsWith('fb://group/') === true;
  const isHead = isComplete && !hasResults && results.length === 0;
  return (
    isHead &&
    headProperties.every((name) => properties.has(name)) &&
    !isGroup &&
    recognise(properties.get('og:url') ?? '')?.kind === 'profile'
  );
}

/** A count in a page's description, with its unit. Two counts are separated by ` · `. */
const countInWords = /(?<![\d,])([\d,]{1,20}) (likes?|followers?|talking about this|were here)\b/g;

/** Maximum length of the text between the end of one count and the start of the next. */
const MAX_GAP = 3;

/**
 * Reads a profile from the head of its page: "Name. 28,660,812 likes · 78,461 talking about this. Text". Only the head
 * has exact counts, and a page that arrives without its data has nothing else.
 */
export function readProfileHead({ properties, canonical }: Page) {
  const counts = new Map<string, number | undefined>();
  const description = properties.get('og:description') ?? '';
  let end: number | undefined;
  for (const { 0: words, 1: digits, 2: unit = '', index } of description.matchAll(countInWords)) {
    // A number in the text that follows the counts is not one of them.
    if (end !== undefined && index - end > MAX_GAP) break;
    end = index + words.length;
    counts.set(unit, parseCount(digits));
  }
  const picture = readPicture(properties.get('og:image'));
  return defined({
    name: text(properties.get('og:title')?.replace(/ \| Facebook$/, '')),
    url: cleanLink(canonical ?? properties.get('og:url')),
    thumbnails: picture === undefined ? undefined : [picture],
    description: end === undefined ? undefined : text(description.slice(end).replace(/^\.?\s{0,5}/, '')),
    likeCount: counts.get('likes') ?? counts.get('like'),
    followerCount: counts.get('followers') ?? counts.get('follower'),
    talkingAboutCount: counts.get('talking about this'),
    checkinCount: counts.get('were here'),
  });
}
