import type { ExtractedContent, ExtractionResponse, MediaItem } from '#client/index.ts';
import { saveLink } from '../common/save-link.ts';
import { startRender } from '../downloads/renders.ts';
import type { ReadyItem } from '../qualities/qualities.ts';
import { requestRender } from '../qualities/request-render.ts';
import { freshMedia } from '../query/fresh-media.ts';
import { titleOf } from '../query/media-facts.ts';
import { addressOf, type Query } from '../query/query.ts';
import { isLinkExpired } from '../query/same-media.ts';
import type { WantedFile } from '../query/wanted-file.ts';
import { type ItemOptions, optionParameters } from '../tools/item-options.ts';
import type { Choice } from './choices.ts';

/** A content item of a result. */
export interface ContentItem {
  readonly query: Query;
  readonly result: ExtractionResponse;
  readonly content: ExtractedContent;
}

/**
 * Gets the file of a choice: saves a complete file through its link, or starts a render. Returns the ID of the render;
 * undefined for a file that needs no render.
 *
 * @throws MillraceApiError, MillraceNetworkError; Error if the file is not available.
 */
export async function getFile(item: ContentItem, choice: Choice, options: ItemOptions): Promise<string | undefined> {
  if (choice.kind === 'image') {
    await saveMedia(item, choice.item);
    return undefined;
  }
  const parameters = optionParameters(options);
  const plain = Object.keys(parameters).length === 0;
  if (choice.kind === 'audio') return render(item, { kind: 'audio', label: choice.format, parameters });
  const { label, name, delivery, bytes } = choice.quality;
  if (plain && delivery.by === 'link') {
    await saveMedia(item, delivery.item);
    return undefined;
  }
  const wanted: WantedFile = { kind: 'video', label, ...(plain ? {} : { parameters }) };
  const ready = plain && delivery.by === 'render' ? delivery.item : undefined;
  // The size is that of the whole item.
  return render(item, wanted, { ready, name, bytes: plain ? bytes : undefined });
}

/**
 * Saves the file of a media item. Replaces its link first if it has expired.
 *
 * @throws MillraceApiError, MillraceNetworkError; Error if the result no longer has the item.
 */
async function saveMedia(item: ContentItem, media: MediaItem): Promise<void> {
  const { url } = isLinkExpired(media) ? await freshMedia(item, media) : media;
  saveLink(url);
}

/** Facts about a file that need no request. */
interface KnownFacts {
  readonly ready?: ReadyItem | undefined;
  /** Name of its quality. */
  readonly name?: string;
  readonly bytes?: number | undefined;
}

async function render(
  { query, result, content }: ContentItem,
  wanted: WantedFile,
  { ready, name, bytes }: KnownFacts = {},
): Promise<string> {
  const index = result.contents?.indexOf(content) ?? 0;
  const { repId, renderConfig } = ready ?? (await requestRender(query, index, wanted));
  await startRender({
    ...wanted,
    id: repId,
    title: titleOf(result),
    platform: query.link.platform,
    source: addressOf(query),
    content: index,
    executionUrl: renderConfig.executionUrl,
    bytes,
    ...(name === undefined ? {} : { name }),
  });
  return repId;
}
