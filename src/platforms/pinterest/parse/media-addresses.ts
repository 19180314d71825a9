import { boundedPattern } from '../../../contract/bounded-pattern.ts';

/** Maximum depth that is searched, more than any response of the site has. */
const MAX_DEPTH = 16;
const MAX_ADDRESS = 500;

/** The hosts of media, without the posters of videos. */
const mediaHost = /^https?:\/\/\w+\.pinimg\.com\/(?!videos\/thumbnails\/)/;

/** Matches the last segment in the address of an image, a video or audio, with its signature. */
const matchMedia = boundedPattern(/^([0-9a-f]{32})\w*\.(?:jpe?g|png|gif|webp|mp4|m3u8|mp3|m4a)$/, 500);
const file = /\.(?:mp4|m3u8|mp3|m4a)$/;

/** Returns the signatures of all media whose addresses are below a node. */
export function mediaIn(node: unknown): ReadonlySet<string> {
  return new Set(
    addressesIn(node).flatMap((address) => matchMedia(address.slice(address.lastIndexOf('/') + 1))?.[1] ?? []),
  );
}

/** Returns the signatures of all videos and audio whose addresses are below a node. */
export function filesIn(node: unknown): ReadonlySet<string> {
  return mediaIn(addressesIn(node).filter((address) => file.test(address)));
}

function addressesIn(node: unknown, depth = 0): string[] {
  if (typeof node === 'string') return node.length <= MAX_ADDRESS && mediaHost.test(node) ? [node] : [];
  if (typeof node !== 'object' || node === null || depth > MAX_DEPTH) return [];
  return Object.values(node).flatMap((value) => addressesIn(value, depth + 1));
}
