import { routineNotes } from '../../../contract/routine-notes.ts';
import { defined, dig, unlessEmpty } from '../../../parsing/values.ts';
import type { ContentMedia } from '../../platform.ts';
import { profileNote } from '../../profile-note.ts';
import type { ClientProfile } from '../client-profiles.ts';
import { readMedia } from '../parse/player/media.ts';
import type { Innertube } from '../requests/innertube.ts';
import { findHlsMedia } from './hls-media.ts';
import type { Player } from './player.ts';

/** The media of a video, and why some may be missing. */
interface VideoContent {
  readonly content: ContentMedia;
  /** Which qualities are missing, and why. */
  readonly notes: readonly string[];
  /** Whether a retry may find more. */
  readonly incomplete: boolean;
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
  const { profile, playability, streams, response, preferred } = player;
  if (playability.state === 'offline') {
    return {
      content: { unrenderable: `The video is not live. ${playability.reason}`.trim() },
      notes: [],
      incomplete: false,
    };
  }
  const isLive = dig(response, 'videoDetails', 'isLive') === true;
  const usesFiles = streams.formats.length > 0 && player.master === undefined;
  const hlsMedia = usesFiles ? undefined : await findHlsMedia(innertube, player, signal);
  const content =
    hlsMedia === undefined
      ? readMedia(streams.formats, language, profile.userAgent)
      : defined({ videos: unlessEmpty(hlsMedia.videos), audios: unlessEmpty(hlsMedia.audios) });
  const unrenderable = isLive ? 'A live stream cannot be rendered because it has no end.' : undefined;
  const failures = [preferred?.failure, hlsMedia?.failure];
  return {
    content: { ...content, ...defined({ unrenderable }) },
    notes: [
      ...(preferred === undefined ? [] : [noteOn(preferred, profile, content, isLive)]),
      ...(hlsMedia?.failure === undefined ? [] : [`Some qualities are missing: ${hlsMedia.failure.message}`]),
    ],
    incomplete: failures.some((failure) => failure?.retryable === true),
  };
}

/** Returns the note on what the CDN requires from clients that fetch the links themselves. */
export function linkNote({ profile: { userAgent } }: Player): string {
  return `${routineNotes.links} from the IP address that requested them, with the User-Agent "${userAgent}".`;
}

/** Returns the note on media that do not come from the preferred profile. Separate files have every quality. */
function noteOn(
  { name, failure }: NonNullable<Player['preferred']>,
  profile: ClientProfile,
  { videos = [] }: ContentMedia,
  isLive: boolean,
): string {
  const [best] = videos.toSorted(({ item: a }, { item: b }) => b.metadata.height - a.metadata.height);
  const isHls = best?.stream?.ext === 'm3u8';
  const isLower = !isLive && best !== undefined && (isHls || videos.every(({ stream }) => stream?.kind === 'muxed'));
  const quality = isLower ? `${best.item.label}, ${isHls ? 'as HLS' : 'in one file'}` : undefined;
  return profileNote({ preferred: name, used: profile.name, ...defined({ failure, quality }) });
}
