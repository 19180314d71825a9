import { type OutputContainer, outputContainers } from '../contract/containers.ts';
import type { Plan } from '../contract/plans.ts';
import type { SourceContent } from '../platforms/platform.ts';
import { bestSound } from './candidates.ts';
import { overSize } from './limits.ts';
import type { RenderablePlan } from './renderable-plan.ts';
import { contentLength, factsOf, jobOf, type Source, sizeOf, soundCodec, sourcesOf } from './streams.ts';

/** The file that holds a sound as it is, by its codec family; other families are not offered. */
const containers: Readonly<Record<string, OutputContainer>> = { aac: 'm4a', mp3: 'mp3' };

/** The label of sound that comes out of a video. */
const LABEL = 'audio';

/**
 * The sound of a content as a file of its own, without re-encoding: out of the smallest video that has it inside, since
 * that is the sound of the video itself, else from the best stream of sound alone. None where there is no such sound.
 */
export function chooseAudio(content: SourceContent, plan: Plan): RenderablePlan[] {
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

/** Whether a content has any sound that could be a file of its own. */
export function hasSound(content: SourceContent): boolean {
  return soundSource(content) !== undefined;
}

function soundSource({ videos, audios }: SourceContent): Source | undefined {
  const usable = (source: Source) => containerOf(source) !== undefined;
  const [smallest] = sourcesOf(videos, 'muxed').filter(usable).toSorted(bySize);
  return smallest ?? bestSound(sourcesOf(audios, 'audio').filter(usable));
}

/** Lesser versions last, then the smaller first; what has no size known comes after what has. */
function bySize({ stream: a }: Source, { stream: b }: Source): number {
  const size = (stream: Source['stream']) =>
    stream.bytes ?? stream.estimatedBytes ?? stream.bitrate ?? Number.MAX_VALUE;
  return Number(a.secondary ?? false) - Number(b.secondary ?? false) || size(a) - size(b);
}

function containerOf({ stream }: Source): OutputContainer | undefined {
  const codec = soundCodec(stream);
  return codec === undefined ? undefined : containers[codec];
}
