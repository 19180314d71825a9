import { fakeSite } from '../../testing/fake-site.ts';
import type { LinkForms } from '../../testing/link-forms.ts';
import type { LinkReaders } from '../../testing/link-readers.ts';
import { audioIdOf, shortcodeOf, usernameOf } from '../endpoints/parameters.ts';
import { mediaIdOf } from '../links.ts';
import { createRequests } from '../requests.ts';
import { defaultSite } from '../site.ts';

const code = 'DdG4RIxIPyf';

/** Every link format that the site has used, with what the links name. */
export const forms: readonly LinkForms[] = [
  {
    names: [`item/${code}`, `item/${mediaIdOf(code)}`],
    links: [
      ...['p', 'reel', 'reels', 'tv', 'name/p', 'name/reel', 'na.me/reels'].map(
        (place) => `https://www.instagram.com/${place}/${code}/`,
      ),
      `https://instagram.com/p/${code}?img_index=2&igsh=abc`,
      `https://m.instagram.com/p/${code}/`,
      `https://instagr.am/p/${code}/`,
      `https://www.instagram.com/p/${code}/embed/captioned/`,
      `https://www.instagram.com/p/${code}${'x'.repeat(28)}/`,
    ],
  },
  { names: ['item/26106058285758518'], links: ['https://www.instagram.com/reels/audio/26106058285758518/'] },
  { names: ['channel/@natgeo'], links: ['https://www.instagram.com/natgeo/'] },
  { names: [], links: ['https://www.instagram.com/share/reel/BACx1', 'https://www.instagram.com/share/BACx1'] },
];

const { context } = fakeSite(() => new Error('No request to the site is expected.'));
const requests = createRequests(context.source, defaultSite);

/** The readers of parameters that accept links. */
export const readers: LinkReaders = [(link) => shortcodeOf(link, requests), audioIdOf, usernameOf];
