import { defined, dig, list, text, unlessEmpty } from '../../../parsing/values.ts';
import { countKinds, kindOf, type UnreadKinds } from '../../unread.ts';
import { cleanLink } from './clean-link.ts';
import type { Records } from './records.ts';
import { unreadError } from './unread-content.ts';

/** One line of a profile's About tab. */
interface AboutField {
  /** `category`, `profile_email`, `website`, `address` and so on. Unknown types are passed through. */
  readonly type?: string;
  readonly text: string;
  /** The site's label for the line ("Email address"). */
  readonly label?: string;
  readonly url?: string;
}

/** Lines under one heading. */
export interface AboutSection {
  readonly type?: string;
  readonly title?: string;
  readonly fields: readonly AboutField[];
}

/** A page of the About tab: its sections, and the list of the tab's pages. */
export interface About {
  readonly sections: readonly AboutSection[];
  readonly pages: readonly AboutPage[];
  /** Sections and lines of unknown kinds. */
  readonly unread: UnreadKinds;
}

/** A page of the About tab. */
export interface AboutPage {
  readonly name: string;
  readonly url: string;
  /** Whether this is the page that was read. */
  readonly active: boolean;
}

const MAX_ENTRIES = 200;

/**
 * Reads a page of the About tab. Returns undefined if the response contains no such page.
 *
 * @throws UnreadResponseError if the page has content, but only of unknown kinds.
 */
export function readAbout(records: Records): About | undefined {
  const nodes = records.having('about_app_sections').flatMap((user) => list(dig(user, 'about_app_sections', 'nodes')));
  if (nodes.length === 0) return undefined;
  const groups = records.having('profile_field_sections').flatMap((copy) => list(copy.profile_field_sections));
  const active = nodes.flatMap((node) => list(dig(node, 'activeCollections', 'nodes')).map((page) => dig(page, 'id')));
  const pages = nodes.flatMap((node) => list(dig(node, 'all_collections', 'nodes'))).slice(0, MAX_ENTRIES);
  const sections = groups.slice(0, MAX_ENTRIES).flatMap(readSection);
  const unread = countKinds([...groups.flatMap(unreadSection), ...(groups.length > 0 ? [] : unreadStyles(nodes))]);
  if (sections.length === 0 && Object.keys(unread).length > 0) throw unreadError(unread);
  return {
    sections,
    unread,
    pages: pages.flatMap((page) => {
      const [name, url] = [text(dig(page, 'name')), cleanLink(dig(page, 'url'))];
      return name === undefined || url === undefined ? [] : [{ name, url, active: active.includes(dig(page, 'id')) }];
    }),
  };
}

/** Returns the kinds of the lines in a section that cannot be read, or of a section without a list of lines. */
function unreadSection(section: unknown): string[] {
  const lines = dig(section, 'profile_fields', 'nodes');
  if (!Array.isArray(lines)) return [text(dig(section, 'field_section_type')) ?? 'about_section'];
  return lines.slice(0, MAX_ENTRIES).flatMap((line: unknown) => {
    const kind = text(dig(line, 'field_type')) ?? kindOf(line, 'about_line');
    return readField(line).length === 0 ? [kind] : [];
  });
}

/** Returns the kinds of the displayed parts of a page that has no sections. */
function unreadStyles(nodes: readonly unknown[]): string[] {
  return nodes
    .flatMap((node) => list(dig(node, 'activeCollections', 'nodes')))
    .map((collection) => dig(collection, 'style_renderer'))
    .filter((style) => style != null)
    .map((style) => kindOf(style, 'about_page'));
}

function readSection(section: unknown): AboutSection[] {
  const entries = list(dig(section, 'profile_fields', 'nodes'))
    .slice(0, MAX_ENTRIES)
    .flatMap(readField);
  if (entries.length === 0) return [];
  const type = text(dig(section, 'field_section_type'));
  return [{ ...defined({ type, title: text(dig(section, 'title', 'text')) }), fields: entries }];
}

function readField(field: unknown): AboutField[] {
  const words = text(dig(field, 'title', 'text')) ?? text(dig(field, 'renderer', 'field', 'text_content', 'text'));
  if (words === undefined) return [];
  const labels = list(dig(field, 'list_item_groups')).flatMap((group) =>
    list(dig(group, 'list_items')).flatMap((item) => text(dig(item, 'text', 'text')) ?? []),
  );
  return [
    {
      text: words,
      ...defined({
        type: text(dig(field, 'field_type')),
        label: unlessEmpty(labels)?.join(', '),
        url: cleanLink(dig(field, 'link_url')),
      }),
    },
  ];
}

/** Returns the most requested lines, by name. */
export function contactsOf(sections: readonly AboutSection[]) {
  const all = sections.flatMap(({ fields }) => fields);
  const of = (...types: readonly string[]) => all.filter(({ type }) => type !== undefined && types.includes(type));
  const texts = (...types: readonly string[]) =>
    unlessEmpty([...new Set(of(...types).map(({ text: words }) => words))]);
  return defined({
    categories: texts('category'),
    emails: texts('profile_email', 'email'),
    phones: texts('profile_phone', 'phone'),
    addresses: texts('address'),
    websites: unlessEmpty([...new Set(of('website').map(({ text: words, url }) => url ?? words))]),
  });
}
