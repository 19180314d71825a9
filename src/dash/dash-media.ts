import type { SourceMedia } from '../contract/source-media.ts';
import { estimateBytes } from '../parsing/estimate-bytes.ts';
import { defined } from '../parsing/values.ts';
import type { DashManifest, DashRepresentation } from './manifest.ts';

/** The media items of a manifest, in its order. */
export interface DashMedia {
  readonly videos: readonly SourceMedia[];
  readonly audios: readonly SourceMedia[];
}

/**
 * Makes media items of a manifest's whole files. A video's label is its shorter side, as in `720p`, for upright videos
 * too; what the site calls it goes into `metadata.quality`.
 *
 * @param expiryOf When a link dies, as milliseconds since 1970, where the link tells.
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

/** Creates the function that returns unique names: the preferred one, or the same with a number appended. */
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
