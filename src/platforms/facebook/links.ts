import { queryParameter } from '../../contract/query-parameters.ts';
import { type LinkTarget, type PlatformLinks, pathSegments, webUrl } from '../link-target.ts';

/** A link to a post, with the address of its page. */
interface ItemLink {
  readonly id: string;
  /** The name or number of the profile or group that the link contains. Any name leads to most items. */
  readonly owner?: string;
  readonly url: string;
}

/** The meaning of a Facebook link. */
export type FacebookLink =
  /** A video or reel, by its number. */
  | (ItemLink & { readonly kind: 'video' })
  /** A post, by its number or an opaque `pfbid…` name. */
  | (ItemLink & { readonly kind: 'post' })
  | (ItemLink & { readonly kind: 'photo' })
  /** A short link, which only the site can resolve. */
  | { readonly kind: 'share'; readonly url: string }
  /** A profile or page, by its name or number, and the tab that the link opens. */
  | {
      readonly kind: 'profile';
      readonly vanity?: string;
      readonly id?: string;
      readonly tab?: ProfileTab;
      readonly url: string;
    };

/** A link to a video, a photo or a post. */
export type PostTarget = Extract<FacebookLink, { kind: 'video' | 'photo' | 'post' }>;

/** Profile tabs that have their own endpoint. */
const profileTabs = ['about', 'photos', 'reels'] as const;

/** A tab of {@link profileTabs}. */
type ProfileTab = (typeof profileTabs)[number];

/** The site's main address. */
export const SITE = 'https://www.facebook.com';

const siteHost = /^(?:[\w-]{1,20}\.){0,2}facebook\.com$|^(?:(?:www|m)\.)?fb\.com$/;

/** Hosts of short links. `fb.gg` belongs to its gaming videos. */
const shortHost = /^(?:www\.)?fb\.(?:watch|me|gg)$/;

/** Pattern of a post ID: a number, or an opaque name. */
const postId = /^(?:\d{5,25}|pfbid\w{10,120})$/;
const number = /^\d{5,25}$/;
const vanityName = /^[\w.-]{1,100}$/;

/** First path segments that are not profile names. */
const reserved = new Set(
  (
    'ads ajax api business bookmarks checkpoint dialog directory events friends fundraisers gaming games groups ' +
    'hashtag help home.php l.php legal login login.php marketplace media messages notifications pages people ' +
    'permalink.php photo photo.php photos photos_stream pg places plugins policies privacy profile.php r.php recover ' +
    'reel reels rsrc.php search settings share sharer sharer.php stories story.php video video.php watch'
  ).split(' '),
);

/** Returns whether a host belongs to the site. */
export function isSiteHost(host: string): boolean {
  return siteHost.test(host) || shortHost.test(host);
}

/** Returns whether a host serves the site's pages, rather than short links. */
export function isMainHost(host: string): boolean {
  return siteHost.test(host);
}

/** Returns the meaning of a link, or null if it leads to another site or to a page that no endpoint reads. */
export function recognise(link: string): FacebookLink | null {
  const url = addressOf(link);
  return url === null ? null : linkIn(url);
}

