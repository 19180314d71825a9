import type { ExtractedContent, MediaItem } from '#client/index.ts';
import { messages } from '../language/language.ts';
import { isPlaylist } from '../qualities/codecs.ts';
import { type Quality, qualitiesOf, type ReadyItem } from '../qualities/qualities.ts';
import { requestRender } from '../qualities/request-render.ts';
import { canRequestQuality, fetchResult } from '../query/fetch-result.ts';
import type { Query } from '../query/query.ts';
import type { QueryResult } from '../query/query-result.ts';
import type { WantedFile } from '../query/wanted-file.ts';
import type { WantedKind } from './wanted-kind.ts';

/** A file to get: a link to it, or the render that makes it. */
export type FileTarget =
  | { readonly by: 'link'; readonly item: MediaItem }
  | { readonly by: 'render'; readonly executionUrl: string };

/** The files of an item. Each is found when it is needed, because its links expire. */
export interface FoundFiles {
  readonly title: string | undefined;
  readonly thumbnailUrl: string | undefined;
  readonly count: number;
  /**
   * Finds a file by its index.
   *
   * @throws MillraceApiError, MillraceNetworkError; Error if the item has no such file.
   */
  find(index: number): Promise<FileTarget>;
}

/** Options of {@link findFiles}. */
interface FindOptions {
  readonly signal: AbortSignal;
  /** Whether the service must not use a cached result. */
  readonly fresh: boolean;
}

const MAX_LINES = 720;

/**
 * Fetches the result of a query, and finds the files of the wanted kind: one for each of its videos and images.
 *
 * @throws MillraceApiError, MillraceNetworkError; Error if the result has no media.
 */
export async function findFiles(query: Query, wanted: WantedKind, options: FindOptions): Promise<FoundFiles> {
  const source = await fetchResult(query, options);
  const { contents = [], metadata } = source.result;
  if (contents.length === 0) throw new Error(messages().collection.noMedia);
  return {
    title: metadata.title,
    thumbnailUrl: metadata.thumbnailUrl,
    count: contents.length,
    find(index) {
      if (wanted === 'mp3') return findRender(source.query, index, { kind: 'audio', label: wanted }, options);
      return findVideoOrImage(source, contents[index] ?? {}, index, wanted, options);
    },
  };
}

async function findVideoOrImage(
  { query }: QueryResult,
  content: ExtractedContent,
  index: number,
  wanted: 'best' | '720p',
  options: FindOptions,
): Promise<FileTarget> {
  const { videos = [], images = [] } = content;
  if (videos.length === 0) {
    const image = images.toSorted((a, b) => pixelsOf(b) - pixelsOf(a))[0];
    if (image === undefined) throw new Error(messages().collection.noMedia);
    return { by: 'link', item: image };
  }
  const qualities = qualitiesOf(content, (label) => canRequestQuality(query.link, label));
  const quality = chooseVideo(qualities, wanted);
  if (quality === undefined) throw new Error(reasonIn(qualities) ?? messages().collection.noMedia);
  if (quality.delivery.by === 'link' && !isPlaylist(quality.delivery.item.metadata)) return quality.delivery;
  if (quality.delivery.by === 'render') return renderOf(quality.delivery.item);
  return findRender(query, index, { kind: 'video', label: quality.label }, options);
}

async function findRender(query: Query, index: number, wanted: WantedFile, options: FindOptions): Promise<FileTarget> {
  return renderOf(await requestRender(query, index, wanted, options));
}

function renderOf({ renderConfig }: ReadyItem): FileTarget {
  return { by: 'render', executionUrl: renderConfig.executionUrl };
}

/** Returns the largest video, or the largest of at most 720 lines if there is one. */
export function chooseVideo(qualities: readonly Quality[], wanted: 'best' | '720p'): Quality | undefined {
  const videos = qualities.filter(({ kind, delivery }) => kind === 'video' && delivery.by !== 'none');
  if (wanted === 'best') return videos[0];
  return videos.find(({ label }) => linesIn(label) <= MAX_LINES) ?? videos.at(-1);
}

/** Returns the lines that a label names: 1080 of `1080p60`. A label without a number counts as small. */
function linesIn(label: string): number {
  return Number(/\d{3,4}/.exec(label)?.[0] ?? 0);
}

function reasonIn(qualities: readonly Quality[]): string | undefined {
  return qualities.flatMap(({ delivery }) => (delivery.by === 'none' ? delivery.reason : []))[0];
}

function pixelsOf({ metadata: { width, height } }: MediaItem): number {
  return width * height;
}
