import type { RenderableMediaItem } from '#client/index.ts';
import { messages } from '../language/language.ts';
import { canRequestQuality, type FetchOptions, fetchFile, fetchResult } from '../query/fetch-result.ts';
import type { Query } from '../query/query.ts';
import { isAudioFormat, type WantedFile } from '../query/wanted-file.ts';
import { type Quality, qualitiesOf, type ReadyItem } from './qualities.ts';

/**
 * Returns the render of a file, which can then be started. Requests it from the service.
 *
 * @param index Index of the content item.
 * @throws MillraceApiError, MillraceNetworkError; Error if the file is not available.
 */
export async function requestRender(
  query: Query,
  index: number,
  wanted: WantedFile,
  options?: FetchOptions,
): Promise<ReadyItem> {
  const { contents } = await fetchFile(query, wanted, options);
  const content = contents?.[index];
  const items = (wanted.kind === 'video' ? content?.renderableVideos : content?.renderableAudios) ?? [];
  const isReady = (item: RenderableMediaItem): item is ReadyItem => item.renderConfig !== undefined;
  const ready = items.find((item) => isReady(item) && item.label === wanted.label) ?? items.find(isReady);
  if (ready === undefined || !isReady(ready)) {
    throw new Error(items[0]?.error ?? messages().choices.noLongerAvailable(wanted.label));
  }
  return ready;
}

/**
 * Repeats a query without cached results, and returns the render of the same file with new links. Throws the same
 * errors as {@link requestRender}.
 */
export async function requestFreshRender(query: Query, index: number, wanted: WantedFile): Promise<ReadyItem> {
  const { label, kind, parameters } = wanted;
  const fresh = { fresh: true };
  if (isAudioFormat(label) || parameters !== undefined) return requestRender(query, index, wanted, fresh);
  const { query: actualQuery, result } = await fetchResult(query, fresh);
  const content = result.contents?.[index] ?? {};
  const qualities = qualitiesOf(content, (requested) => canRequestQuality(actualQuery.link, requested));
  const quality = qualities.find((other) => other.label === label && other.kind === kind);
  return await readyItemOf(quality, actualQuery, index, wanted);
}

async function readyItemOf(
  quality: Quality | undefined,
  query: Query,
  index: number,
  wanted: WantedFile,
): Promise<ReadyItem> {
  const { delivery } = quality ?? {};
  if (delivery?.by === 'render') return delivery.item;
  if (delivery?.by === 'request') return requestRender(query, index, wanted, { fresh: true });
  throw new Error(delivery?.by === 'none' ? delivery.reason : messages().choices.noLongerAvailable(wanted.label));
}
