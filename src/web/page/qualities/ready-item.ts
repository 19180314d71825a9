import { canRequestQuality, type FetchOptions, fetchQuality, fetchResult } from '../query/fetch-result.ts';
import type { Query } from '../query/query.ts';
import { type Quality, qualitiesOf, type ReadyItem } from './qualities.ts';

/**
 * Returns the render of a quality. Requests the render if it is not part of the result.
 *
 * @param index Index of the content item.
 * @throws MillraceApiError, MillraceNetworkError; Error if the quality is no longer available.
 */
export async function readyItem(
  { delivery, label, kind }: Quality,
  query: Query,
  index: number,
  options?: FetchOptions,
): Promise<ReadyItem> {
  if (delivery.by === 'render') return delivery.item;
  const { contents } = await fetchQuality(query, label, options);
  const content = contents?.[index];
  const items = (kind === 'video' ? content?.renderableVideos : content?.renderableAudios) ?? [];
  const ready = items.find((item) => item.renderConfig !== undefined);
  if (ready?.renderConfig === undefined) throw new Error(items[0]?.error ?? noLongerAvailable(label));
  return ready;
}

/**
 * Repeats a query without cached results, and returns the render of the same quality with new links. Throws the same
 * errors as {@link readyItem}.
 */
export async function freshItem(
  query: Query,
  index: number,
  { label, kind }: Pick<Quality, 'label' | 'kind'>,
): Promise<ReadyItem> {
  const { query: actualQuery, result } = await fetchResult(query, { fresh: true });
  const content = result.contents?.[index] ?? {};
  const qualities = qualitiesOf(content, (requested) => canRequestQuality(actualQuery.link, requested));
  const quality = qualities.find((other) => other.label === label && other.kind === kind);
  if (quality === undefined || quality.delivery.by === 'link') throw new Error(noLongerAvailable(label));
  if (quality.delivery.by === 'none') throw new Error(quality.delivery.reason);
  return readyItem(quality, actualQuery, index, { fresh: true });
}

function noLongerAvailable(label: string): string {
  return `${label} is no longer available.`;
}
