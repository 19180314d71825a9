import {
  deeplyNested,
  down,
  empty,
  inside,
  redirects,
  respondsWith,
  type SiteFault,
  type SiteFaults,
  sends,
  sendsHuge,
  silent,
  throttle,
} from '../site-faults.ts';

const html = { 'content-type': 'text/html; charset=utf-8' };
const opening = '<html><script id="__UNIVERSAL_DATA_FOR_REHYDRATION__" type="application/json">{"__DEFAULT_SCOPE__":';
const half = `${opening}{"webapp.video-detail":{"itemInfo":{"itemStruct":{"id":"75`;
const deep = () => Buffer.from(`${opening}${deeplyNested()}}</script>`);

/** Faults of any page: the word is a user's name in its address, or the code of a short link. */
export const pageFaults: SiteFaults = {
  'lab-http429': throttle(),
  'lab-http503': down,
  'lab-is-json': respondsWith('returns 200 with JSON', '{"statusCode":0}', { 'content-type': 'application/json' }),
  'lab-is-void': empty(html),
  'lab-is-half': respondsWith('returns a page that is cut within its data', half, html),
  'lab-is-huge': sendsHuge(`${opening}"`, 'x', html),
  'lab-is-deep': sends('returns data nested 100000 levels deep', deep, html),
  'lab-is-slow': silent,
  'lab-is-loop': redirects('redirects to itself', ({ url }) => url.pathname),
  'lab-is-away': redirects('redirects to another site', () => 'https://cdn.lab.example/media/amber-2/still-144.jpg'),
  'lab-is-home': inside,
};

/** Returns the fault with the given name. */
export function faultOf(name: string): SiteFault | undefined {
  return Object.hasOwn(pageFaults, name) ? pageFaults[name] : undefined;
}
