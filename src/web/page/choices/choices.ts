import type { ExtractedContent, MediaItem } from '#client/index.ts';
import type { Quality } from '../qualities/qualities.ts';
import { BEST, type RememberedChoice } from './parse-choice.ts';

/** A file that the visitor can get with one click. */
export type Choice =
  | { readonly kind: 'video'; readonly best: boolean; readonly quality: Quality }
  | { readonly kind: 'audio'; readonly format: string }
  | { readonly kind: 'image'; readonly item: MediaItem };

/** Whether a content item has audio, alone or in its videos. */
export function hasAudio(
  { audios = [], renderableAudios = [] }: ExtractedContent,
  videos: readonly Quality[],
): boolean {
  return audios.length > 0 || renderableAudios.length > 0 || videos.some((quality) => quality.hasAudio);
}

/** Returns the largest image of a content item without videos and audio; undefined for any other item. */
export function onlyImage({ videos = [], audios = [], images = [] }: ExtractedContent): MediaItem | undefined {
  if (videos.length > 0 || audios.length > 0) return undefined;
  const pixels = ({ metadata: { width, height } }: MediaItem) => width * height;
  return images.toSorted((a, b) => pixels(b) - pixels(a))[0];
}

/**
 * Selects the two or three choices that lead: the one that the visitor made last, the best video, and the audio as MP3.
 * The first is the one to show as the main action.
 */
export function leadingChoices(
  videos: readonly Quality[],
  audio: boolean,
  remembered: RememberedChoice | undefined,
): readonly Choice[] {
  const available = videos.filter(({ delivery }) => delivery.by !== 'none');
  const [best] = available;
  const standard: Choice[] = [
    ...(best === undefined ? [] : [{ kind: 'video', best: true, quality: best } as const]),
    ...(audio ? [{ kind: 'audio', format: 'mp3' } as const] : []),
  ];
  const last = remembered === undefined ? undefined : choiceLike(remembered, available, audio);
  if (last === undefined) return standard;
  return [last, ...standard.filter((choice) => !isSame(choice, last))];
}

/** Returns the file of an item that corresponds to an earlier choice; undefined if the item has none. */
function choiceLike(
  { kind, label }: RememberedChoice,
  available: readonly Quality[],
  audio: boolean,
): Choice | undefined {
  if (kind === 'audio') return audio ? { kind, format: label } : undefined;
  const [best] = available;
  const quality = label === BEST ? best : available.find((one) => one.label === label);
  return quality === undefined ? undefined : { kind, best: quality === best, quality };
}

function isSame(one: Choice, other: Choice): boolean {
  if (one.kind === 'audio') return other.kind === 'audio' && one.format === other.format;
  return one.kind === 'video' && other.kind === 'video' && one.quality === other.quality;
}
