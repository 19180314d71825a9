import { defined, type Fields, isFields } from '../../parsing/values.ts';
import { setting } from '../../settings/setting.ts';
import { desktopBrowser } from '../browsers.ts';
import { headerText, jsonChanges, listOf, type MemberReader, membersOf, oneOf, textLike } from '../json-changes.ts';

/** Sources of a post, in the order in which they are tried by default. */
export const postSources = ['page', 'graphql', 'clips', 'shortcode', 'embed'] as const;

/** Sources of a profile, in the order in which they are tried by default. `head` is the head of the page. */
export const profileSources = ['page', 'api', 'head'] as const;

/** One of the site's queries. */
export interface Query {
  /** Its document ID. */
  readonly docId: string;
  /** Its variables. The texts `{mediaId}` and `{shortcode}` stand for those of the post. */
  readonly variables: Fields;
  /** Names of its flags, each of which is sent as a further variable with the value in the page, or else false. */
  readonly flags: readonly string[];
}

/** A query that is sent with its name. An ID in the page under this name takes precedence. */
export interface NamedQuery extends Query {
  readonly name: string;
}

/** Request details that change with Instagram. */
export interface Site {
  readonly userAgent: string;
  /** `X-IG-App-ID` of the site's web client. */
  readonly appId: string;
  /** `X-ASBD-ID`. */
  readonly asbdId: string;
  readonly queries: {
    /** Returns one post to signed-out visitors. */
    readonly post: NamedQuery;
    /**
     * Returns a reel and the reels after it. It is sent without a name and without a shortcode. An ID and flags in the
     * page take precedence.
     */
    readonly clips: Query;
    /** The older query for a post by its shortcode. */
    readonly shortcode: NamedQuery;
  };
  readonly postSources: readonly (typeof postSources)[number][];
  readonly profileSources: readonly (typeof profileSources)[number][];
}

/**
 * Values last seen to work: user agent, IDs and the query `post` in 2026-10, `clips` in 2026-08. Since about 2026-06,
 * `shortcode` returns null for posts that exist (instaloader 2706), so its null says nothing about a post.
 */
export const defaultSite: Site = {
  userAgent: desktopBrowser,
  appId: '936619743392459',
  asbdId: '359341',
  queries: {
    post: {
      name: 'PolarisLoggedOutDesktopWWWPostRootContentQuery',
      docId: '27130156389949648',
      variables: { media_id: '{mediaId}' },
      flags: [],
    },
    clips: {
      docId: '27695069083459414',
      variables: { data: { chaining_mode: 'same_author', clips_media_id: '{mediaId}' } },
      flags: ['PolarisReelsRecoDebugOverlayEnabled', 'PolarisShortDramaEnabled'],
    },
    shortcode: {
      name: 'PolarisPostActionLoadPostQueryQuery',
      docId: '8845758582119845',
      variables: {
        shortcode: '{shortcode}',
        fetch_tagged_user_count: null,
        hoisted_comment_id: null,
        hoisted_reply_id: null,
      },
      flags: [],
    },
  },
  postSources,
  profileSources,
};

const number = textLike(/^\d{1,25}$/, '1 to 25 digits');
const name = textLike(/^\w{1,150}$/, '1 to 150 letters, digits and underscores');

const variables: MemberReader<Fields> = (value, member) => {
  if (isFields(value) && JSON.stringify(value).length <= 4_000) return value;
  throw new Error(`has an invalid ${member}: it must be an object of at most 4000 characters`);
};

const queryReaders = { docId: number, variables, flags: listOf(name, 40, 0) };

const namedQuery = membersOf<NamedQuery>({ ...queryReaders, name });

interface SiteChanges extends Omit<Site, 'queries'> {
  readonly queries: { readonly [Name in keyof Site['queries']]?: Partial<Site['queries'][Name]> };
  /** Older members for the document IDs of queries. */
  readonly postDocId: string;
  readonly clipsDocId: string;
  readonly shortcodeDocId: string;
}

const readChanges = jsonChanges<SiteChanges>({
  userAgent: headerText,
  appId: number,
  asbdId: number,
  queries: membersOf<Required<SiteChanges['queries']>>({
    post: namedQuery,
    clips: membersOf<Query>(queryReaders),
    shortcode: namedQuery,
  }),
  postSources: listOf(oneOf(postSources), postSources.length),
  profileSources: listOf(oneOf(profileSources), profileSources.length),
  postDocId: number,
  clipsDocId: number,
  shortcodeDocId: number,
});

/** The setting that overrides parts of {@link Site}. */
export const siteSetting = setting({
  description: 'JSON that changes the requests to p2: {"userAgent":"…","queries":{"post":{"docId":"271…"}}}.',
  default: 'the built-in values',
  fallback: () => defaultSite,
  read(text): Site {
    const { queries, postDocId, clipsDocId, shortcodeDocId, ...changes } = readChanges(text);
    const { post, clips, shortcode } = defaultSite.queries;
    return {
      ...defaultSite,
      ...changes,
      queries: {
        post: { ...post, ...defined({ docId: postDocId }), ...queries?.post },
        clips: { ...clips, ...defined({ docId: clipsDocId }), ...queries?.clips },
        shortcode: { ...shortcode, ...defined({ docId: shortcodeDocId }), ...queries?.shortcode },
      },
    };
  },
});