/** Parses a text as a link, which may lack its `https://`. */
export function addressOf(link: string): URL | null {
  return webUrl(/^https?:\/\//i.test(link) ? link : `https://${link}`);
}

/** Returns the shortest address with the meaning of a link, including the owner that it names. */
export function canonicalUrl(link: FacebookLink): string {
  if (link.kind === 'video' && link.owner !== undefined) return `${SITE}/${link.owner}/videos/${link.id}`;
  if (link.kind === 'photo' && link.owner !== undefined) {
    return link.url.replace(`${SITE}/photo/`, `${SITE}/${link.owner}/photos/${link.id}`);
  }
  return link.url;
}

/** The link readers of Facebook. */
export const facebook: PlatformLinks = {
  id: 'p3',
  name: 'Facebook',
  idRank: 5,
  ofLink(url) {
    const link = linkIn(url);
    // The endpoint receives the whole link and parses it again.
    return link === null ? undefined : { endpoint: endpointOf(link), parameters: { url: url.href } };
  },
  ofId: (text) =>
    /^\d{15,17}$/.test(text) ? { endpoint: 'post/details', parameters: { url: reelUrl(text) } } : undefined,
};

function endpointOf(link: FacebookLink): LinkTarget['endpoint'] {
  if (link.kind !== 'profile') return 'post/details';
  return `profile/${link.tab ?? 'details'}`;
}

function linkIn(url: URL): FacebookLink | null {
  if (!isSiteHost(url.hostname)) return null;
  if (shortHost.test(url.hostname)) {
    return isShortPath(url) ? { kind: 'share', url: `https://${url.hostname}${url.pathname}` } : null;
  }
  const inside = queryParameter(url, url.pathname === '/l.php' ? 'u' : 'next');
  if (/^\/(?:l|login|login\.php)\/?$/.test(url.pathname) || url.pathname === '/l.php') {
    const target = inside === undefined ? null : addressOf(inside);
    // Prevents endless nesting: a wrapped link must not contain another wrapped link.
    return target === null || target.pathname === '/l.php' || target.pathname.startsWith('/login')
      ? null
      : linkIn(target);
  }
  return ofPath(url);
}

function ofPath(url: URL): FacebookLink | null {
  const segments = pathSegments(url);
  const query = (name: string) => queryParameter(url, name) ?? '';
  const [first = '', second = '', third = ''] = segments;
  const last = segments.at(-1) ?? '';
  switch (first) {
    case 'reel':
    case 'reels':
      return video(second);
    case 'watch':
    case 'video.php':
    case 'video':
      return video(query('v') || query('video_id') || last);
    case 'plugins': {
      const target = addressOf(query('href'));
      return target === null || target.pathname.startsWith('/plugins/') ? null : linkIn(target);
    }
    case 'share':
      return isShortPath(url) && second !== '' ? { kind: 'share', url: `${SITE}${url.pathname}` } : null;
    case 'photo':
    case 'photo.php':
      return photo(query('fbid'), query('set'));
    case 'permalink.php':
    case 'story.php':
      return story(query('story_fbid'), query('id'));
    case 'groups':
      return groupPost(url, second, third, segments[3] ?? '');
    case 'profile.php':
      return profileOfNumber(query('id'));
    case 'people':
      return profileOfNumber(third);
    case 'p':
      return profileOfNumber(/-(\d{5,25})$/.exec(second)?.[1] ?? '');
    case 'pg':
      return profileOfName(second);
    default:
      return reserved.has(first.toLowerCase()) ? null : below(first, second, segments, query('set'));
  }
}

/** Returns the target of a path below a profile: a post, video, photo or tab, or null. */
function below(owner: string, section: string, segments: readonly string[], set: string): FacebookLink | null {
  const last = segments.at(-1) ?? '';
  if (!vanityName.test(owner)) return null;
  if (section === 'posts') return segments.length > 2 ? post(last, `/${owner}/posts/`, owner) : profileOfName(owner);
  if (/^(?:videos|reels?)$/.test(section) && segments.length > 2) return video(last, owner);
  if (section === 'photos' && segments.length > 2) {
    return photo(last, set || (segments.length > 3 ? segments[2] : ''), owner);
  }
  const profile = profileOfName(owner);
  const tab = profileTabs.find((name) => name === section);
  return profile === null || tab === undefined ? profile : { ...profile, tab };
}

/** Returns a post in a group. Links of the mobile site and of notifications name it in the query. */
function groupPost(url: URL, group: string, section: string, id: string): FacebookLink | null {
  if (!vanityName.test(group)) return null;
  const named =
    queryParameter(url, 'view') === 'permalink' ? queryParameter(url, 'id') : queryParameter(url, 'multi_permalinks');
  return post(/^(?:posts|permalink)$/.test(section) ? id : (named ?? ''), `/groups/${group}/posts/`, group);
}

function video(id: string, owner?: string): FacebookLink | null {
  return number.test(id) ? { kind: 'video', id, ...ownedBy(owner), url: reelUrl(id) } : null;
}

function reelUrl(id: string): string {
  return `${SITE}/reel/${id}`;
}

function photo(id: string, set = '', owner?: string): FacebookLink | null {
  if (!number.test(id)) return null;
  const query = new URLSearchParams({ fbid: id, ...(/^[\w.-]{1,100}$/.test(set) ? { set } : {}) });
  return { kind: 'photo', id, ...ownedBy(owner), url: `${SITE}/photo/?${query}` };
}

function post(id: string, path: string, owner: string): FacebookLink | null {
  return postId.test(id) ? { kind: 'post', id, owner, url: `${SITE}${path}${id}` } : null;
}

function story(id: string, owner: string): FacebookLink | null {
  if (!postId.test(id) || !vanityName.test(owner)) return null;
  return {
    kind: 'post',
    id,
    owner,
    url: `${SITE}/permalink.php?${new URLSearchParams({ story_fbid: id, id: owner })}`,
  };
}

function ownedBy(owner: string | undefined): Pick<ItemLink, 'owner'> {
  return owner === undefined ? {} : { owner };
}

function profileOfNumber(id: string): Extract<FacebookLink, { kind: 'profile' }> | null {
  return number.test(id) ? { kind: 'profile', id, url: `${SITE}/profile.php?id=${id}` } : null;
}

function profileOfName(name: string): Extract<FacebookLink, { kind: 'profile' }> | null {
  if (number.test(name)) return profileOfNumber(name);
  if (!vanityName.test(name) || reserved.has(name.toLowerCase())) return null;
  return { kind: 'profile', vanity: name, url: `${SITE}/${name}` };
}

/**
 * Returns whether a path can be that of a short link. Text that follows one has other characters. The maximum is several
 * times what the site uses, because sealed links contain the path.
 */
function isShortPath({ pathname }: URL): boolean {
  return /^\/[\w./~-]{1,200}$/.test(pathname);
}
