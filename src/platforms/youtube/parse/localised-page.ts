import { defined } from '../../../parsing/values.ts';
import type { ListItem, PostItem } from './items/list-item.ts';
import { type ItemList, readPage } from './item-list.ts';

/**
 * The items of an answer with the texts of the same answer in the caller's language: titles, descriptions and names of
 * shelves. Counts and dates stay those of the English answer, which alone can be parsed.
 */
export function readLocalisedPage({
  answer,
  localised,
}: {
  readonly answer: unknown;
  readonly localised?: unknown;
}): ItemList {
  const page = readPage(answer);
  return localised === undefined ? page : { ...page, items: localiseItems(page.items, readPage(localised).items) };
}

/** Items with the texts of those of the same id in another language. */
export function localiseItems(items: ItemList['items'], translated: ItemList['items']): ItemList['items'] {
  const byId = new Map(translated.map((item) => [item.id, item]));
  return items.map((item) => localise(item, byId.get(item.id)));
}

function localise<Item extends ListItem>(item: Item, translated: ListItem | undefined): Item {
  if (translated === undefined || translated.id !== item.id) return item;
  const { title, description, shelf } = textsOf(translated);
  return {
    ...item,
    ...('title' in item && title !== undefined ? { title } : {}),
    ...('description' in item && description !== undefined ? { description } : {}),
    ...(item.shelf !== undefined && shelf !== undefined ? { shelf } : {}),
    ...(item.type === 'post' && translated.type === 'post' ? localiseParts(item, translated) : {}),
  };
}

/** What a post shows has titles; the post itself is its author's own. */
function localiseParts({ video, playlist, sharedPost }: PostItem, translated: PostItem) {
  return defined({
    video: video && localise(video, translated.video),
    playlist: playlist && localise(playlist, translated.playlist),
    sharedPost: sharedPost && localise(sharedPost, translated.sharedPost),
  });
}

function textsOf(item: ListItem): { readonly title?: string; readonly description?: string; readonly shelf?: string } {
  return item;
}

/** What a caller is told of entries that could not be read. */
export function skippedNotes({ skipped }: Pick<ItemList, 'skipped'>): readonly string[] {
  return Object.entries(skipped).map(
    ([kind, number]) => `Left out: ${number} ${number === 1 ? 'entry' : 'entries'} of a kind not known yet (${kind}).`,
  );
}
