import { longCount, shortCount } from '../../words.ts';
import { pictureLink, portraitLink } from '../links.ts';
import { type PageParts, type QueryResult, sitePage } from '../page.ts';
import type { Person } from '../world/people.ts';
import { postCalled } from '../world/posts.ts';
import { storyNode } from './post.ts';
import { dataId, ownerNode } from './video.ts';

/** Returns the page of a profile with the results of one of its tabs. */
export function profileTab(
  person: Person,
  host: string,
  responses: readonly QueryResult[],
  scripts: readonly string[] = [],
): string {
  return sitePage({
    ...headOf(person, host),
    person,
    scripts,
    results: [...(person.kind === 'classic' ? [] : [headerOf(person)]), ...responses],
  });
}

/** Returns a page of a profile that arrived without its data. */
export function headPage(person: Person, host: string): string {
  return sitePage({ ...headOf(person, host), results: [] });
}

/** Returns the first page of a profile: its introduction and its newest post. */
export function profilePage(person: Person, host: string): string {
  const operation = 'ProfilePlusCometLoggedOutRootQuery';
  const empty = { id: person.id, profile_tile_sections: { edges: [] } };
  const delegate = {
    id: person.pageId,
    category_name: 'Science website',
    name: person.name,
    best_description: { text: bioOf(person) },
  };
  const feed = {
    id: person.id,
    timeline_list_feed_units: { edges: [{ node: storyNode(postCalled('880000000000001', person)) }] },
    ...(person.kind === 'page' ? { delegate_page: delegate } : {}),
  };
  return profileTab(person, host, [
    { operation, data: { user: { id: person.id }, mainColumnTiles: { id: person.id } } },
    {
      operation,
      label: `${operation}$defer$ProfileCometTilesFeed_user_2OIZ4h`,
      path: ['mainColumnTiles'],
      data: empty,
    },
    { operation: 'ProfileCometTimelineFeedQuery', data: { user: feed } },
    { operation, label: `${operation}$defer$ProfileCometTilesFeed_user_3QybkC`, path: ['user'], data: introOf(person) },
  ]);
}

function headOf(person: Person, host: string): Pick<PageParts, 'host' | 'path' | 'title' | 'properties'> {
  const { id, name, vanity, followers } = person;
  const app = person.kind === 'classic' ? `fb://page/${id}?referrer=app_link` : `fb://profile/${id}`;
  const likes = `${name}. ${longCount(followers + 660)} likes · ${longCount(followers % 9000)} talking about this. `;
  return {
    host,
    path: `/${vanity}`,
    title: name,
    properties: {
      'al:android:app_name': 'Facebook',
      'al:android:url': app,
      'al:ios:url': app,
      'og:description': `${person.kind === 'person' ? `${name} is on Facebook. ` : likes}${bioOf(person)}`,
      'og:image': portraitLink(person.id, 720),
    },
  };
}

function bioOf({ name }: Person): string {
  return `${name}: bars, tones and test pictures since 2026.`;
}

/** Returns the header of every page of a profile. */
function headerOf(person: Person): QueryResult {
  const { id, followers } = person;
  const tabs = [
    ...(person.without?.includes('about') ? [] : ['About']),
    ...(person.without?.includes('photos') ? [] : ['Photos']),
  ];
  const words = (text: string, path: string) => ({
    text: { text, ranges: [] },
    uri: `https://www.facebook.com/${person.vanity}/${path}/`,
  });
  const user = {
    ...ownerNode({ owner: person }),
    gender: person.kind === 'person' ? 'FEMALE' : 'NEUTER',
    alternate_name: '',
    show_verified_badge_on_profile: person.vanity === 'thelab',
    is_visibly_memorialized: person.memorialized ?? false,
    wem_private_sharing_bundle: {
      private_sharing_control_model_for_user: person.locked ? { private_sharing_enabled: true } : null,
    },
    ...(person.pageId === undefined ? {} : { delegate_page: { is_business_page_active: false, id: person.pageId } }),
    cover_photo: {
      photo: {
        id: `6${id.slice(-8)}`,
        image: { uri: pictureLink(id, 1920, 1080), width: 1920, height: 1080 },
      },
    },
    profilePicLarge: { uri: portraitLink(id, 720) },
    profilePicMedium: { uri: portraitLink(id, 360) },
    profilePicSmall: { uri: portraitLink(id, 144) },
    profile_tabs: {
      profile_user: {
        id,
        timeline_nav_app_sections: {
          edges: tabs.map((name) => ({
            node: {
              name,
              section_type: name.toUpperCase(),
              tab_key: name.toLowerCase(),
              url: `https://www.facebook.com/${person.vanity}/${name.toLowerCase()}`,
              id: dataId('app_section', id, name),
            },
          })),
        },
      },
    },
    profile_social_context: {
      content: [words(`${shortCount(followers)} followers`, 'followers'), words('52 following', 'following')],
    },
  };
  return {
    operation: 'ProfileCometHeaderQuery',
    data: { user: { id, profile_header_renderer: { __typename: 'XFBProfileEntityConvergenceHeaderRenderer', user } } },
  };
}

/** Returns the introduction: a sentence, and lines of known and unknown kinds. */
function introOf(person: Person): Record<string, unknown> {
  const line = (type: string, text: string, url?: string) => ({
    node: {
      __typename: 'TimelineContextItemWrapper',
      id: dataId('timeline_context_item_wrapper', person.id, type, text),
      timeline_context_item: {
        renderer: { context_item: { title: { text, ranges: url === undefined ? [] : [{ entity: { url } }] } } },
        timeline_context_list_item_type: `INTRO_CARD_${type}`,
      },
    },
  });
  const view = (type: string, nodes: readonly unknown[]) => ({
    view_style_renderer: { __typename: type, view: { profile_tile_items: { nodes } } },
  });
  const lines =
    person.kind === 'page'
      ? [
          line('INFLUENCER_CATEGORY', 'Page · Science website'),
          line('CONFIRMED_OWNER_LABEL', 'LAB OF THE WORLD'),
          line('PROFILE_EMAIL', `${person.vanity}@lab.example`),
          line('PROFILE_PHONE', '+1 555-0100'),
          line('ADDRESS', '1 Test Street, Labtown'),
          line('WEBSITE', 'lab.example', 'https://l.facebook.com/l.php?u=https%3A%2F%2Fwww.lab.example%2F&h=x'),
        ]
      : [];
  const nodes = [
    view('ProfileTileViewIntroBioRenderer', [
      { node: { __typename: 'ProfileStatus', id: `1${person.id}`, profile_status_text: { text: bioOf(person) } } },
    ]),
    view('ProfileTileViewContextListRenderer', lines),
  ];
  return {
    id: person.id,
    profile_tile_sections: { edges: [{ node: { profile_tile_section_type: 'INTRO', profile_tile_views: { nodes } } }] },
  };
}
