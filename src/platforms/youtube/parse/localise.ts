import type { ItemList } from './list.ts';
import { readPage } from './list.ts';

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
  if (localised === undefined) return page;
  const translated = new Map(readPage(localised).items.map((item) => [item.id, item]));
  const items = page.items.map((item) => {
    const { title, description, shelf } = textsOf(translated.get(item.id));
    return {
      ...item,
      ...('title' in item && title !== undefined ? { title } : {}),
      ...('description' in item && description !== undefined ? { description } : {}),
      ...(item.shelf !== undefined && shelf !== undefined ? { shelf } : {}),
    };
  });
  return { ...page, items };
}

function textsOf(item: ItemList['items'][number] | undefined): {
  readonly title?: string;
  readonly description?: string;
  readonly shelf?: string;
} {
  return item ?? {};
}

/** What a caller is told of entries that could not be read. */
export function skippedNotes({ skipped }: Pick<ItemList, 'skipped'>): readonly string[] {
  return Object.entries(skipped).map(
    ([kind, number]) => `Left out: ${number} ${number === 1 ? 'entry' : 'entries'} of a kind not known yet (${kind}).`,
  );
}
