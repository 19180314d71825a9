import { type Exchange, sendText } from '../../http/exchange.ts';
import { documentedId } from './world/scenarios.ts';

const site = 'https://www.tiktok.com';
const photos = `${site}/@thelab/photo/${documentedId(3)}`;

interface Target {
  readonly location?: string;
  /** Address that occurs only in the page. */
  readonly words?: string;
}

/** The documented codes of short links with their targets. `ZMlab` and four digits lead to the post of that number. */
export const shortCodes = {
  ZMlabuser: { about: 'leads to the profile `thelab`', location: `${site}/@thelab?_r=1` },
  ZMlabphoto: { about: 'leads to the photo address of three photos', location: `${photos}?_r=1` },
  ZMlablogin: {
    about: 'leads to a login page that contains the address of three photos',
    location: `${site}/login?redirect_url=${encodeURIComponent(photos)}`,
  },
  ZMlabwords: { about: 'contains the address of three photos in a page, without a redirect', words: photos },
  ZMlabgone: { about: 'leads to the front page: the link does not exist', location: `${site}/` },
} as const;

/** Handles a short link: `vm.tiktok.com/<code>`, `vt.tiktok.com/<code>`, `www.tiktok.com/t/<code>`. */
export function sendShortLink(exchange: Exchange, code: string): void {
  const target = targetOf(code);
  const text = `<a href="${target.location ?? target.words}">Moved Permanently</a>.\n`;
  const location = target.location === undefined ? {} : { location: target.location };
  sendText(exchange, target.location === undefined ? 200 : 301, text, { 'content-type': 'text/html', ...location });
}

function targetOf(code: string): Target {
  const number = /^ZMlab(\d{4})$/.exec(code)?.[1];
  if (number !== undefined) return { location: `${site}/@_/video/${documentedId(Number(number))}?_r=1&_t=ZM-lab` };
  return Object.entries<Target>(shortCodes).find(([name]) => name === code)?.[1] ?? shortCodes.ZMlabgone;
}
