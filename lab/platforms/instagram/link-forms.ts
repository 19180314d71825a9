import type { LinkForms } from '../link-forms.ts';

/** A post has a short code, and a number that is the same in decimal digits. */
const code = 'DdG4RIxIPyf';
const mediaId = '3983118388705688735';

/** Every link format that the site has used, with what the links name. */
export const forms: readonly LinkForms[] = [
  {
    names: [`item/${code}`, `item/${mediaId}`],
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
