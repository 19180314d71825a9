import type { QueryResult } from '../page.ts';
import type { Person } from '../world/people.ts';
import { dataId } from './video.ts';

/** Pages of the About tab: the ends of their addresses, and their names. */
export const aboutPages = {
  about_contact_and_basic_info: 'Contact and basic info',
  about_privacy_and_legal_info: 'Privacy and legal info',
  about_profile_transparency: 'Profile transparency',
  about_details: 'Details',
} as const;

export type AboutPage = keyof typeof aboutPages;

/** Returns a page of the About tab. */
export function aboutResponse(person: Person, page: AboutPage): QueryResult {
  const { id, vanity } = person;
  const collection = (name: string) => dataId('app_collection', id, name);
  const all = Object.entries(aboutPages).map(([path, name]) => ({
    name,
    id: collection(path),
    url: `https://www.facebook.com/${vanity}/${path}`,
  }));
  const renderer = {
    __typename: 'TimelineAppCollectionAboutRenderer',
    profile_field_sections: sectionsOf(person, page),
  };
  const node = {
    name: 'About',
    section_type: 'ABOUT',
    id: dataId('app_section', id, 'About'),
    all_collections: { nodes: all },
    activeCollections: { nodes: [{ id: collection(page), style_renderer: renderer }] },
  };
  return {
    operation: 'ProfileCometAboutAppSectionQuery',
    data: { user: { id, about_app_sections: { nodes: [node] } } },
  };
}

function sectionsOf(person: Person, page: AboutPage): unknown[] {
  switch (page) {
    case 'about_contact_and_basic_info':
      return [
        section('category', 'Categories', [field('category', 'Science website')]),
        section('about_contact_info', 'Contact info', [
          field('profile_email', `${person.vanity}@lab.example`, 'Email address'),
          field('profile_phone', '+1 555-0100', 'Mobile'),
          field('address', '1 Test Street, Labtown', 'Address'),
        ]),
        section('websites_and_social_links', 'Websites and social links', [
          field(
            'website',
            'lab.example',
            'Website',
            'https://l.facebook.com/l.php?u=https%3A%2F%2Fwww.lab.example%2F&h=x',
          ),
        ]),
      ];
    case 'about_privacy_and_legal_info':
      return [section('impressum', 'Impressum', [field('impressum', 'The Lab, Labtown')])];
    case 'about_profile_transparency':
      return [section('page_transparency', 'Page transparency', [field('creation_date', '1 January 2026', 'Created')])];
    case 'about_details':
      // The site returns the first page again for some of these addresses.
      return sectionsOf(person, 'about_contact_and_basic_info');
  }
}

function section(type: string, title: string, nodes: readonly unknown[]): unknown {
  return {
    id: dataId('profile_field_section', type),
    title: { text: title },
    field_section_type: type,
    profile_fields: { nodes },
  };
}

function field(type: string, text: string, label?: string, url?: string): unknown {
  const groups = label === undefined ? [] : [{ list_items: [{ heading_type: 'LOW', text: { text: label } }] }];
  return {
    title: { text, ranges: [] },
    field_type: type,
    list_item_groups: groups,
    ...(url === undefined ? {} : { link_url: url }),
  };
}
