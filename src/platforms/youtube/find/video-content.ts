import type { MillraceError } from '../../../contract/errors.ts';
import { defined, dig, unlessEmpty } from '../../../parsing/values.ts';
import type { SourceContent } from '../../platform.ts';
import { readMedia } from '../parse/player/media.ts';
import type { Innertube } from '../requests/innertube.ts';
import { findHlsMedia } from './hls-media.ts';
import type { Player } from './player.ts';

/** The media of a video, and why some may be missing. */
interface VideoContent {
  readonly content: SourceContent;
  /** Why some qualities are missing. */
  readonly failures: readonly MillraceError[];
}

/**
 * Returns the media in a player's response: files, or the playlists of a video without files, such as a live stream.
 *
 * @param language The caller's language, in which a dub is preferred for rendered files.
 * @throws MillraceError only when no caller is waiting any more.
 */
export async function findContent(
  innertube: Innertube,
  player: Player,
  language: string | undefined,
  signal: AbortSignal,
): Promise<VideoContent> {
  const { client, playability, streams, response, failure } = player;
  if (playability.state === 'offline') {
    return { content: { unrenderable: `The video is not live. ${playability.reason}`.trim() }, failures: [] };
  }
  const { userAgent } = client;
  const isLive = dig(response, 'videoDetails', 'isLive') === true;
  const hlsMedia = streams.formats.length > 0 ? undefined : await findHlsMedia(innertube, player, signal);
  const content =
    hlsMedia === undefined
      ? readMedia(streams.formats, language, userAgent)
      : defined({ videos: unlessEmpty(hlsMedia.videos), audios: unlessEmpty(hlsMedia.audios) });
  const unrenderable = isLive ? 'A live stream cannot be rendered because it has no end.' : undefined;
  return {
    content: { ...content, ...defined({ unrenderable }) },
    failures: [failure, hlsMedia?.failure].filter((one) => one !== undefined),
  };
}

/** Returns the note on what the CDN requires from clients that fetch the links themselves. */
export function linkNote({ client: { userAgent } }: Player): string {
  return `The media links only work from the IP address that requested them, with the User-Agent "${userAgent}".`;
}
