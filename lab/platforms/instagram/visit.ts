import type { Exchange } from '../../http/exchange.ts';
import { sign } from '../signature.ts';

/** Tokens that the site issues for a visit and expects in each request of its scripts. */
export interface Visit {
  readonly csrf: string;
  readonly lsd: string;
}

/** Number of the site's web client. */
const appId = '936619743392459';

/** Release data of the site, which its scripts send back. */
export const release = {
  haste_session: '20778.HYP:instagram_web_pkg.2.1...0',
  client_revision: 1_030_000_001,
  hsi: '7711090199506379070',
  __spin_r: 1_030_000_001,
  __spin_b: 'trunk',
  __spin_t: 1_795_200_000,
} as const;

/** Begins the visit of a request. */
export function openVisit({ entry }: Pick<Exchange, 'entry'>): Visit {
  const csrf = sign('p2', 'csrf', `${entry.number}`).slice(0, 32);
  return { csrf, lsd: lsdOf(csrf) };
}

/** Returns the cookies of a new visit. */
export function cookiesOf({ csrf }: Visit): string[] {
  const rest = 'expires=Sat, 20-Nov-2027 10:00:00 GMT; Max-Age=31449600; Path=/; Domain=.instagram.com; Secure';
  return [`csrftoken=${csrf}; ${rest}`, `mid=${sign('p2', 'mid', csrf).slice(0, 28)}; ${rest}; HttpOnly`];
}

/** Returns whether a request has the headers of a browser that navigates to the page. */
export function isNavigation({ request: { headers } }: Exchange): boolean {
  return (
    /^Mozilla\/5\.0 \((?:Windows|Macintosh|X11)/.test(headers['user-agent'] ?? '') &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document' &&
    /text\/html/.test(headers.accept ?? '')
  );
}

/** Returns whether a request to the API names the web client. */
export function isWebClient({ request: { headers } }: Exchange): boolean {
  return headers['x-ig-app-id'] === appId && headers['x-asbd-id'] !== undefined;
}

/** Returns whether a form contains the tokens of a visit that began with a page. */
export function isVisitor(exchange: Exchange, form: URLSearchParams): boolean {
  const { headers } = exchange.request;
  const csrf = /(?:^|;\s*)csrftoken=([\w-]+)/.exec(headers.cookie ?? '')?.[1] ?? '';
  const lsd = form.get('lsd');
  return (
    isWebClient(exchange) &&
    lsd === lsdOf(csrf) &&
    headers['x-fb-lsd'] === lsd &&
    headers['x-csrftoken'] === csrf &&
    headers.origin === 'https://www.instagram.com'
  );
}

/** Returns the release data that scripts send back, and the checksum of the token `lsd`. */
export function releaseMembers(lsd: string): Record<string, string> {
  const sum = [...lsd].reduce((total, character) => total + character.charCodeAt(0), 0);
  return {
    jazoest: `2${sum}`,
    __hs: release.haste_session,
    __rev: `${release.client_revision}`,
    __hsi: release.hsi,
    __spin_t: `${release.__spin_t}`,
  };
}

/** Returns whether a form contains the release data. */
export function isOfRelease(form: URLSearchParams): boolean {
  const members = releaseMembers(form.get('lsd') ?? '');
  return Object.entries(members).every(([name, value]) => form.get(name) === value);
}

function lsdOf(csrf: string): string {
  return sign('p2', 'lsd', csrf).slice(0, 22);
}
