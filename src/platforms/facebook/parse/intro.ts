import { defined, dig, type Fields, fields, list, text, unlessEmpty } from '../../../parsing/values.ts';
import { countKinds, kindOf, type UnreadKinds } from '../../unread.ts';
import { cleanLink } from './clean-link.ts';
import type { Records } from './records.ts';

/** An entry of a profile's introduction without a dedicated member. */
interface IntroEntry {
  readonly type: string;
  readonly text: string;
  readonly url?: string;
}

const MAX_ENTRIES = 200;

/** Tiles that are read, or that only repeat what a tab has. */
const knownTiles = new Set([
  'ProfileTileViewIntroBioRenderer',
  'ProfileTileViewContextListRenderer',
  'ProfileTileViewPhotoGridRenderer',
]);

/** Counts the tiles and the lines of a profile's introduction that have an unknown kind. */
export function unreadTiles(records: Records): UnreadKinds {
  const views = records
    .having('profile_tile_views')
    .flatMap((section) => list(dig(section, 'profile_tile_views', 'nodes')))
    .slice(0, MAX_ENTRIES)
    .map((view) => dig(view, 'view_style_renderer'))
    // A section has an empty view for its heading.
    .filter((renderer) => renderer != null);
  const kinds = views.flatMap((renderer) => {
    const kind = kindOf(renderer, 'profile_tile');
    if (!knownTiles.has(kind)) return [kind];
    if (kind !== 'ProfileTileViewContextListRenderer') return [];
    const lines = dig(renderer, 'view', 'profile_tile_items', 'nodes');
    return Array.isArray(lines) ? lines.slice(0, MAX_ENTRIES).flatMap(unreadLine) : [kind];
  });
  return countKinds([...kinds, ...unreadSections(records)]);
}

/** Returns the kinds of sections without tiles. A page without an introduction has an empty list. */
function unreadSections(records: Records): string[] {
  const all = records.having('profile_tile_sections').map((copy) => dig(copy, 'profile_tile_sections', 'edges'));
  const hasResult = records.roots.some(({ operation }) => operation === 'ProfilePlusCometLoggedOutRootQuery');
  if (!all.some(Array.isArray)) return hasResult ? ['ProfilePlusCometLoggedOutRootQuery'] : [];
  return all
    .flatMap((edges) => list(edges))
    .map((edge) => dig(edge, 'node'))
    .filter((section) => section !== null && !Array.isArray(dig(section, 'profile_tile_views', 'nodes')))
    .map((section) => text(dig(section, 'profile_tile_section_type')) ?? kindOf(section, 'profile_section'));
}

function unreadLine(line: unknown): string[] {
  const item = fields(dig(line, 'node', 'timeline_context_item'));
  return readEntry(item) === undefined ? [kindOf(dig(line, 'node'), kindOf(item, 'profile_line'))] : [];
}

/** Reads the introduction that a profile's page displays to guests: category, location and contact details. */
export function readIntro(records: Records) {
  const bio = records.having('profile_status_text').map((copy) => text(dig(copy, 'profile_status_text', 'text')));
  const entries = records
    .having('timeline_context_list_item_type')
    .slice(0, MAX_ENTRIES)
    .flatMap((item) => readEntry(item) ?? []);
  const first = (type: string) => entries.find((entry) => entry.type === type)?.text;
  const websites = entries.filter(({ type }) => type === 'website').map((entry) => entry.url ?? entry.text);
  return defined({
    description: bio.find((words) => words !== undefined),
    // "Page · Government organisation": the first word is the profile's type.
    category: first('influencer_category')?.replace(/^[^·]{1,30} · /, ''),
    email: first('profile_email'),
    phone: first('profile_phone'),
    address: first('address'),
    websites: unlessEmpty([...new Set(websites)]),
    intro: unlessEmpty(entries),
  });
}

function readEntry(item: Fields): IntroEntry | undefined {
  const type = text(item.timeline_context_list_item_type)?.replace('INTRO_CARD_', '');
  const title = dig(item, 'renderer', 'context_item', 'title');
  const words = text(dig(title, 'text')) ?? text(dig(item, 'renderer', 'wa_number'));
  if (type === undefined || words === undefined) return undefined;
  const url = list(dig(title, 'ranges'))
    .map((range) => cleanLink(dig(range, 'entity', 'url')))
    .find(Boolean);
  return { type: type.toLowerCase(), text: words, ...(url === undefined ? {} : { url }) };
}
