import { type OutputContainer, outputContainers } from '../contract/containers.ts';
import type { Plan } from '../contract/subscription-plans.ts';
import type { SourceContent } from '../platforms/platform.ts';
import {
  audioCodecOf,
  contentLengthMetadata,
  type RenderSource,
  renderJobOf,
  sizeAndExpiryOf,
  sizeOf,
  sourcesOf,
} from './render-sources.ts';
import { sizeLimitMessage } from './renderable-limits.ts';
import type { SelectedRenderable } from './selected-renderable.ts';
import { bestAudio } from './video-candidates.ts';

/** The container of an audio file by its codec family; other families are not offered. */
const containers: Readonly<Record<string, OutputContainer>> = { aac: 'm4a', mp3: 'mp3' };

/** The label of audio that is extracted from a video. */
const EXTRACTED_AUDIO_LABEL = 'audio';

/**
 * Returns the audio-only file of a content item, without re-encoding. Prefers audio extracted from the smallest video
 * that contains audio, since that is the video's own audio; otherwise uses the best audio stream. Returns an empty list
 * if there is no such audio.
 */
export function chooseAudio(content: SourceContent, plan: Plan): SelectedRenderable[] {
  const source = audioSourceOf(content);
  const ext = source && containerOf(source);
  if (source === undefined || ext === undefined) return [];
  const isAudioOnly = source.stream.kind === 'audio';
  const label = isAudioOnly ? source.item.label : EXTRACTED_AUDIO_LABEL;
  const { exact, minBytes } = sizeOf([source]);
  if (minBytes > plan.renderSize) {
    return [{ label, error: sizeLimitMessage(label, minBytes, exact === undefined, plan) }];
  }
  return [
    {
      label,
      metadata: {
        mime_type: outputContainers[ext].mimeType,
        width: 0,
        height: 0,
        has_audio: true,
        ...contentLengthMetadata(isAudioOnly ? exact : undefined),
      },
      ...renderJobOf([source], ext, source.stream.ext === ext ? 'no_process' : 'extract_audio'),
      ...sizeAndExpiryOf([source]),
    },
  ];
}

/** Whether a content item has audio that could become its own file. */
export function hasAudio(content: SourceContent): boolean {
  return audioSourceOf(content) !== undefined;
}

function audioSourceOf({ videos, audios }: SourceContent): RenderSource | undefined {
  const usable = (source: RenderSource) => containerOf(source) !== undefined;
  const [smallest] = sourcesOf(videos, 'muxed').filter(usable).toSorted(bySize);
  return smallest ?? bestAudio(sourcesOf(audios, 'audio').filter(usable));
}

/** Sorts secondary versions last, then by size; those of unknown size come after the others. */
function bySize({ stream: a }: RenderSource, { stream: b }: RenderSource): number {
  const size = (stream: RenderSource['stream']) =>
    stream.bytes ?? stream.estimatedBytes ?? stream.bitrate ?? Number.MAX_VALUE;
  return Number(a.secondary ?? false) - Number(b.secondary ?? false) || size(a) - size(b);
}

function containerOf({ stream }: RenderSource): OutputContainer | undefined {
  const codec = audioCodecOf(stream);
  return codec === undefined ? undefined : containers[codec];
}
