import { type OutputContainer, outputContainers } from '../contract/containers.ts';
import type { AudioFormat } from '../contract/render-parameters.ts';
import type { Plan } from '../contract/subscription-plans.ts';
import type { ContentMedia } from '../platforms/platform.ts';
import { sourcesInLanguages } from './audio-languages.ts';
import type { RenderOptions } from './render-options.ts';
import {
  audioCodecOf,
  compareSizes,
  contentLengthMetadata,
  type RenderSource,
  renderJobOf,
  sizeAndExpiryOf,
  sizeOf,
  sourcesOf,
} from './render-sources.ts';
import { countLimitMessage, sizeLimitMessage } from './renderable-limits.ts';
import type { SelectedRenderable } from './selected-renderable.ts';

/** How the audio of a file is made. */
interface AudioTarget {
  readonly ext: OutputContainer;
  /** Whether the audio is copied without re-encoding. */
  readonly copies: boolean;
  /** In kbit/s, for encoded audio. */
  readonly bitrate?: number;
}

/** The codec that is copied into each format. Other codecs are encoded. */
const copiedCodecs: Readonly<Partial<Record<AudioFormat, string>>> = { mp3: 'mp3', m4a: 'aac', opus: 'opus' };

/** The containers that the format `original` copies a codec into: for one track, and for several. */
const originalContainers: Readonly<Record<string, readonly [OutputContainer, OutputContainer]>> = {
  aac: ['m4a', 'm4a'],
  ac3: ['m4a', 'm4a'],
  alac: ['m4a', 'm4a'],
  opus: ['opus', 'ogg'],
  vorbis: ['ogg', 'ogg'],
  flac: ['flac', 'ogg'],
  mp3: ['mp3', 'mp3'],
};

/** Whether the bit rate of a format can be chosen. */
export function isLossy(format: string): boolean {
  return Object.hasOwn(copiedCodecs, format);
}

/**
 * Returns one item for each requested audio format, labelled with the format. Separate audio takes precedence over audio
 * inside a video.
 *
 * @param remaining Number of renderables that the plan allows beside the videos.
 */
export function chooseAudioFormats(
  content: ContentMedia,
  { audioFormats, audioLanguages, audioBitrate }: RenderOptions,
  plan: Plan,
  remaining: number,
): SelectedRenderable[] {
  const available = [...sourcesOf(content.audios, 'audio'), ...sourcesOf(content.videos, 'muxed')];
  return audioFormats.map((format, index): SelectedRenderable => {
    if (index >= remaining) return { label: format, error: countLimitMessage(plan) };
    const sources = findSources(available, format, audioLanguages);
    if (typeof sources === 'string') return { label: format, error: sources };
    const target = targetOf(format, sources, audioBitrate);
    if (typeof target === 'string') return { label: format, error: target };
    return audioFile(format, sources, target, plan);
  });
}

/** Returns the best source of each track, or why a track has no source. */
function findSources(
  available: readonly RenderSource[],
  format: AudioFormat,
  languages: readonly string[],
): readonly RenderSource[] | string {
  const byPreference = (sources: readonly RenderSource[]) =>
    sources.toSorted((a, b) => comparePreference(a, b, copiedCodecs[format]));
  if (available.length === 0) return 'Unavailable: this content has no audio that can be rendered.';
  if (languages.length === 0) return byPreference(available).slice(0, 1);
  const inLanguages = sourcesInLanguages(available, languages);
  if ('error' in inLanguages) return inLanguages.error;
  return inLanguages.groups.flatMap((group) => byPreference(group).slice(0, 1));
}

/** Sorts secondary versions last, then separate audio first, then a codec that can be copied, then by quality. */
function comparePreference(a: RenderSource, b: RenderSource, codec: string | undefined): number {
  const misses = ({ stream }: RenderSource) => Number(codec !== undefined && audioCodecOf(stream) !== codec);
  const isMuxed = ({ stream }: RenderSource) => Number(stream.kind === 'muxed');
  return (
    Number(a.stream.secondary ?? false) - Number(b.stream.secondary ?? false) ||
    isMuxed(a) - isMuxed(b) ||
    misses(a) - misses(b) ||
    // The audio of all videos is about the same, so the smallest one is enough.
    (isMuxed(a) ? compareSizes(a.stream, b.stream) : (b.stream.bitrate ?? 0) - (a.stream.bitrate ?? 0))
  );
}

/**
 * Decides how a format is made, or why it cannot be.
 *
 * @param bitrate Requested bit rate in kbit/s.
 */
function targetOf(
  format: AudioFormat,
  sources: readonly RenderSource[],
  bitrate: number | undefined,
): AudioTarget | string {
  const codecs = new Set(sources.map(({ stream }) => audioCodecOf(stream)));
  const [codec = ''] = codecs;
  if (format === 'original') {
    const [single, several] = (codecs.size === 1 ? originalContainers[codec] : undefined) ?? [];
    const ext = sources.length === 1 ? single : several;
    if (ext === undefined) return 'Unavailable: this audio cannot be copied to an audio file. Request m4a or mp3.';
    return checkTracks({ ext, copies: true }, sources);
  }
  const copies = codecs.size === 1 && copiedCodecs[format] === codec && bitrate === undefined;
  const hasBitrate = isLossy(format) && bitrate !== undefined;
  return checkTracks({ ext: format, copies, ...(hasBitrate ? { bitrate } : {}) }, sources);
}

function checkTracks(target: AudioTarget, sources: readonly RenderSource[]): AudioTarget | string {
  if (sources.length === 1 || !outputContainers[target.ext].oneStream) return target;
  return `Unavailable: ${target.ext} files have only one audio track. Request one language, or m4a.`;
}

/** Returns the audio file of one source, or of several as tracks. Returns an error if it is too large for the plan. */
export function audioFile(
  label: string,
  sources: readonly RenderSource[],
  { ext, copies, bitrate }: AudioTarget,
  plan: Plan,
): SelectedRenderable {
  const { exact, minBytes } = sizeOf(sources);
  if (minBytes > plan.renderSize) {
    return { label, error: sizeLimitMessage(label, minBytes, exact === undefined, plan) };
  }
  const isUnchanged = copies && sources.length === 1 && sources[0]?.stream.ext === ext;
  const singleType = isUnchanged ? 'no_process' : 'extract_audio';
  const isAudioOnly = sources.every(({ stream }) => stream.kind === 'audio');
  return {
    label,
    metadata: {
      // All codecs in Ogg share its media type, but files with Opus have another extension.
      mime_type: ext === 'opus' ? `${outputContainers.opus.mimeType}; codecs="opus"` : outputContainers[ext].mimeType,
      width: 0,
      height: 0,
      has_audio: true,
      ...contentLengthMetadata(copies && isAudioOnly ? exact : undefined),
    },
    ...renderJobOf(sources, ext, {
      type: sources.length === 1 ? singleType : 'join_streams',
      copyStreams: copies,
      ...(bitrate === undefined ? {} : { audioBitrate: bitrate }),
    }),
    ...sizeAndExpiryOf(sources),
  };
}
