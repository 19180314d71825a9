import type { Issue } from '../../../links/links.ts';
import type { MediaCache } from '../../../media/cache.ts';
import type { Node } from '../shapes/basics.ts';
import type { Video } from '../world/videos.ts';
import { findTrack, formatNode, muxedFormat, type Track, tracksOf, xtagsOf } from './formats.ts';
import { type LinkClient, linkSeconds, signedMembers } from './links.ts';
import type { ClientName } from './playability.ts';

/** Host of media. */
export const mediaHost = 'rr1---sn-lab7ne7s.googlevideo.com';
/** Host of HLS master playlists and playlists. */
export const manifestHost = 'manifest.googlevideo.com';

/**
 * Returns the streams of a video for a client. VISIONOS gets single streams with links and a master playlist,
 * ANDROID_VR the same without the playlist, the reel of ANDROID only a link for the muxed file, and WEB no links. A live stream has only its master playlist.
 */
export async function streamingData(
  cache: MediaCache,
  video: Video,
  client: ClientName,
  linkClient: LinkClient,
  issue: Issue,
): Promise<Node> {
  const sabr = { serverAbrStreamingUrl: `https://${mediaHost}/videoplayback?sabr=1&id=${video.id}` };
  const frame = { expiresInSeconds: `${linkSeconds}`, ...sabr };
  const master = client === 'WEB' ? {} : { hlsManifestUrl: masterUrl(video, client, linkClient, issue) };
  if (video.live === 'on_air') return { ...frame, adaptiveFormats: [], ...master };
  const hasLinks = video.refusal !== 'no_links';
  const url = (track: Track) =>
    hasLinks ? (size: number) => mediaUrl(video, track, client, linkClient, issue, size) : undefined;
  const isSeparate = client === 'VISIONOS' || client === 'ANDROID_VR';
  const nodes = await Promise.all(
    tracksOf(video).map((track) => formatNode(cache, track, video.seconds, isSeparate ? url(track) : undefined)),
  );
  if (client === 'VISIONOS')
    return { ...frame, adaptiveFormats: nodes, ...(hasLinks && !video.filesOnly ? master : {}) };
  if (isSeparate) return { ...frame, adaptiveFormats: nodes };
  const muxedTrack = findTrack(video, muxedFormat.itag);
  if (client === 'WEB' || muxedTrack === undefined) return { ...frame, formats: [], adaptiveFormats: nodes };
  return {
    ...frame,
    formats: [await formatNode(cache, muxedTrack, video.seconds, url(muxedTrack))],
    adaptiveFormats: nodes,
  };
}

/** Returns the link of a track, with the faults of the video's media. */
function mediaUrl(
  video: Video,
  track: Track,
  client: ClientName,
  linkClient: LinkClient,
  issue: Issue,
  size: number,
): string {
  const { itag, file } = track.format;
  const xtags = xtagsOf(track);
  const kind = track.format.label === undefined ? 'audio' : 'video';
  const what = {
    itag: `${itag}`,
    source: 'youtube',
    ...(xtags === undefined ? {} : { xtags }),
    mime: `${kind}/${file.split('.').at(-1)}`,
    clen: `${size}`,
    dur: `${video.seconds}`,
    c: client,
  };
  const elsewhere = issue.addressOf(what.itag);
  if (elsewhere !== undefined) return elsewhere;
  const members = new URLSearchParams(signedMembers(video, what, linkClient, issue));
  return `https://${mediaHost}/videoplayback?${members}${video.faults === undefined ? '' : `&${video.faults}`}`;
}

function masterUrl(video: Video, client: ClientName, linkClient: LinkClient, issue: Issue): string {
  const members = inPath(signedMembers(video, { c: client }, linkClient, issue));
  return `https://${manifestHost}/api/manifest/hls_variant/${members}/itag/0/file/index.m3u8`;
}

/** Returns members in their form within a path. */
export function inPath(members: readonly (readonly [string, string])[]): string {
  return members.flat().map(encodeURIComponent).join('/');
}
