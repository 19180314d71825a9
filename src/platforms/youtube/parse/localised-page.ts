import { defined } from '../../../parsing/values.ts';
import { type ItemList, readPage, requirePage } from './item-list.ts';
import type { ListItem, PostItem } from './items/list-item.ts';

/**
 * Reads the items of a response, with titles, descriptions and shelf names from the same response in the caller's
 * language. Counts and dates come from the English response, because only English is parsed.
 *
 * @throws MillraceError the errors of {@link requirePage}.
 */
export function readLocalisedPage({
  response,
  translation,
}: {
  readonly response: unknown;
  readonly translation?: unknown;
}): ItemList {
  const page = requirePage(response);
  return translation === undefined ? page : { ...page, items: localiseItems(page.items, readPage(translation).items) };
}

/** Replaces the texts of items with those of the same ID in another language. */
export function localiseItems(items: ItemList['items'], translations: ItemList['items']): ItemList['items'] {
  const byId = new Map(translations.map((item) => [item.id, item]));
  return items.map((item) => localise(item, byId.get(item.id)));
}

function localise<Item extends ListItem>(item: Item, translation: ListItem | undefined): Item {
  if (translation === undefined || translation.id !== item.id) return item;
  const { title, description, shelf } = textsOf(translation);
  return {
    ...item,
    ...('title' in item && title !== undefined ? { title } : {}),
    ...('description' in item && description !== undefined ? { description } : {}),
    ...(item.shelf !== undefined && shelf !== undefined ? { shelf } : {}),
    ...(item.type === 'post' && translation.type === 'post' ? localiseParts(item, translation) : {}),
  };
}

/** Localises a post's attachments, which have titles. The post itself stays in its author's language. */
function localiseParts({ video, playlist, sharedPost }: PostItem, translation: PostItem) {
  return defined({
    video: video && localise(video, translation.video),
    playlist: playlist && localise(playlist, translation.playlist),
    sharedPost: sharedPost && localise(sharedPost, translation.sharedPost),
  });
}

function textsOf(item: ListItem): { readonly title?: string; readonly description?: string; readonly shelf?: string } {
  return item;
}
