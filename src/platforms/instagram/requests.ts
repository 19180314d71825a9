import { MillraceError } from '../../contract/errors.ts';
import type { ExtractionContext, SourceClient, SourceResponse } from '../platform.ts';
import { validSiteUrl } from '../site-urls.ts';
import { isInstagramHost, mediaIdOf } from './links.ts';
import type { Session } from './parse/page.ts';
import { flagVariable, type PageQueries } from './parse/page-queries.ts';
import type { NamedQuery, Query, Site } from './site.ts';

const SITE = 'https://www.instagram.com';

/**
 * The requests to Instagram, one function per address. Each has a short timeout; those of a post's fallback chain add
 * up to 24 seconds. They all throw the errors of {@link SourceClient}, and `unexpected_redirect` for a response from
 * another site.
 */
export interface InstagramRequests {
  readonly site: Site;
  page(path: string): Promise<SourceResponse>;
  /** Requests the home page, for its session. */
  home(): Promise<SourceResponse>;
  /**
   * Requests the page that other sites embed in a frame. It has data for videos and carousels (reported by two other
   * programs in 2026-09 and 2026-10), and none for single photos.
   */
  embed(code: string): Promise<SourceResponse>;
  /** Requests a short link. Its target is the response's `location`. */
  share(url: string): Promise<SourceResponse>;
  ruling(mediaId: string): Promise<SourceResponse>;
  post(mediaId: string, code: string, session: Session): Promise<SourceResponse>;
  /** @param declared The queries and flags of the post's page, which take precedence over those of the site settings. */
  clips(mediaId: string, declared: PageQueries): Promise<SourceResponse>;
  byShortcode(code: string, session: Session): Promise<SourceResponse>;
  profile(username: string): Promise<SourceResponse>;
  music(audioId: string, cursor: string, session: Session): Promise<SourceResponse>;
}

/** Creates the requests of one extraction. */
export type OpenRequests = (context: ExtractionContext) => InstagramRequests;

