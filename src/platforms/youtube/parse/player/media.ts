import { sizeText } from '../../../../contract/job-status.ts';
import { toLanguageTag } from '../../../../contract/language-tag.ts';
import type { SourceMedia, SourceStream } from '../../../../contract/source-media.ts';
import { estimateBytes } from '../../../../parsing/estimate-bytes.ts';
import { count, defined, dig, flag, text, unlessEmpty } from '../../../../parsing/values.ts';
import type { ContentMedia } from '../../../platform.ts';
import { type AudioTrack, chooseTrack, versionRankOf } from './audio-track.ts';
import { type Format, formatId } from './formats.ts';

const codecNames: Readonly<Record<string, string>> = {
  aac: 'AAC',
  ac3: 'AC-3',
  eac3: 'E-AC-3',
  mp3: 'MP3',
  opus: 'Opus',
};

/**
 * Converts formats to a video's media, in the site's order (the best of a codec first).
 *
 * @param language The caller's language, in which a dub is preferred for rendered files.
 * @param userAgent The user agent that the links were issued to. The CDN rejects others (seen 2026-08).
 */
export function readMedia(formats: readonly Format[], language: string | undefined, userAgent: string): ContentMedia {
  const tracks = new Map(formats.flatMap(({ track }) => (track === undefined ? [] : [[track.id, track]])));
  const selectedTrack = chooseTrack([...tracks.values()], language);
  const originalTrack = [...tracks.values()].find(({ kind }) => kind === 'original');
  const media = formats.map((format) => ({
    kind: format.kind,
    media: sourceMedia(format, { selectedTrack, originalTrack }, userAgent),
  }));
  return defined({
    videos: unlessEmpty(media.filter(({ kind }) => kind !== 'audio').map(({ media }) => media)),
    audios: unlessEmpty(media.filter(({ kind }) => kind === 'audio').map(({ media }) => media)),
  });
}

/** Tracks of a video with several. */
interface NamedTracks {
  /** The one for rendered files. */
  readonly selectedTrack: AudioTrack | undefined;
  /** The one that muxed files contain. */
  readonly originalTrack: AudioTrack | undefined;
}

function sourceMedia(format: Format, tracks: NamedTracks, userAgent: string): SourceMedia {
  const { url } = format;
  const label = format.kind === 'audio' ? audioLabel(format) : (format.qualityLabel ?? `${format.height}p`);
  return {
    item: { label, url, repId: formatId(format), metadata: metadataOf(format) },
    stream: streamOf(format, tracks, userAgent),
  };
}

function metadataOf(format: Format): SourceMedia['item']['metadata'] {
  const { kind, mimeType, width, height, bytes, codecs, track, raw } = format;
  return {
    mime_type: mimeType,
    width,
    height,
    has_audio: kind !== 'video',
    ...(bytes === undefined ? {} : { content_length: bytes, content_length_text: sizeText(bytes) }),
    ...defined({
      itag: format.itag,
      codecs: codecs.length > 0 ? codecs.join(',') : undefined,
      bitrate: format.bitrate,
      average_bitrate: format.averageBitrate,
      fps: format.fps,
      quality: text(raw.quality),
      quality_label: format.qualityLabel,
      is_hdr: kind === 'audio' ? undefined : format.hdr,
      is_super_resolution: format.superResolution || undefined,
      color_transfer: text(dig(raw.colorInfo, 'transferCharacteristics')),
      color_primaries: text(dig(raw.colorInfo, 'primaries')),
      projection: raw.projectionType === 'RECTANGULAR' ? undefined : text(raw.projectionType),
      duration_ms: format.durationMs,
      last_modified: isoFromMicroseconds(raw.lastModified),
      expires_at: format.expiresAt === undefined ? undefined : new Date(format.expiresAt).toISOString(),
      init_range: readRange(raw.initRange),
      index_range: readRange(raw.indexRange),
    }),
    ...(kind === 'video' ? {} : audioMetadata(format, track)),
  };
}

