import { siteOf } from './site.ts';

const number = /^\d{5,25}$/;
const postId = /^(?:\d{5,25}|pfbid\w{10,120})$/;
const name = /^[\w.-]{1,100}$/;

/** First steps of paths that are no profile's name. */
const reserved = new Set(
  (
    'ads ajax api business bookmarks checkpoint dialog directory events friends fundraisers gaming games groups ' +
    'hashtag help home.php l.php legal login login.php marketplace media messages notifications pages people ' +
    'permalink.php photo photo.php photos photos_stream pg places plugins policies privacy profile.php r.php recover ' +
    'reel reels rsrc.php search settings share sharer sharer.php stories story.php video video.php watch'
  ).split(' '),
);

/** The tabs of a profile that have an endpoint of their own. */
const tabs = { about: 'profile/about', photos: 'profile/photos', reels: 'profile/reels' } as const;

const hosts = /^(?:[\w-]{1,20}\.)?facebook\.com$|^(?:www\.)?(?:fb\.com|fb\.watch|fb\.me)$/;

/** What a link leads to; the service is sent the link itself. */
type Kind = 'post/details' | 'profile/details' | (typeof tabs)[keyof typeof tabs];

/** p3. */
export const facebook = siteOf(
  'p3',
  hosts,
  (url) => {
    const endpoint = kindOf(url, true);
    return endpoint === undefined ? undefined : { endpoint, parameters: { url: url.href } };
  },
  (text) =>
    /^\d{15,17}$/.test(text)
      ? { endpoint: 'post/details', parameters: { url: `https://www.facebook.com/reel/${text}` } }
      : undefined,
);

/** @param wrapped Whether it may be a link around another one: not without end. */
function kindOf(url: URL, wrapped: boolean): Kind | undefined {
  if (!hosts.test(url.hostname)) return undefined;
  const steps = url.pathname.split('/').filter((step) => step !== '');
  if (/^(?:www\.)?fb\.(?:watch|me)$/.test(url.hostname)) return steps.length > 0 ? 'post/details' : undefined;
  const query = (key: string) => url.searchParams.get(key) ?? '';
  const [first = '', second = '', third = '', fourth = ''] = steps;
  const last = steps.at(-1) ?? '';
  const post = (is: boolean) => (is ? 'post/details' : undefined);
  const profile = (is: boolean) => (is ? 'profile/details' : undefined);
  switch (first) {
    case 'l':
    case 'l.php':
    case 'login':
    case 'login.php':
    case 'plugins': {
      const inside = query(first === 'l.php' ? 'u' : first === 'plugins' ? 'href' : 'next');
      return wrapped && URL.canParse(inside) ? kindOf(new URL(inside), false) : undefined;
    }
    case 'reel':
      return post(number.test(second));
    case 'watch':
    case 'video.php':
    case 'video':
      return post(number.test(query('v') || query('video_id') || last));
    case 'share':
      return post(second !== '');
    case 'photo':
    case 'photo.php':
      return post(number.test(query('fbid')));
    case 'permalink.php':
    case 'story.php':
      return post(postId.test(query('story_fbid')) && name.test(query('id')));
    case 'groups':
      return post(/^(?:posts|permalink)$/.test(third) && name.test(second) && postId.test(fourth));
    case 'profile.php':
      return profile(number.test(query('id')));
    case 'people':
      return profile(number.test(third));
    case 'pg':
      return profile(isName(second));
    default:
      return isName(first) ? below(second, last, steps.length) : undefined;
  }
}

function isName(text: string): boolean {
  return name.test(text) && !reserved.has(text.toLowerCase());
}

/** What stands below a profile: its posts, videos and photos, else a tab of it, or nothing. */
function below(section: string, last: string, steps: number): Kind | undefined {
  if (steps > 2 && section === 'posts') return postId.test(last) ? 'post/details' : undefined;
  if (steps > 2 && (section === 'videos' || section === 'photos'))
    return number.test(last) ? 'post/details' : undefined;
  return Object.hasOwn(tabs, section) ? tabs[section as keyof typeof tabs] : 'profile/details';
}
