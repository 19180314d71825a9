import { MillraceError } from '../../../contract/errors.ts';
import { toLanguageTag } from '../../../contract/language-tag.ts';
import type { MediaItem } from '../../../contract/media-items.ts';
import type { SourceMedia, SourceStream } from '../../../contract/source-media.ts';
import { codecFamilies } from '../../../hls/codec-families.ts';
import type { MasterPlaylist, Rendition, Variant } from '../../../hls/master-playlist.ts';
import { variantKind } from '../../../hls/variant-kind.ts';
import { versionRankOf } from '../../../hls/version-rank.ts';
import { estimateBytes } from '../../../parsing/estimate-bytes.ts';
import { count, defined, dig } from '../../../parsing/values.ts';
import type { Innertube } from '../requests/innertube.ts';
import { fetchMaster } from '../requests/master-playlist.ts';
import type { Player } from './player.ts';

/** Time limit for the master playlist, which is requested last, in milliseconds. */
const TIMEOUT_MS = 4_000;

const MIME_TYPE = 'application/vnd.apple.mpegurl';

/** The playlists of a stream, and why some may be missing. */
interface HlsMedia {
  readonly videos: readonly SourceMedia[];
  readonly audios: readonly SourceMedia[];
  readonly failure?: MillraceError;
}

/**
 * Finds the qualities of a video that is only available as HLS, such as a live stream. If the master playlist cannot be
 * read, it is returned as the only item.
 *
 * @throws MillraceError only when no caller is waiting any more.
 */
export async function findHlsMedia(innertube: Innertube, player: Player, signal: AbortSignal): Promise<HlsMedia> {
  const { response, profile, streams } = player;
  const address = streams.hlsUrl;
  if (address === undefined) return { videos: [], audios: [] };
  const { userAgent } = profile;
  const seconds = count(dig(response, 'videoDetails', 'lengthSeconds')) || undefined;
  try {
    const master = player.master ?? (await fetchMaster(innertube, profile, address, TIMEOUT_MS));
    const items = master.variants.map((variant) => variantMedia(variant, master, userAgent, seconds));
    const audios = master.renditions.flatMap((rendition) => audioMedia(rendition, userAgent));
    return {
      videos: largestFirst(items.filter(({ stream }) => stream?.kind !== 'audio')),
      audios: largestFirst([...audios, ...items.filter(({ stream }) => stream?.kind === 'audio')]),
    };
  } catch (error) {
    if (!(error instanceof MillraceError) || signal.aborted) throw error;
    return { videos: [manifestMedia(address, userAgent)], audios: [], failure: error };
  }
}

/** Sorts the largest first and removes duplicate qualities. */
function largestFirst(media: readonly SourceMedia[]): readonly SourceMedia[] {
  const byId = new Map(media.toReversed().map((one) => [one.item.repId, one]));
  return [...byId.values()].toSorted(
    ({ item: a, stream: as }, { item: b, stream: bs }) =>
      b.metadata.height - a.metadata.height || (bs?.bitrate ?? 0) - (as?.bitrate ?? 0),
  );
}

function variantMedia(variant: Variant, master: MasterPlaylist, userAgent: string, seconds?: number): SourceMedia {
  const { url, width = 0, height = 0, frameRate, bandwidth, averageBandwidth, codecs } = variant;
  const kind = variantKind(variant, master);
  const { video, audio } = codecFamilies(codecs);
  const itag = count(/\/itag\/(\d{1,4})\//.exec(url)?.[1]);
  const rate = averageBandwidth ?? bandwidth;
  const fast = frameRate !== undefined && frameRate > 30 ? Math.round(frameRate) : '';
  const label = kind === 'audio' ? 'audio' : `${Math.min(width, height) || height}p${fast}`;
  const details = {
    itag,
    codecs: codecs.length > 0 ? codecs.join(',') : undefined,
    bitrate: bandwidth,
    average_bitrate: averageBandwidth,
    fps: frameRate,
  };
  return playlistMedia(
    { label, url, repId: `hls-${itag ?? bandwidth ?? height}`, metadata: { width, height, ...defined(details) } },
    {
      kind,
      headers: { 'user-agent': userAgent },
      ...defined({
        bitrate: rate,
        estimatedBytes: estimateBytes(rate, seconds),
        videoCodec: kind === 'audio' ? undefined : video,
        audioCodec: kind === 'video' ? undefined : audio,
      }),
    },
  );
}

/** Returns a separate audio rendition, or nothing if it has no separate playlist. */
function audioMedia(rendition: Rendition, userAgent: string): SourceMedia[] {
  const { type, url, name, language, groupId, isDefault } = rendition;
  if (type !== 'AUDIO' || url === undefined) return [];
  const label = name ?? language ?? groupId;
  const metadata = { width: 0, height: 0, is_default: isDefault, ...defined({ language }) };
  const stream = {
    kind: 'audio',
    headers: { 'user-agent': userAgent },
    secondary: !isDefault,
    ...defined({ language: toLanguageTag(language), versionRank: versionRankOf(rendition) }),
  } as const;
  return [playlistMedia({ label, url, repId: `hls-audio-${groupId}-${label}`, metadata }, stream)];
}

function manifestMedia(url: string, userAgent: string): SourceMedia {
  const item = { label: 'hls', url, repId: 'hls', metadata: { width: 0, height: 0 } };
  return playlistMedia(item, { kind: 'muxed', headers: { 'user-agent': userAgent } });
}

/** Adds the members that all playlists share to an item and its stream. */
function playlistMedia(
  item: Omit<MediaItem, 'metadata'> & { readonly metadata: Pick<MediaItem['metadata'], 'width' | 'height'> },
  stream: Omit<SourceStream, 'ext' | 'expiresAt'>,
): SourceMedia {
  const expires = expiryOf(item.url);
  const has_audio = stream.kind !== 'video';
  return {
    item: {
      ...item,
      metadata: {
        mime_type: MIME_TYPE,
        has_audio,
        ...item.metadata,
        ...defined({ expires_at: expires?.toISOString() }),
      },
    },
    stream: { ext: 'm3u8', ...stream, ...defined({ expiresAt: expires?.getTime() }) },
  };
}

/** Reads the expiry time in the path of a playlist link. */
function expiryOf(url: string): Date | undefined {
  const seconds = /\/expire\/(\d{9,11})\//.exec(url)?.[1];
  return seconds === undefined ? undefined : new Date(Number(seconds) * 1_000);
}
