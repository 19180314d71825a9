import type { OutputContainer } from '../contract/containers.ts';
import type { Plan } from '../contract/subscription-plans.ts';
import type { ContentMedia } from '../platforms/platform.ts';
import { sourcesInLanguages } from './audio-languages.ts';
import { audioFile } from './choose-audio-formats.ts';
import { audioCodecOf, compareSizes, type RenderSource, sourcesOf } from './render-sources.ts';
import type { SelectedRenderable } from './selected-renderable.ts';
import { bestAudio } from './video-candidates.ts';

/** The container of an audio file by its codec family; other families are not offered. */
const containers: Readonly<Record<string, OutputContainer>> = { aac: 'm4a', mp3: 'mp3' };

/** The label of audio that is extracted from a video, or has several tracks. */
const EXTRACTED_AUDIO_LABEL = 'audio';

/**
 * Returns the audio-only file of a content item, without re-encoding. Prefers audio extracted from the smallest video
 * that contains audio, since that is the video's own audio; otherwise uses the best audio stream. Returns an empty list
 * if there is no such audio.
 *
 * @param languages Requested languages of its tracks; empty for the platform's choice.
 */
export function chooseAudio(content: ContentMedia, languages: readonly string[], plan: Plan): SelectedRenderable[] {
  const usable = usableSources(content);
  if (usable.length === 0) return [];
  const sources = findSources(usable, languages);
  if (typeof sources === 'string') return [{ label: EXTRACTED_AUDIO_LABEL, error: sources }];
  const [first, ...others] = sources;
  const ext = first && containerOf(first);
  if (ext === undefined) return [];
  if (others.length > 0 && sources.some((source) => containerOf(source) !== 'm4a')) {
    const error = 'Unavailable: this audio cannot be copied as several tracks. Request m4a in renderableAudios.';
    return [{ label: EXTRACTED_AUDIO_LABEL, error }];
  }
  const label = first?.stream.kind === 'audio' && others.length === 0 ? first.item.label : EXTRACTED_AUDIO_LABEL;
  return [audioFile(label, sources, { ext, copies: true }, plan)];
}

/** Whether a content item has audio that could become its own file. */
export function hasAudio(content: ContentMedia): boolean {
  return usableSources(content).length > 0;
}

function usableSources({ videos, audios }: ContentMedia): RenderSource[] {
  return [...sourcesOf(videos, 'muxed'), ...sourcesOf(audios, 'audio')].filter(
    (source) => containerOf(source) !== undefined,
  );
}

function findSources(usable: readonly RenderSource[], languages: readonly string[]): readonly RenderSource[] | string {
  if (languages.length === 0) return [bestOf(usable)].filter((source) => source !== undefined);
  const inLanguages = sourcesInLanguages(usable, languages);
  if ('error' in inLanguages) return inLanguages.error;
  return inLanguages.groups.flatMap((group) => bestOf(group) ?? []);
}

function bestOf(sources: readonly RenderSource[]): RenderSource | undefined {
  const ofKind = (kind: 'muxed' | 'audio') => sources.filter(({ stream }) => stream.kind === kind);
  const [smallest] = ofKind('muxed').toSorted(bySize);
  return smallest ?? bestAudio(ofKind('audio'));
}

/** Sorts secondary versions last, then by size; those of unknown size come after the others. */
function bySize({ stream: a }: RenderSource, { stream: b }: RenderSource): number {
  return Number(a.secondary ?? false) - Number(b.secondary ?? false) || compareSizes(a, b);
}

function containerOf({ stream }: RenderSource): OutputContainer | undefined {
  const codec = audioCodecOf(stream);
  return codec === undefined ? undefined : containers[codec];
}
