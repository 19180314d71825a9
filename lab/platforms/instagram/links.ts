import type { Title } from '../../media/titles.ts';
import { sign } from '../signature.ts';

/** Lifetime of a CDN link in seconds; real links last one to five days. */
const linkSeconds = 86_400;

/** Hosts of the CDN: images and sounds, and videos. */
export const pictureHost = 'scontent.cdninstagram.com';
export const videoHost = 'instagram.flab1-1.fna.fbcdn.net';

/** Options of a link. */
interface LinkOptions {
  /** `stp`: transformation of an image. */
  readonly transformation?: string;
  /** `efg`: properties of the file. */
  readonly facts?: object;
  readonly expired?: boolean;
  /** Faults of the lab's CDN, as a query. */
  readonly faults?: string;
}

/** Returns the signed link of a file. */
export function mediaLink(host: string, folder: string, title: Title, file: string, options: LinkOptions = {}): string {
  const { transformation, facts, expired = false, faults = '' } = options;
  const name = Buffer.from(`${title.name}/${file}`).toString('base64url');
  const url = new URL(`https://${host}/${folder}/AQ${name}${/\.\w+$/.exec(file)?.[0] ?? ''}`);
  const members = {
    ...(transformation === undefined ? {} : { stp: transformation }),
    _nc_cat: '108',
    _nc_map: 'urlgen_bucketless',
    ...(facts === undefined ? {} : { efg: Buffer.from(JSON.stringify(facts)).toString('base64') }),
    ccb: '17-1',
    _nc_ht: host,
    ...Object.fromEntries(new URLSearchParams(faults)),
  };
  for (const [member, value] of Object.entries(members)) url.searchParams.set(member, value);
  const expiry = Math.floor(Date.now() / 1000) + (expired ? -60 : linkSeconds);
  url.searchParams.set('oh', signature(url, expiry.toString(16).toUpperCase()));
  url.searchParams.set('oe', expiry.toString(16).toUpperCase());
  return url.href;
}

/** Returns the title and file of a link, or the CDN's message for an invalid or expired link. */
export function openLink(
  url: URL,
  now: number = Date.now(),
): { readonly title: string; readonly file: string } | 'Bad URL hash' | 'URL signature expired' {
  const oe = url.searchParams.get('oe') ?? '';
  if (url.searchParams.get('oh') !== signature(url, oe)) return 'Bad URL hash';
  if (Number.parseInt(oe, 16) * 1000 <= now) return 'URL signature expired';
  const name = /\/AQ([\w-]+)\.\w+$/.exec(url.pathname)?.[1] ?? '';
  const [title = '', file = ''] = Buffer.from(name, 'base64url').toString().split('/');
  return { title, file };
}

function signature(url: URL, oe: string): string {
  const parts = ['stp', 'efg'].map((name) => url.searchParams.get(name) ?? '');
  return `00_${sign('p2', url.pathname, ...parts, oe).slice(0, 46)}`;
}