/** Creates the requests to the site. */
export function createRequests(anySource: SourceClient, site: Site): InstagramRequests {
  const source: SourceClient = {
    get: async (url, options) => fromInstagram(await anySource.get(url, options)),
    post: async (url, body, options) => fromInstagram(await anySource.post(url, body, options)),
  };
  const language = { 'user-agent': site.userAgent, 'accept-language': 'en-US,en;q=0.9' };
  // Without a browser's navigation headers, the site sends an empty shell (seen 2026-10).
  const navigation = {
    ...language,
    accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'sec-fetch-dest': 'document',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-site': 'none',
    'sec-fetch-user': '?1',
    'upgrade-insecure-requests': '1',
    'sec-ch-ua-mobile': '?0',
    'sec-ch-ua-platform': '"Windows"',
  };
  const api = {
    ...language,
    accept: '*/*',
    'x-ig-app-id': site.appId,
    'x-asbd-id': site.asbdId,
    'x-ig-www-claim': '0',
    'x-requested-with': 'XMLHttpRequest',
    'sec-fetch-dest': 'empty',
    'sec-fetch-mode': 'cors',
    'sec-fetch-site': 'same-origin',
  };
  const headersOf = ({ lsd, csrf, cookie }: Session, referer: string) => ({
    ...api,
    origin: SITE,
    referer: `${SITE}${referer}`,
    'x-fb-lsd': lsd,
    ...(csrf === undefined ? {} : { 'x-csrftoken': csrf }),
    ...(cookie === undefined ? {} : { cookie }),
  });
  const form = (query: NamedQuery, mediaId: string, code: string, session: Session) =>
    new URLSearchParams({
      lsd: session.lsd,
      fb_api_caller_class: 'RelayModern',
      fb_api_req_friendly_name: query.name,
      server_timestamps: 'true',
      doc_id: session.declared.queries.get(query.name)?.id ?? query.docId,
      variables: variablesOf(query, session.declared, { mediaId, code }),
    });

  return {
    site,
    page: (path) => source.get(`${SITE}${path}`, { headers: navigation, timeout: 7_000 }),
    home: () => source.get(`${SITE}/`, { headers: navigation, timeout: 3_000 }),
    embed: (code) => source.get(`${SITE}/p/${code}/embed/captioned/`, { headers: navigation, timeout: 5_000 }),
    // The site sends browsers a page that redirects by script, and redirects all other clients (seen 2026 with curl).
    // The service therefore sends its own name, which is honest and imitates no other program.
    share(url) {
      const { pathname, search } = validSiteUrl(url);
      const headers = { 'user-agent': 'Millrace', accept: '*/*' };
      return source.get(`${SITE}${pathname}${search}`, { headers, followRedirects: false, timeout: 5_000 });
    },
    ruling: (mediaId) =>
      source.get(`${SITE}/api/v1/web/get_ruling_for_content/?content_type=MEDIA&target_id=${mediaId}`, {
        headers: api,
        timeout: 2_000,
      }),
    post(mediaId, code, session) {
      const query = site.queries.post;
      const headers = { ...headersOf(session, `/p/${code}/`), 'x-fb-friendly-name': query.name };
      return source.post(`${SITE}/api/graphql`, form(query, mediaId, code, session), { headers, timeout: 3_000 });
    },
    clips(mediaId, declared) {
      const query = site.queries.clips;
      const { id = query.docId, flags = query.flags } =
        [...declared.queries].find(([name]) => clipsQuery.test(name))?.[1] ?? {};
      const variables = variablesOf({ ...query, flags }, declared, { mediaId });
      const search = new URLSearchParams({ doc_id: id, variables });
      return source.get(`${SITE}/graphql/query/?${search}`, { headers: api, timeout: 3_000 });
    },
    byShortcode(code, session) {
      const query = site.queries.shortcode;
      const headers = { ...headersOf(session, `/p/${code}/`), 'x-fb-friendly-name': query.name };
      return source.post(`${SITE}/graphql/query`, form(query, mediaIdOf(code), code, session), {
        headers,
        timeout: 3_000,
      });
    },
    profile: (username) =>
      source.get(`${SITE}/api/v1/users/web_profile_info/?username=${encodeURIComponent(username)}`, {
        headers: { ...api, referer: `${SITE}/${username}/` },
        timeout: 6_000,
      }),
    music(audioId, cursor, session) {
      const form = new URLSearchParams({
        audio_cluster_id: audioId,
        original_sound_audio_asset_id: audioId,
        max_id: cursor,
        lsd: session.lsd,
        // The site's own checksum of the token.
        jazoest: `2${[...session.lsd].reduce((sum, character) => sum + character.charCodeAt(0), 0)}`,
        __a: '1',
        __user: '0',
        __d: 'www',
        __comet_req: '7',
        __crn: 'comet.igweb.PolarisClipsAudioRoute',
        ...session.release,
      });
      const headers = { ...headersOf(session, `/reels/audio/${audioId}/`), 'x-ig-d': 'www' };
      return source.post(`${SITE}/api/v1/clips/music/`, form, { headers, timeout: 6_000 });
    },
  };
}

/** Returns the variables of a query for a post, in JSON. */
function variablesOf(
  { variables, flags }: Query,
  declared: PageQueries,
  { mediaId, code }: { readonly mediaId: string; readonly code?: string },
): string {
  const flagVariables = flags.map((name) => [flagVariable(name), declared.flags.get(name) ?? false] as const);
  const values = new Map<unknown, string | undefined>([
    ['{mediaId}', mediaId],
    ['{shortcode}', code],
  ]);
  return JSON.stringify({ ...variables, ...Object.fromEntries(flagVariables) }, (_member, value: unknown) =>
    values.has(value) ? values.get(value) : value,
  );
}

/** The names of the query that returns a reel to signed-out visitors. Its exact name is not known. */
const clipsQuery = /^Polaris(?=\w{0,100}Clips)(?=\w{0,100}LoggedOut)\w{1,100}Query$/;

/** Rejects a response from another site after a redirect. */
function fromInstagram(response: SourceResponse): SourceResponse {
  const { hostname } = validSiteUrl(response.url);
  if (isInstagramHost(hostname)) return response;
  throw new MillraceError(
    'unexpected_redirect',
    `Instagram redirected the request to another site, ${hostname}. Try again later.`,
  );
}
