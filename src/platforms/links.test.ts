import { describe, expect, it } from 'vitest';
import { MillraceError } from '../contract/errors.ts';
import { recognise as recogniseDailymotion } from './dailymotion/video-id.ts';
import { readLink as readFacebookLink, recognise as recogniseFacebook } from './facebook/links.ts';
import { defaultInstagramClient } from './instagram/client.ts';
import { recognise as recogniseInstagram } from './instagram/links.ts';
import { audioIdOf, shortcodeOf, usernameOf } from './instagram/parameters.ts';
import { createRequests } from './instagram/requests.ts';
import { pinReference, recognise as recognisePinterest } from './pinterest/pin-id.ts';
import { fakeSite } from './testing/fake-site.ts';
import { disguised, links } from './testing/links.ts';
import { readLink as readTiktokLink, recognise as recogniseTiktok } from './tiktok/links.ts';

/** What tells the platforms' links apart. p1 is asked by ids alone. */
const recognisers: Readonly<Record<string, (link: string) => unknown>> = {
  p2: recogniseInstagram,
  p3: recogniseFacebook,
  p4: recogniseTiktok,
  p5: recogniseDailymotion,
  p6: recognisePinterest,
};

const { context, seen } = fakeSite(() => new Error('The site must not be asked.'));
const instagram = createRequests(context.source, defaultInstagramClient);

/** What reads the parameters that may be links. */
const readers: Readonly<Record<string, readonly ((link: string) => unknown)[]>> = {
  p2: [(link) => shortcodeOf(link, instagram), audioIdOf, usernameOf],
  p3: [readFacebookLink],
  p4: [(link) => readTiktokLink(link, 'post'), (link) => readTiktokLink(link, 'profile')],
  p6: [pinReference],
};

/** The code that a reader refuses a link with. */
async function refusal(read: (link: string) => unknown, link: string): Promise<unknown> {
  try {
    return await read(link);
  } catch (error) {
    return error instanceof MillraceError ? error.code : error;
  }
}

describe.each(Object.entries(links))('a link of %s', (platform, ofPlatform) => {
  it.each(ofPlatform)('%s means something to it alone', (link) => {
    const knownBy = Object.keys(recognisers).filter((other) => recognisers[other]?.(link) != null);
    expect(knownBy).toEqual(platform === 'p1' ? [] : [platform]);
  });

  it.each(ofPlatform)('%s is refused by every other as one of another platform', async (link) => {
    const others = Object.entries(readers).filter(([other]) => other !== platform);
    for (const [, read] of others) {
      for (const one of read) expect(await refusal(one, link)).toBe('invalid_platform_url');
    }
    expect(seen).toEqual([]);
  });
});

describe.each(Object.entries(links))('a link that only names one of %s', (_, ofPlatform) => {
  it.each(ofPlatform)('%s means nothing, and is refused', async (link) => {
    for (const one of disguised(link)) {
      expect(Object.values(recognisers).map((recognise) => recognise(one))).toEqual([null, null, null, null, null]);
      for (const read of Object.values(readers).flat()) expect(await refusal(read, one)).toBe('invalid_platform_url');
    }
  });
});
