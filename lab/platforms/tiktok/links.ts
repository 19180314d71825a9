import { randomBytes } from 'node:crypto';
import type { Exchange } from '../../http/exchange.ts';
import type { Issue } from '../../links/links.ts';
import { sign } from '../signature.ts';
import type { Post } from './world/posts.ts';

/** Properties of one page that its media links are bound to. */
export interface PageAccess {
  /** Cookie `tt_chain_token` of the page. */
  readonly token: string;
  /** User-Agent that requested the page. */
  readonly agent: string;
  /** The links of the page, if it is that of a post. */
  readonly issue?: Issue;
}

/** Hosts of videos, which are mirrors of each other. */
export const videoHosts = ['v16-webapp-prime.tiktok.com', 'v19-webapp-prime.tiktok.com'] as const;
/** Host of music. */
export const musicHost = 'v77.tiktokcdn.com';
/** Host of music whose links do not identify its type. */
export const plainMusicHost = 'sf16-ies-music.tiktokcdn.com';
/** Host of subtitles. */
export const subtitleHost = 'v16-webapp.tiktok.com';
/** Hosts of images. */
export const pictureHosts = ['p16-common-sign.tiktokcdn.com', 'p19-common-sign.tiktokcdn.com'] as const;

/** Lifetimes of links in seconds. */
const lifetimes = { video: 48 * 3600, picture: 48 * 3600, music: 24 * 3600 } as const;

/** Makes the access data of a new page. */
export function openPage({ request }: Exchange): PageAccess {
  return { token: randomBytes(24).toString('base64'), agent: request.headers['user-agent'] ?? '' };
}

/** Returns the link of a video file, or of the played part of music, on one of {@link videoHosts}. */
export function videoLink(
  post: Post,
  file: string,
  access: PageAccess,
  { host = videoHosts[0], bitrate = 0, folder = '' }: { host?: string; bitrate?: number; folder?: string } = {},
): string {
  const { issue } = access;
  const elsewhere = issue?.addressOf(file);
  if (elsewhere !== undefined) return elsewhere;
  const path = `/video/tos/lab/tos-lab-ve-0068c001/${objectName(post, file)}/${folder}`;
  const expire = `${expiry(post, 'video', issue?.lifetime)}`;
  const kind = file.startsWith('sound') ? 'audio_mp4' : 'video_mp4';
  const query = [
    `a=1988&bti=ODszNWYuMDE6&&bt=${Math.round(bitrate / 1024)}&ft=lab&mime_type=${kind}&rc=bGFi&expire=${expire}`,
    `l=20261121-${issue?.id ?? 'lab'}&ply_type=2&policy=2&signature=${hex('video', path, expire, access.token, access.agent)}`,
    `tk=tt_chain_token&btag=e00088000`,
    ...(post.faults === undefined ? [] : [post.faults]),
  ];
  return `https://${host}${path}?${query.join('&')}`;
}

/**
 * Returns whether a request for a video file is valid: it must come from the browser that loaded the page, before the
 * link expires, and with the site as the referrer.
 */
export function opensVideo({ url, request }: Exchange, now: number = Date.now()): boolean {
  const { cookie = '', referer = '', 'user-agent': agent = '' } = request.headers;
  const token = /(?:^|;\s*)tt_chain_token=([^;]+)/.exec(cookie)?.[1] ?? '';
  const expire = url.searchParams.get('expire') ?? '';
  const signed = url.searchParams.get('signature') === hex('video', url.pathname, expire, token, agent);
  return signed && Number(expire) * 1000 > now && referer.startsWith('https://www.tiktok.com/');
}

/** Returns the ID of the issue that the link of a video file belongs to. */
export function issueIn({ searchParams }: URL): string {
  return /-(\w+)$/.exec(searchParams.get('l') ?? '')?.[1] ?? '';
}

/** Returns the link of a file that is available to every client until the time in its path. */
export function timedLink(host: string, post: Post, file: string, kind: string): string {
  const name = `video/tos/lab/tos-lab-v-27dcd7/${objectName(post, file)}/`;
  const time = expiry(post, 'music').toString(16);
  const faults = post.faults === undefined ? '' : `&${post.faults}`;
  return `https://${host}/${hex('timed', name, time)}/${time}/${name}?a=1180&&bt=125&mime_type=${kind}${faults}`;
}

/** Returns the name in a link of {@link timedLink}; undefined if the link has expired or is invalid. */
export function openTimed({ pathname }: URL, now: number = Date.now()): string | undefined {
  const [, signature, time = '', name = ''] = /^\/([0-9a-f]{32})\/([0-9a-f]{8})\/(.+)$/.exec(pathname) ?? [];
  return signature === hex('timed', name, time) && Number.parseInt(time, 16) * 1000 > now ? name : undefined;
}

/** Returns the link of an image, in a template such as `tiktokx-cropcenter:100:100.jpeg`. */
export function pictureLink(name: string, template: string, host: string = pictureHosts[0]): string {
  const path = `/tos-lab-p-0068/${name}~tplv-${template}`;
  const expires = `${Math.floor(Date.now() / 1000) + lifetimes.picture}`;
  const signature = encodeURIComponent(pictureSignature(path, expires));
  return `https://${host}${path}?dr=14575&x-expires=${expires}&x-signature=${signature}&t=4d5b0474&idc=lab`;
}

/** Returns whether an image's link is valid and has not expired. */
export function opensPicture({ pathname, searchParams }: URL, now: number = Date.now()): boolean {
  const expires = searchParams.get('x-expires') ?? '';
  return searchParams.get('x-signature') === pictureSignature(pathname, expires) && Number(expires) * 1000 > now;
}

/** Returns the post and the lab's file that the object name in a path identifies. */
export function objectIn(path: string): { readonly postId: string; readonly file: string } | undefined {
  const [, postId, stem, ext] = /\/o(\d{19})-([a-z]+(?:-\w+)?)_(\w{3})\//.exec(`/${path}`) ?? [];
  return postId === undefined ? undefined : { postId, file: `${stem}.${ext}` };
}

function objectName({ id }: Post, file: string): string {
  return `o${id}-${file.replace('.', '_')}`;
}

function expiry({ expired }: Post, kind: 'video' | 'music', lifetime?: number): number {
  const seconds = lifetime === undefined ? lifetimes[kind] : Math.floor(lifetime / 1000);
  return Math.floor(Date.now() / 1000) + (expired ? -60 : seconds);
}

function hex(...parts: readonly string[]): string {
  return Buffer.from(sign('p4', ...parts), 'base64url')
    .toString('hex')
    .slice(0, 32);
}

function pictureSignature(path: string, expires: string): string {
  return `${sign('p4', 'picture', path, expires).slice(0, 27)}=`;
}
