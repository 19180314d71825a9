import type { ExtractedContent } from '../../../../src/contract/envelope.ts';
import type { ListItem } from '../../../../src/contract/metadata.ts';
import type { ExtractionResponse } from '../extraction.ts';
import { isObject } from '../http/error-response.ts';
import { defined, listAt, textAt } from '../read-members.ts';
import type { CollectionEntryKind, EntryFacts } from './collection-entry.ts';
import { entryOfListItem } from './list-item-entry.ts';

/** Returns an entry for each item of a result: of a carousel, a pin with several pages, or a single video. */
export function contentEntries(result: ExtractionResponse): readonly EntryFacts[] {
  const { contents = [], metadata } = result;
  const facts = defined({ title: metadata.title, author: textAt(metadata.author, 'name') });
  return contents.map((content, index) => ({
    kind: kindOf(content),
    ...facts,
    ...defined({ thumbnailUrl: content.images?.[0]?.url ?? (index === 0 ? metadata.thumbnailUrl : undefined) }),
    content: { result, index },
  }));
}

/**
 * Returns an entry for each attachment of a p1 post. Its result has no `contents`: images have only an address, and
 * videos and playlists have a link.
 */
export function attachmentEntries({ metadata: { post } }: ExtractionResponse): readonly EntryFacts[] {
  const author = defined({ author: textAt(post, 'channel', 'name') });
  const images = listAt(post, 'images').flatMap((image): readonly EntryFacts[] => {
    const thumbnailUrl = textAt(image, 'thumbnails', 0, 'url');
    return [{ kind: 'image', ...author, ...defined({ url: textAt(image, 'url'), thumbnailUrl }) }];
  });
  const media = [post?.video, post?.playlist].filter(isListItem).map(entryOfListItem);
  return [...images, ...media];
}

function kindOf({ videos, images }: ExtractedContent): CollectionEntryKind {
  if (videos !== undefined) return 'video';
  return images === undefined ? 'other' : 'image';
}

function isListItem(value: unknown): value is ListItem {
  return isObject(value) && typeof value.type === 'string' && typeof value.id === 'string';
}
