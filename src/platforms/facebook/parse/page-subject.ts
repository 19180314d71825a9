import { type PostTarget, recognise } from '../links.ts';
import type { Page } from './page.ts';

const noProperties: Page['properties'] = new Map();

/** Returns whether a page names the target as its subject: in its canonical link or its `og:url`. */
export function isAbout({ id }: Pick<PostTarget, 'id'>, page: Page): boolean {
  return addressesOf(page).some((address) => leadsTo(address, id));
}

/**
 * Returns the `og:` properties of a page, or none if the page names another item as its subject. A page may show several
 * reels, and a profile's page shows posts, but those properties describe only one item.
 */
export function propertiesAbout(target: PostTarget, page: Page): Page['properties'] {
  const isOther = addressesOf(page).some((address) => leadsElsewhere(address, target));
  return isOther && !isAbout(target, page) ? noProperties : page.properties;
}

/** Returns whether a link leads to a profile or to another item of the same kind. */
function leadsElsewhere(address: string, { kind, id }: PostTarget): boolean {
  const link = recognise(address);
  if (link === null || link.kind === 'share') return false;
  if (link.kind === 'profile') return true;
  // Opaque names differ between visitors, and a post has another number than its video.
  return link.kind === kind && [link.id, id].every(isNumber) && link.id !== id;
}

/** Returns whether a segment of a link's path, or a value of its query, begins with an ID as a whole word. */
export function leadsTo(link: string, id: string): boolean {
  return link
    .split(/[/=]/)
    .some((part, index) => index > 0 && part.startsWith(id) && !/^\w/.test(part.slice(id.length)));
}

function addressesOf({ properties, canonical }: Page): string[] {
  return [properties.get('og:url'), canonical].filter((address) => address !== undefined);
}

function isNumber(id: string): boolean {
  return /^\d+$/.test(id);
}
