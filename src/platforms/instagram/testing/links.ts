import { fakeSite } from '../../testing/fake-site.ts';
import type { LinkReaders } from '../../testing/link-readers.ts';
import { audioIdOf, shortcodeOf, usernameOf } from '../endpoints/parameters.ts';
import { createRequests } from '../requests.ts';
import { defaultSite } from '../site.ts';

const code = 'DdG4RIxIPyf';

/** Every link format that the site has used. */
export const links: readonly string[] = [
  ...['p', 'reel', 'reels', 'tv', 'name/p', 'name/reel', 'na.me/reels'].map(
    (place) => `https://www.instagram.com/${place}/${code}/`,
  ),
  `https://instagram.com/p/${code}?img_index=2&igsh=abc`,
  `https://m.instagram.com/p/${code}/`,
  `https://instagr.am/p/${code}/`,
  `https://www.instagram.com/p/${code}/embed/captioned/`,
  'https://www.instagram.com/share/reel/BACx1',
  'https://www.instagram.com/share/BACx1',
  'https://www.instagram.com/reels/audio/26106058285758518/',
  'https://www.instagram.com/natgeo/',
];

const { context } = fakeSite(() => new Error('No request to the site is expected.'));
const requests = createRequests(context.source, defaultSite);

/** The readers of parameters that accept links. */
export const readers: LinkReaders = [(link) => shortcodeOf(link, requests), audioIdOf, usernameOf];
