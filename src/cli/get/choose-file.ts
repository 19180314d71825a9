import { mime } from '@fastify/send';
import type { NewJob } from '#client/renders/job-target.ts';
import type { ExtractedContent } from '../../contract/envelope.ts';
import type { MediaItem, RenderableMediaItem } from '../../contract/media-items.ts';
import { bareType, isPlaylistType } from '../../contract/media-types.ts';
import { CommandError } from '../errors/command-errors.ts';
import { isQuality } from './quality.ts';

/** The file to fetch for one item of a result's `contents`. */
export interface Choice {
  readonly label: string;
  /** Extension of the file, without its dot. */
  readonly ext: string;
  /** The render that produces the file; absent if the file already exists. */
  readonly start?: string | NewJob;
  /** The link of an existing file. */
  readonly url?: string;
  /** Whether `url` is an HLS playlist. */
  readonly playlist?: boolean;
}

/**
 * Chooses the file for an item of `contents`: a render, which always has audio, or else an existing file.
 *
 * @param quality `best`, `worst`, `audio`, `image` or a label.
 * @param language Language of the audio, if there are several.
 * @throws CommandError with the available qualities, if there is no such file.
 */
export function chooseFile(content: ExtractedContent, quality: string, language?: string): Choice {
  if (quality === 'audio') return chooseAudio(content, language);
  if (quality === 'image') return existingFile(bestOf(content.images) ?? throwUnavailable(content, quality));
  const [render, error] = firstRender(content.renderableVideos);
  if (render !== undefined) return render;
  const { videos } = content;
  if (videos === undefined) return existingFile(bestOf(content.images) ?? throwUnavailable(content, quality));
  const isNamed = quality === 'best' || quality === 'worst';
  const candidates = isNamed ? videos : videos.filter(({ label }) => isQuality(label, quality));
  const item = quality === 'worst' ? bestOf(candidates, -1) : bestOf(candidates);
  // If a render could not be prepared, its error is reported instead of returning a video without audio.
  if (item === undefined || (error !== undefined && !item.metadata.has_audio))
    return throwUnavailable(content, quality, error);
  return existingFile(item);
}

function chooseAudio(content: ExtractedContent, language: string | undefined): Choice {
  const [render] = firstRender(content.renderableAudios);
  if (render !== undefined) return render;
  const [best] = content.audios?.toSorted((a, b) => audioRank(b, language) - audioRank(a, language)) ?? [];
  return existingFile(best ?? throwUnavailable(content, 'audio'));
}

/**
 * Ranks audio by these criteria, in this order: requested language, original track, MP4 or MP3, no dynamic range
 * compression or audio description, bit rate.
 */
function audioRank({ metadata }: MediaItem, language: string | undefined): number {
  const itemLanguage = typeof metadata.language === 'string' ? metadata.language.toLowerCase() : '';
  const criteria = [
    language !== undefined && itemLanguage.split('-', 1)[0] === language.toLowerCase(),
    metadata.is_original === true,
    /^audio\/(?:mp4|mpeg)/.test(metadata.mime_type),
    metadata.is_drc !== true && metadata.is_descriptive !== true,
  ];
  const rank = criteria.reduce((sum, criterion) => sum * 2 + Number(criterion), 0);
  return rank + Math.min(0.999, (typeof metadata.bitrate === 'number' ? metadata.bitrate : 0) / 1e8);
}

function firstRender(items: readonly RenderableMediaItem[] | undefined): [Choice | undefined, string | undefined] {
  const ready = items?.find(({ renderConfig }) => renderConfig !== undefined);
  if (ready?.renderConfig === undefined) return [undefined, items?.find(({ error }) => error !== undefined)?.error];
  const ext = mime.getExtension(bareType(ready.metadata.mime_type)) ?? 'mp4';
  return [{ label: ready.label, ext, start: ready.renderConfig.executionUrl }, undefined];
}

function existingFile({ label, url, metadata }: MediaItem): Choice {
  const type = bareType(metadata.mime_type);
  if (isPlaylistType(type)) return { label, url, playlist: true, ext: 'mp4' };
  return { label, url, ext: mime.getExtension(type) ?? 'bin' };
}

/** Returns the item with the most or the fewest pixels. Items with audio precede silent ones. */
function bestOf(items: readonly MediaItem[] | undefined, direction: 1 | -1 = 1): MediaItem | undefined {
  return items?.toSorted(
    (a, b) => Number(b.metadata.has_audio) - Number(a.metadata.has_audio) || direction * (pixelsOf(b) - pixelsOf(a)),
  )[0];
}

function pixelsOf({ metadata: { width, height } }: MediaItem): number {
  return width * height;
}

function throwUnavailable(content: ExtractedContent, quality: string, cause?: string): never {
  const available = [...qualitiesOf(content), ...(content.audios === undefined ? [] : ['audio'])];
  const reason = cause === undefined ? `The quality ${quality} is not available.` : cause;
  throw new CommandError(`${reason}${available.length === 0 ? '' : ` Available: ${available.join(', ')}.`}`);
}

/** Returns the distinct labels of the videos of a content item. */
export function qualitiesOf({ videos = [] }: ExtractedContent): readonly string[] {
  return [...new Set(videos.map(({ label }) => label))];
}
