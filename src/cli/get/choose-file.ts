import type { NewJob } from '#client/renders/job-target.ts';
import type { ExtractedContent } from '../../contract/envelope.ts';
import type { MediaItem, RenderableMediaItem } from '../../contract/media-items.ts';
import { bareType, isPlaylistType } from '../../contract/media-types.ts';
import { CommandError } from '../errors/command-errors.ts';
import { extensionOf } from './extension-of.ts';
import { isQuality, plainLabel } from './quality.ts';

/** The file to fetch for one item of a result's `contents`. */
export interface Choice {
  readonly label: string;
  /** Extension of the file, without its dot. */
  readonly ext: string;
  /** Its media type, if that is not one of media. The extension is `bin` then, which no program opens. */
  readonly otherType?: string;
  /** The render that produces the file; absent if the file already exists. */
  readonly start?: string | NewJob;
  /** The link of an existing file. */
  readonly url?: string;
  /** Whether `url` is an HLS playlist. */
  readonly playlist?: boolean;
  /** Bytes of the existing file, if known. */
  readonly size?: number;
}

/** Which file to choose. */
export interface Selection {
  /** `best`, `worst`, `audio`, `image`, `slideshow` or a label. */
  readonly quality: string;
  /** The video that a quality with conditions has selected. */
  readonly video?: MediaItem | undefined;
  /** Format of an audio file that must be rendered. */
  readonly audioFormat?: string | undefined;
  /** Language of the audio, if there are several. */
  readonly language?: string | undefined;
  /** An option that only a rendered file can have, without its dashes. */
  readonly renderOption?: string | undefined;
}

/**
 * Chooses the file for an item of `contents`: a render, which always has audio, or else an existing file.
 *
 * @throws CommandError with the available qualities, if there is no such file.
 */
export function chooseFile(content: ExtractedContent, selection: Selection): Choice {
  const { quality, audioFormat } = selection;
  if (audioFormat !== undefined) {
    const choice = requireRender(content.renderableAudios, audioFormat);
    return audioFormat === 'original' ? choice : { ...choice, ext: audioFormat };
  }
  if (quality === slideshowLabel) return requireRender(content.renderableVideos, slideshowLabel);
  if (quality === 'audio') return chooseAudio(content, selection);
  if (quality === 'image') return existingFile(bestOf(content.images) ?? throwUnavailable(content, quality), selection);
  const { video } = selection;
  const renders = content.renderableVideos;
  const [render, error] = firstRender(
    video === undefined ? renders : renders?.filter(({ label }) => plainLabel(label) === plainLabel(video.label)),
  );
  if (render !== undefined) return render;
  const { videos } = content;
  if (videos === undefined)
    return existingFile(bestOf(content.images) ?? throwUnavailable(content, quality), selection);
  const isNamed = quality === 'best' || quality === 'worst';
  const isCandidate = ({ label, repId }: MediaItem) =>
    video === undefined ? isNamed || isQuality(label, quality) : repId === video.repId;
  const candidates = videos.filter(isCandidate);
  const item = quality === 'worst' ? bestOf(candidates, -1) : bestOf(candidates);
  // If a render could not be prepared, its error is reported instead of returning a video without audio.
  if (item === undefined || (error !== undefined && !item.metadata.has_audio))
    return throwUnavailable(content, quality, error);
  return existingFile(item, selection, error);
}

/** The label of the render that makes a video from the images of a post. */
const slideshowLabel = 'slideshow';

/**
 * Returns the items of `contents` that a selection concerns: for a slideshow, the one that has it; for an audio format,
 * those with video or audio. Returns all if it concerns no item, so that their errors say why.
 */
export function contentsFor<Entry extends { readonly content: ExtractedContent }>(
  entries: readonly Entry[],
  { quality, audioFormat }: Pick<Selection, 'quality' | 'audioFormat'>,
): readonly Entry[] {
  const concerned = entries.filter(({ content }) => {
    if (audioFormat !== undefined) return mayHaveAudio(content);
    return quality !== slideshowLabel || hasSlideshow(content);
  });
  return concerned.length > 0 ? concerned : entries;
}

function mayHaveAudio({ videos, audios, renderableAudios = [] }: ExtractedContent): boolean {
  return videos !== undefined || audios !== undefined || renderableAudios.some(({ error }) => error === undefined);
}

/** Whether an item of `contents` can be rendered as a slideshow, or has an error that says why not. */
function hasSlideshow({ renderableVideos = [] }: ExtractedContent): boolean {
  return renderableVideos.some(({ label }) => label === slideshowLabel);
}

/** Returns the render with a label. @throws CommandError if it does not exist or has an error. */
function requireRender(items: readonly RenderableMediaItem[] | undefined, label: string): Choice {
  const [render, error] = firstRender(items?.filter((item) => item.label === label));
  if (render !== undefined) return render;
  throw new CommandError(error ?? `This link has no ${label} file. Run "millrace info" to see what it leads to.`);
}

function chooseAudio(content: ExtractedContent, selection: Selection): Choice {
  const { language } = selection;
  const [render] = firstRender(content.renderableAudios);
  if (render !== undefined) return render;
  const [best] = content.audios?.toSorted((a, b) => audioRank(b, language) - audioRank(a, language)) ?? [];
  return existingFile(best ?? throwUnavailable(content, 'audio'), selection);
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
  // The client cannot require it: an item that cannot be rendered has none.
  const named = namedBy(ready.metadata?.mime_type ?? 'video/mp4');
  return [{ label: ready.label, ...named, start: ready.renderConfig.executionUrl }, undefined];
}

/** @throws CommandError if the file is video or audio, and an option needs a render of it. */
function existingFile({ label, url, metadata }: MediaItem, { renderOption }: Selection, renderError?: string): Choice {
  const type = bareType(metadata.mime_type);
  if (renderOption !== undefined && !type.startsWith('image/')) {
    const reason = renderError ?? 'This file can only be downloaded unchanged.';
    throw new CommandError(`${reason} Run the command again without --${renderOption}.`);
  }
  if (isPlaylistType(type)) return { label, url, playlist: true, ext: 'mp4' };
  const { content_length: size } = metadata;
  return { label, url, ...namedBy(type), ...(size === undefined ? {} : { size }) };
}

function namedBy(mediaType: string): Pick<Choice, 'ext' | 'otherType'> {
  const ext = extensionOf(mediaType);
  return ext === undefined ? { ext: 'bin', otherType: mediaType } : { ext };
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
