import { toLanguageTag } from '../contract/language-tag.ts';
import type { SourceMedia } from '../contract/source-media.ts';
import { estimateBytes } from '../parsing/estimate-bytes.ts';
import { defined } from '../parsing/values.ts';
import type { DashManifest, DashRepresentation } from './manifest.ts';

/** The media items of a manifest, in manifest order. */
export interface DashMedia {
  readonly videos: readonly SourceMedia[];
  readonly audios: readonly SourceMedia[];
}

/**
 * Creates media items from the whole files of a manifest. A video's label is its shorter side, such as `720p`, for
 * portrait videos too. The site's own quality name goes into `metadata.quality`.
 *
 * @param expiryOf Returns when a link expires, in milliseconds since 1970, or undefined if the link does not contain
 * it.
 */
export function createDashMedia(
  { representations, duration }: DashManifest,
  expiryOf: (url: string) => number | undefined,
): DashMedia {
  const name = createUniqueNamer();
  const items = representations.map((representation) => {
    const repId = name(representation.id ?? labelOf(representation));
    return { kind: representation.kind, media: mediaOf(representation, repId, duration, expiryOf(representation.url)) };
  });
  return {
    videos: items.filter(({ kind }) => kind !== 'audio').map(({ media }) => media),
    audios: items.filter(({ kind }) => kind === 'audio').map(({ media }) => media),
  };
}

function mediaOf(
  representation: DashRepresentation,
  repId: string,
  duration: number | undefined,
  expiresAt: number | undefined,
): SourceMedia {
  const { kind, url, mimeType, codecs, bandwidth, attributes } = representation;
  const metadata = defined({
    mime_type: codecs.length > 0 ? `${mimeType}; codecs="${codecs.join(', ')}"` : mimeType,
    width: representation.width ?? 0,
    height: representation.height ?? 0,
    has_audio: kind !== 'video',
    codecs: codecs.length > 0 ? codecs.join(', ') : undefined,
    bitrate: bandwidth,
    fps: representation.frameRate,
    duration,
    quality: attributes.get('FBQualityLabel'),
    encoding: attributes.get('FBEncodingTag'),
    language: representation.language,
    audio_sample_rate: representation.samplingRate,
    audio_channels: representation.channels,
    expires_at: expiresAt === undefined ? undefined : new Date(expiresAt).toISOString(),
  });
  const stream = defined({
    ext: extensionOf(mimeType, kind),
    kind,
    bitrate: bandwidth,
    estimatedBytes: estimateBytes(bandwidth, duration),
    videoCodec: representation.videoCodec,
    audioCodec: representation.audioCodec,
    language: kind === 'video' ? undefined : toLanguageTag(representation.language),
    expiresAt,
  });
  return { item: { label: labelOf(representation), url, repId, metadata }, stream };
}

function labelOf({ kind, width, height, bandwidth, id, attributes }: DashRepresentation): string {
  if (kind === 'audio') return bandwidth === undefined ? 'audio' : `audio ${Math.round(bandwidth / 1000)}kbps`;
  if (width !== undefined && height !== undefined) return `${Math.min(width, height)}p`;
  return attributes.get('FBQualityLabel') ?? id ?? 'video';
}

function extensionOf(mimeType: string, kind: DashRepresentation['kind']): string {
  if (mimeType.endsWith('/webm')) return 'webm';
  return kind === 'audio' ? 'm4a' : 'mp4';
}

/** Creates a function that returns unique names: the preferred name, or that name with a number appended. */
export function createUniqueNamer(): (preferredName: string) => string {
  const copies = new Map<string, number>();
  return (preferredName) => {
    let name = preferredName;
    let copy = copies.get(preferredName) ?? 1;
    for (; copies.has(name); copy += 1) name = `${preferredName}-${copy + 1}`;
    copies.set(preferredName, copy);
    if (!copies.has(name)) copies.set(name, 1);
    return name;
  };
}
