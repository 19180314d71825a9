import type { Issue } from '../../../links/links.ts';
import { sign } from '../../signature.ts';
import { findVideo, type Video } from '../world/videos.ts';

/** Lifetime of a media link in seconds: six hours less a minute. */
export const linkSeconds = 21_540;

/** Properties of a client that links may be bound to. */
export interface LinkClient {
  readonly agent: string;
  /** Upper-case code of the exit's country. */
  readonly country: string;
}

/** Returns the address of an exit in a country (RFC 5737). */
export function addressOf(country: string): string {
  return `203.0.113.${1 + ([...country].reduce((sum, letter) => sum * 7 + letter.charCodeAt(0), 0) % 250)}`;
}

/** Returns the expiry of links created now, in seconds since 1970. */
export function expiry({ links }: Video, now: number = Date.now(), seconds: number = linkSeconds): number {
  return Math.floor(now / 1000) + (links === 'expired' ? -60 : seconds);
}

/** Returns the signed members of a media link that identify its video, file and client. */
export function signedMembers(
  video: Video,
  what: Readonly<Record<string, string>>,
  linkClient: LinkClient,
  { id, lifetime }: Pick<Issue, 'id' | 'lifetime'> = { id: 'lab' },
): [string, string][] {
  const expire = `${expiry(video, Date.now(), lifetime === undefined ? linkSeconds : Math.floor(lifetime / 1000))}`;
  const members = { expire, ei: id, ip: addressOf(linkClient.country), id: video.id, ...what };
  return [
    ...Object.entries(members),
    ['sparams', Object.keys(members).join(',')],
    ['sig', signature(video, members, linkClient)],
  ];
}

/** Returns the video of a media link; undefined if the link has expired, is invalid or belongs to another client. */
export function openLink(
  members: ReadonlyMap<string, string>,
  linkClient: LinkClient,
  now: number = Date.now(),
): Video | undefined {
  const video = findVideo(members.get('id') ?? '');
  if (video === undefined || Number(members.get('expire')) * 1000 <= now) return undefined;
  const signed = Object.fromEntries(
    (members.get('sparams') ?? '').split(',').map((name) => [name, members.get(name) ?? '']),
  );
  if (members.get('sig') !== signature(video, signed, linkClient)) return undefined;
  return video.links === 'same_exit' && members.get('ip') !== addressOf(linkClient.country) ? undefined : video;
}

function signature({ links }: Video, members: Readonly<Record<string, string>>, { agent }: LinkClient): string {
  const parts = Object.entries(members).flat();
  return sign('media', ...parts, links === 'same_agent' ? agent : '').slice(0, 43);
}
