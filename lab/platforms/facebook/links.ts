import { parseTitle, type Title, titleFor } from '../../media/titles.ts';
import { illustration, portrait } from '../illustrations.ts';
import { sign } from '../signature.ts';

/** Hosts of media, as a visitor received them in July 2026. */
export const videoHost = 'video.flab1-1.fna.fbcdn.net';
export const pictureHost = 'scontent.flab1-1.fna.fbcdn.net';

/** Lifetime of a link in seconds. */
const LIFETIME = 4 * 86_400;

/** File of a title that a link leads to. */
interface LinkedFile {
  readonly title: Title;
  readonly file: string;
}

/** Options of a link. */
interface LinkParts {
  /** Whether the link has expired. */
  readonly expired?: boolean;
  /** Parameters besides those of the signature. */
  readonly more?: Readonly<Record<string, string>>;
  /** Faults of the CDN, as a query. */
  readonly faults?: string;
}

/** Returns the link of a file. `oe` is its expiry in hexadecimal digits; `oh` signs the path and the expiry. */
export function mediaLink({ title, file }: LinkedFile, { expired = false, more = {}, faults }: LinkParts = {}): string {
  const name = Buffer.from(`${title.name}/${file}`).toString('base64url');
  const isVideo = !/^(?:scene|captions)/.test(file);
  const path = pathOf(file, name);
  const end = Math.floor(Date.now() / 1000) + (expired ? -86_400 : LIFETIME);
  const oe = end.toString(16).toUpperCase();
  const query = new URLSearchParams({ _nc_cat: '105', ...more, _nc_zt: '28', oh: signatureOf(path, oe), oe });
  for (const [name, value] of new URLSearchParams(faults)) query.set(name, value);
  return `https://${isVideo ? videoHost : pictureHost}${path}?${query}`;
}

function pathOf(file: string, name: string): string {
  if (file.startsWith('scene')) return `/v/t39.30808-6/AQ${name}_n.jpg`;
  return file.endsWith('.srt') ? `/v/t39.2093-6/AQ${name}_n.srt` : `/o1/v/t2/f2/m366/AQ${name}.mp4`;
}

/** Returns the link of an item's image of the given size. */
export function pictureLink(id: string, width: number, height: number): string {
  return imageLink(id, illustration(id, { width, height }), `${width}x${height}`);
}

/** Returns the link of a profile's image, which is a square. */
export function portraitLink(id: string, side: number): string {
  return imageLink(id, portrait(id, side), `${side}x${side}`);
}

/** Returns the link of an image. `cstp` is the size of the source, and `ctp` is the box that the image fits into. */
function imageLink(id: string, file: string, size: string): string {
  return mediaLink(
    { title: titleFor(id, 2), file },
    { more: { stp: 'dst-jpg_tt6', cstp: `mx${size}`, ctp: `s${size}`, ccb: '1-7' } },
  );
}

/** Returns the link of the captions of a title, in SubRip. */
export function captionsLink(title: Title): string {
  return mediaLink({ title, file: 'captions.srt' });
}

/** Returns the file of a link, or the reason why the link is invalid. */
export function openLink({ pathname, searchParams }: URL): LinkedFile | 'unknown' | 'bad signature' | 'over' {
  const name = /^\/(?:v\/t39\.(?:30808|2093)-6|o1\/v\/t2\/f2\/m366)\/AQ([\w-]{4,200}?)(?:_n\.(?:jpg|srt)|\.mp4)$/.exec(
    pathname,
  )?.[1];
  const [, titleName = '', file = ''] =
    /^([a-z]+-\d+)\/([\w.-]+)$/.exec(Buffer.from(name ?? '', 'base64url').toString()) ?? [];
  const title = parseTitle(titleName);
  if (title === undefined) return 'unknown';
  const oe = searchParams.get('oe') ?? '';
  if (searchParams.get('oh') !== signatureOf(pathname, oe)) return 'bad signature';
  return Number.parseInt(oe, 16) * 1000 < Date.now() ? 'over' : { title, file };
}

function signatureOf(path: string, oe: string): string {
  return `00_${sign('facebook', path, oe).slice(0, 46)}`;
}
