import { mime } from '@fastify/send';
import type { NewJob } from '#client/renders/job-source.ts';
import type { ExtractedContent } from '../../contract/envelope.ts';
import type { MediaItem, RenderableMediaItem } from '../../contract/media.ts';
import { bareType, isPlaylistType } from '../../contract/media-types.ts';
import { CommandError } from '../report-error.ts';
import { isQuality } from './quality.ts';

/** The file that is to be fetched for one content of an answer. */
export interface Choice {
  readonly label: string;
  /** Extension of the file, without its dot. */
  readonly ext: string;
  /** Starts the render that makes it; absent where the file is there as it is. */
  readonly start?: string | NewJob;
  /** Where it is as it is. */
  readonly url?: string;
  /** Whether `url` is that of an HLS playlist. */
  readonly playlist?: boolean;
}

/**
 * Chooses what to fetch of a content: a render, since that always has its sound, else a file that is there already.
 *
 * @param quality `best`, `worst`, `audio`, `image` or a label.
 * @param language That of the sound, where there are several.
 * @throws CommandError where there is nothing like it; it says what there is.
 */
export function chooseFile(content: ExtractedContent, quality: string, language?: string): Choice {
  if (quality === 'audio') return chooseAudio(content, language);
  if (quality === 'image') return direct(bestOf(content.images) ?? nothing(content, quality));
  const [render, error] = firstRender(content.renderableVideos);
  if (render !== undefined) return render;
  const { videos } = content;
  if (videos === undefined) return direct(bestOf(content.images) ?? nothing(content, quality));
  const named = quality === 'best' || quality === 'worst';
  const fitting = named ? videos : videos.filter(({ label }) => isQuality(label, quality));
  const chosen = quality === 'worst' ? bestOf(fitting, -1) : bestOf(fitting);
  // A refused render says why; what lies there without sound would be no answer to it.
  if (chosen === undefined || (error !== undefined && !chosen.metadata.has_audio))
    return nothing(content, quality, error);
  return direct(chosen);
}

function chooseAudio(content: ExtractedContent, language: string | undefined): Choice {
  const [render] = firstRender(content.renderableAudios);
  if (render !== undefined) return render;
  const [best] = content.audios?.toSorted((a, b) => soundRank(b, language) - soundRank(a, language)) ?? [];
  return direct(best ?? nothing(content, 'audio'));
}

/** The language that was asked for, the original, MP4, undamped dynamics: the first that differs decides, then bits. */
function soundRank({ metadata }: MediaItem, language: string | undefined): number {
  const spoken = typeof metadata.language === 'string' ? metadata.language.toLowerCase() : '';
  const virtues = [
    language !== undefined && spoken.split('-', 1)[0] === language.toLowerCase(),
    metadata.is_original === true,
    /^audio\/(?:mp4|mpeg)/.test(metadata.mime_type),
    metadata.is_drc !== true && metadata.is_descriptive !== true,
  ];
  const rank = virtues.reduce((sum, virtue) => sum * 2 + Number(virtue), 0);
  return rank + Math.min(0.999, (typeof metadata.bitrate === 'number' ? metadata.bitrate : 0) / 1e8);
}

function firstRender(items: readonly RenderableMediaItem[] | undefined): [Choice | undefined, string | undefined] {
  const made = items?.find(({ renderConfig }) => renderConfig !== undefined);
  if (made?.renderConfig === undefined) return [undefined, items?.find(({ error }) => error !== undefined)?.error];
  const ext = mime.getExtension(bareType(made.metadata.mime_type)) ?? 'mp4';
  return [{ label: made.label, ext, start: made.renderConfig.executionUrl }, undefined];
}

function direct({ label, url, metadata }: MediaItem): Choice {
  const type = bareType(metadata.mime_type);
  if (isPlaylistType(type)) return { label, url, playlist: true, ext: 'mp4' };
  return { label, url, ext: mime.getExtension(type) ?? 'bin' };
}

/** The item with the most pixels, or with the fewest; with sound before silent, then in the order of the platform. */
function bestOf(items: readonly MediaItem[] | undefined, way: 1 | -1 = 1): MediaItem | undefined {
  return items?.toSorted(
    (a, b) => Number(b.metadata.has_audio) - Number(a.metadata.has_audio) || way * (pixelsOf(b) - pixelsOf(a)),
  )[0];
}

function pixelsOf({ metadata: { width, height } }: MediaItem): number {
  return width * height;
}

function nothing(content: ExtractedContent, quality: string, why?: string): never {
  const found = [...qualitiesOf(content), ...(content.audios === undefined ? [] : ['audio'])];
  const said = why === undefined ? `There is no ${quality} here.` : why;
  throw new CommandError(`${said}${found.length === 0 ? '' : ` There is: ${found.join(', ')}.`}`);
}

/** The labels of a content's videos, each once. */
export function qualitiesOf({ videos = [] }: ExtractedContent): readonly string[] {
  return [...new Set(videos.map(({ label }) => label))];
}
