import type { MillraceError } from '../../../contract/errors.ts';
import { defined, dig, unlessEmpty } from '../../../parsing/values.ts';
import type { SourceContent } from '../../platform.ts';
import { readMedia } from '../parse/player/media.ts';
import type { Innertube } from '../requests/innertube.ts';
import { findHlsMedia } from './hls-media.ts';
import type { Player } from './player.ts';

/** The media of a video, and why they are fewer than there could be. */
interface VideoContent {
  readonly content: SourceContent;
  /** Why some qualities are missing. */
  readonly failures: readonly MillraceError[];
}

/**
 * The media that a player named: files, or the playlists of what has no files, such as a live stream.
 *
 * @param language The caller's, in which a dub is preferred for files that are made of the video.
 * @throws MillraceError only when no caller waits any more.
 */
export async function findContent(
  innertube: Innertube,
  player: Player,
  language: string | undefined,
  signal: AbortSignal,
): Promise<VideoContent> {
  const { client, playability, formats, response, failure } = player;
  if (playability.state === 'offline') {
    return { content: { unrenderable: `The video is not on air. ${playability.reason}`.trim() }, failures: [] };
  }
  const { userAgent } = innertube.site.clients[client];
  const isLive = dig(response, 'videoDetails', 'isLive') === true;
  const hlsMedia = formats.length > 0 ? undefined : await findHlsMedia(innertube, player, signal);
  const content =
    hlsMedia === undefined
      ? readMedia(formats, language, userAgent)
      : defined({ videos: unlessEmpty(hlsMedia.videos), audios: unlessEmpty(hlsMedia.audios) });
  const unrenderable = isLive ? 'A live stream has no end, so no file can be made of it.' : undefined;
  return {
    content: { ...content, ...defined({ unrenderable }) },
    failures: [failure, hlsMedia?.failure].filter((one) => one !== undefined),
  };
}

/** What the CDN expects of those who fetch the links themselves. */
export function linkNote(innertube: Innertube, { client }: Player): string {
  const { userAgent } = innertube.site.clients[client];
  return `The media links answer to the address that asked for them, and to the User-Agent "${userAgent}".`;
}
