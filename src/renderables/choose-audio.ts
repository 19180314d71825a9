import { type OutputContainer, outputContainers } from '../contract/containers.ts';
import type { Plan } from '../contract/subscription-plans.ts';
import type { SourceContent } from '../platforms/platform.ts';
import { bestSound } from './candidates.ts';
import { overSize } from './limits.ts';
import type { SelectedRenderable } from './selected-renderable.ts';
import { contentLength, factsOf, jobOf, type Source, sizeOf, soundCodec, sourcesOf } from './streams.ts';

/** The container of an audio file by its codec family; other families are not offered. */
const containers: Readonly<Record<string, OutputContainer>> = { aac: 'm4a', mp3: 'mp3' };

/** The label of audio that is extracted from a video. */
const LABEL = 'audio';

/**
 * Returns the audio-only file of a content, without re-encoding: extracted from the smallest video with audio, since that
 * is the video's own audio, else from the best audio stream. Empty if there is no such audio.
 */
export function chooseAudio(content: SourceContent, plan: Plan): SelectedRenderable[] {
  const source = soundSource(content);
  const ext = source && containerOf(source);
  if (source === undefined || ext === undefined) return [];
  const alone = source.stream.kind === 'audio';
  const label = alone ? source.item.label : LABEL;
  const { exact, atLeast } = sizeOf([source]);
  if (atLeast > plan.renderSize) {
    return [{ label, error: overSize(label, atLeast, exact === undefined, plan) }];
  }
  return [
    {
      label,
      metadata: {
        mime_type: outputContainers[ext].mimeType,
        width: 0,
        height: 0,
        has_audio: true,
        ...contentLength(alone ? exact : undefined),
      },
      job: jobOf([source], ext, source.stream.ext === ext ? 'no_process' : 'extract_audio'),
      ...factsOf([source]),
    },
  ];
}

/** Whether a content has audio that could be a file of its own. */
export function hasSound(content: SourceContent): boolean {
  return soundSource(content) !== undefined;
}

function soundSource({ videos, audios }: SourceContent): Source | undefined {
  const usable = (source: Source) => containerOf(source) !== undefined;
  const [smallest] = sourcesOf(videos, 'muxed').filter(usable).toSorted(bySize);
  return smallest ?? bestSound(sourcesOf(audios, 'audio').filter(usable));
}

/** Sorts secondary versions last, then by size; those of unknown size come after the others. */
function bySize({ stream: a }: Source, { stream: b }: Source): number {
  const size = (stream: Source['stream']) =>
    stream.bytes ?? stream.estimatedBytes ?? stream.bitrate ?? Number.MAX_VALUE;
  return Number(a.secondary ?? false) - Number(b.secondary ?? false) || size(a) - size(b);
}

function containerOf({ stream }: Source): OutputContainer | undefined {
  const codec = soundCodec(stream);
  return codec === undefined ? undefined : containers[codec];
}