function audioMetadata({ drc, voiceBoost, raw }: Format, track: AudioTrack | undefined) {
  const loudness = raw.loudnessDb;
  return {
    ...defined({
      audio_quality: text(raw.audioQuality),
      audio_sample_rate: count(raw.audioSampleRate),
      audio_channels: count(raw.audioChannels),
      loudness_db: typeof loudness === 'number' ? loudness : undefined,
      is_spatial: flag(raw.spatialAudioType !== undefined || undefined),
      language: track?.language,
      language_name: track?.name,
      audio_track_id: track?.id,
    }),
    is_drc: drc,
    ...(voiceBoost ? { is_voice_boost: true } : {}),
    ...(track === undefined
      ? {}
      : {
          audio_track_kind: track.kind,
          is_default: track.isDefault,
          is_original: track.kind === 'original',
          is_dubbed: track.kind === 'dubbed' || track.kind === 'auto-dubbed',
          is_auto_dubbed: track.kind === 'auto-dubbed',
          is_descriptive: track.kind === 'descriptive',
        }),
  };
}

function streamOf(format: Format, { selectedTrack, originalTrack }: NamedTracks, userAgent: string): SourceStream {
  const { kind, mimeType, bytes, bitrate, averageBitrate, durationMs, videoCodec, audioCodec, expiresAt } = format;
  const rate = averageBitrate ?? bitrate;
  const track = kind === 'video' ? undefined : (format.track ?? (kind === 'muxed' ? originalTrack : undefined));
  const versionRank = track && versionRankOf(track, format.drc || format.voiceBoost);
  return {
    ext: extensionOf(kind, mimeType),
    kind,
    ...defined({
      bytes,
      estimatedBytes: bytes === undefined ? estimateBytes(rate, (durationMs ?? 0) / 1000) : undefined,
      bitrate: rate,
      videoCodec,
      audioCodec,
      language: toLanguageTag(track?.language),
      versionRank: versionRank || undefined,
      secondary: isSecondary(format, selectedTrack) || undefined,
      expiresAt,
    }),
    headers: { 'user-agent': userAgent },
  };
}

/** Returns whether a stream is excluded from rendered files unless its label is requested. */
function isSecondary(
  { kind, track, drc, voiceBoost, hdr, superResolution }: Format,
  selectedTrack?: AudioTrack,
): boolean {
  if (hdr || superResolution || drc || voiceBoost) return true;
  if (kind === 'video' || selectedTrack === undefined) return false;
  // A muxed file without track information has the original audio.
  return track === undefined ? kind === 'muxed' && selectedTrack.kind !== 'original' : track.id !== selectedTrack.id;
}

function extensionOf(kind: Format['kind'], mimeType: string): string {
  const container = /^\w+\/([a-z0-9]{2,10})/i.exec(mimeType)?.[1]?.toLowerCase() ?? 'mp4';
  if (container === '3gpp') return '3gp';
  return container === 'mp4' && kind === 'audio' ? 'm4a' : container;
}

/** Returns a label such as "AAC 130 kbps, English (US) original, DRC". */
function audioLabel({ audioCodec, codecs, averageBitrate, bitrate, track, drc, voiceBoost }: Format): string {
  const name = codecNames[audioCodec ?? ''] ?? audioCodec ?? codecs[0] ?? 'Sound';
  const rate = averageBitrate ?? bitrate;
  return [
    rate === undefined ? name : `${name} ${Math.round(rate / 1_000)} kbps`,
    ...(track === undefined ? [] : [track.name ?? track.language]),
    ...(drc ? ['DRC'] : []),
    ...(voiceBoost ? ['voice boost'] : []),
  ].join(', ');
}

function readRange(value: unknown): { readonly start: number; readonly end: number } | undefined {
  const start = count(dig(value, 'start'));
  const end = count(dig(value, 'end'));
  return start === undefined || end === undefined ? undefined : { start, end };
}

function isoFromMicroseconds(value: unknown): string | undefined {
  const microseconds = typeof value === 'string' && /^\d{15,16}$/.test(value) ? Number(value) : undefined;
  return microseconds === undefined ? undefined : new Date(microseconds / 1_000).toISOString();
}
