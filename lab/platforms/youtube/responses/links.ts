import { sign } from '../../signature.ts';
import { findVideo, type Video } from '../world/videos.ts';

/** Seconds that a media link lives: six hours less a minute. */
export const linkSeconds = 21_540;

/** Who asks: what links may be bound to. */
export interface LinkClient {
  readonly agent: string;
  /** Upper-case code of the country that the exit is in. */
  readonly country: string;
}

/** The address that an exit of a country has (RFC 5737). */
export function addressOf(country: string): string {
  return `203.0.113.${1 + ([...country].reduce((sum, letter) => sum * 7 + letter.charCodeAt(0), 0) % 250)}`;
}

/** When links made now die, in seconds since 1970. */
export function expiry({ links }: Video, now: number = Date.now()): number {
  return Math.floor(now / 1000) + (links === 'expired' ? -60 : linkSeconds);
}

/** The members of a media link that say what it is for, signed. */
export function signedMembers(
  video: Video,
  what: Readonly<Record<string, string>>,
  linkClient: LinkClient,
): [string, string][] {
  const members = { expire: `${expiry(video)}`, ei: 'lab', ip: addressOf(linkClient.country), id: video.id, ...what };
  return [
    ...Object.entries(members),
    ['sparams', Object.keys(members).join(',')],
    ['sig', signature(video, members, linkClient)],
  ];
}

/** The video that a media link is for; undefined where it is over, wrong, or another's. */
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
