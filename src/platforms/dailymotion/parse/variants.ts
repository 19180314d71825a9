import type { SourceStream } from '../../../contract/source-media.ts';
import { codecFamilies } from '../../../hls/codec-families.ts';
import type { MasterPlaylist, Rendition, Variant } from '../../../hls/master-playlist.ts';
import { variantKind } from '../../../hls/variant-kind.ts';
import { versionRankOf } from '../../../hls/version-rank.ts';
import { defined } from '../../../parsing/values.ts';
import { httpSiteUrl } from '../../site-urls.ts';
import type { NamedStream, VideoMetadata } from './player-metadata.ts';

/** One stream that the site offers. Several hosts can offer the same quality. */
export interface VideoVariant {
  /** Stable between requests, and the same for all streams of one quality. */
  readonly repId: string;
  readonly label: string;
  readonly url: string;
  /** A playlist or a whole file. */
  readonly form: 'hls' | 'http';
  readonly kind: SourceStream['kind'];
  /** The site's own quality number, which orders qualities; 0 if it has none. */
  readonly quality: number;
  /** Pixels; 0 if unknown, and for audio. */
  readonly width: number;
  readonly height: number;
  /** Frames per second. */
  readonly fps?: number;
  /** Peak bits per second. */
  readonly bandwidth?: number;
  /** Average bits per second. */
  readonly averageBandwidth?: number;
  /** Codec strings as written. */
  readonly codecs: readonly string[];
  readonly language?: string;
  /** Position of the audio among versions in its language; default: 0. */
  readonly versionRank?: number;
  /** Whether the stream is an alternative to a default audio track. */
  readonly secondary?: boolean;
}

/**
 * Returns all streams of a video: those of its master playlist, if it could be read, and those of its metadata.
 *
 * Qualities are named by the site's own number (the NAME attribute), which is not the height: `hls-380` has 288 lines.
 */
export function videoVariants(video: VideoMetadata, master: MasterPlaylist | undefined): VideoVariant[] {
  const variants = master === undefined ? [] : masterVariants(master);
  // Single-quality playlists repeat streams of a master playlist, so they are only used without one.
  const playlists = master === undefined ? video.playlists.map((stream) => namedVariant('hls', stream, variants)) : [];
  return [...variants, ...playlists, ...video.files.map((stream) => namedVariant('http', stream, variants))];
}

function masterVariants(master: MasterPlaylist): VideoVariant[] {
  return [
    ...master.variants.flatMap((variant, index) => streamVariants(variant, index, master)),
    ...master.renditions.flatMap((rendition) => renditionVariants(rendition, master)),
  ];
}

function streamVariants(variant: Variant, index: number, master: MasterPlaylist): VideoVariant[] {
  const kind = variantKind(variant, master);
  const { name, number, fps } = qualityOf(variant, index);
  const { video = 'h264' } = codecFamilies(variant.codecs);
  const common = {
    kind,
    quality: number,
    width: variant.width ?? 0,
    height: variant.height ?? 0,
    ...defined({ fps, bandwidth: variant.bandwidth, averageBandwidth: variant.averageBandwidth }),
    codecs: variant.codecs,
  };
  if (kind === 'audio') {
    const id = `hls-audio-${variant.bandwidth ?? name}`;
    return [{ ...common, repId: id, label: 'hls-audio', url: variant.url, form: 'hls' }];
  }
  // One quality in two codecs counts as two representations.
  const id = video === 'h264' ? name : `${name}-${video}`;
  const label = name.replace(/@.*/, '');
  const playlist: VideoVariant = {
    ...common,
    repId: `hls-${id}`,
    label: `hls-${label}`,
    url: variant.url,
    form: 'hls',
  };
  const file = [...variant.attributes.values()].map(httpSiteUrl).find((link) => link?.endsWith('.mp4'));
  if (file === undefined) return [playlist];
  return [playlist, { ...common, repId: `http-${id}`, label: `http-${label}`, url: file, form: 'http', kind: 'muxed' }];
}

/**
 * Returns the quality in NAME (`720`, or `720@60` for up to 60 frames per second), or else the height, the bandwidth or
 * the index of the variant.
 */
function qualityOf({ attributes, width, height, bandwidth, frameRate }: Variant, index: number) {
  const match = /^(\d{2,4})(?:@(\d{1,3}))?$/.exec(attributes.get('NAME') ?? '');
  const number = Number(match?.[1] ?? height ?? 0);
  const unknown = width === undefined ? `auto-${bandwidth ?? index}` : `${number}`;
  return {
    name: match?.[0] ?? unknown,
    number,
    fps: frameRate ?? (match?.[2] === undefined ? undefined : Number(match[2])),
  };
}

function renditionVariants(rendition: Rendition, { variants }: MasterPlaylist): VideoVariant[] {
  const user = variants.find(({ audioGroup }) => audioGroup === rendition.groupId);
  if (rendition.type !== 'AUDIO' || rendition.url === undefined || user === undefined) return [];
  const name = rendition.name ?? rendition.language ?? rendition.groupId;
  return [
    {
      repId: `hls-audio-${rendition.groupId}-${name}`,
      label: name,
      url: rendition.url,
      form: 'hls',
      kind: 'audio',
      quality: 0,
      width: 0,
      height: 0,
      codecs: user.codecs.filter((codec) => codecFamilies([codec]).audio !== undefined),
      ...defined({ language: rendition.language, versionRank: versionRankOf(rendition) }),
      secondary: !rendition.isDefault,
    },
  ];
}

/**
 * Returns a stream that the metadata lists. Takes the other properties of its quality from the master playlist, or else
 * its size from its address (`/H264-848x480/`).
 */
function namedVariant(
  form: VideoVariant['form'],
  { quality, url }: NamedStream,
  variants: readonly VideoVariant[],
): VideoVariant {
  const number = Number.parseInt(quality, 10);
  const same = variants.find((variant) => variant.quality === number && variant.kind !== 'audio');
  const [, width, height] = /\/H264-(\d{2,4})x(\d{2,4})[-/]/.exec(url) ?? [];
  return {
    repId: `${form}-${quality}`,
    label: `${form}-${number}`,
    url,
    form,
    kind: 'muxed',
    quality: number,
    width: same?.width ?? Number(width ?? 0),
    height: same?.height ?? Number(height ?? 0),
    ...defined({ bandwidth: same?.bandwidth, averageBandwidth: same?.averageBandwidth }),
    codecs: [],
  };
}
