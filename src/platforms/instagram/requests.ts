import { MillraceError } from '../../contract/errors.ts';
import type { ExtractionContext, SourceClient, SourceResponse } from '../platform.ts';
import { isInstagramHost } from './links.ts';
import type { Session } from './parse/page.ts';
import type { Site } from './site.ts';

const SITE = 'https://www.instagram.com';

/**
 * The requests to Instagram, one function per address. Each has a short timeout; those of a post's fallback chain add
 * up to 24 seconds. They all throw the errors of {@link SourceClient}, and `unexpected_redirect` for a response from
 * another site.
 */
export interface InstagramRequests {
  page(path: string): Promise<SourceResponse>;
  /** Requests the home page, for its session. */
  home(): Promise<SourceResponse>;
  /** Requests the page that other sites embed in a frame. */
  embed(code: string): Promise<SourceResponse>;
  /** Requests a short link. Its target is the response's `location`. */
  share(url: string): Promise<SourceResponse>;
  ruling(mediaId: string): Promise<SourceResponse>;
  post(mediaId: string, code: string, session: Session): Promise<SourceResponse>;
  clips(mediaId: string): Promise<SourceResponse>;
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
  const query = (name: string, knownId: string, variables: object, session: Session) =>
    new URLSearchParams({
      lsd: session.lsd,
      fb_api_caller_class: 'RelayModern',
      fb_api_req_friendly_name: name,
      server_timestamps: 'true',
      doc_id: session.queryIds.get(name) ?? knownId,
      variables: JSON.stringify(variables),
    });

  return {
    page: (path) => source.get(`${SITE}${path}`, { headers: navigation, timeout: 7_000 }),
    home: () => source.get(`${SITE}/`, { headers: navigation, timeout: 3_000 }),
    embed: (code) => source.get(`${SITE}/p/${code}/embed/captioned/`, { headers: navigation, timeout: 5_000 }),
    // The site sends browsers a page that redirects by script, and redirects all other clients (seen 2026 with curl).
    // The service therefore sends its own name, which is honest and imitates no other program.
    share(url) {
      const { pathname, search } = new URL(url);
      const headers = { 'user-agent': 'Millrace', accept: '*/*' };
      return source.get(`${SITE}${pathname}${search}`, { headers, followRedirects: false, timeout: 5_000 });
    },
    ruling: (mediaId) =>
      source.get(`${SITE}/api/v1/web/get_ruling_for_content/?content_type=MEDIA&target_id=${mediaId}`, {
        headers: api,
        timeout: 2_000,
      }),
    post(mediaId, code, session) {
      const name = 'PolarisLoggedOutDesktopWWWPostRootContentQuery';
      const form = query(name, site.postDocId, { media_id: mediaId }, session);
      const headers = { ...headersOf(session, `/p/${code}/`), 'x-fb-friendly-name': name };
      return source.post(`${SITE}/api/graphql`, form, { headers, timeout: 3_000 });
    },
    clips(mediaId) {
      const variables = {
        data: { chaining_mode: 'same_author', clips_media_id: mediaId },
        __relay_internal__pv__PolarisReelsRecoDebugOverlayEnabledrelayprovider: false,
        __relay_internal__pv__PolarisShortDramaEnabledrelayprovider: false,
      };
      const search = new URLSearchParams({ doc_id: site.clipsDocId, variables: JSON.stringify(variables) });
      return source.get(`${SITE}/graphql/query/?${search}`, { headers: api, timeout: 3_000 });
    },
    byShortcode(code, session) {
      const name = 'PolarisPostActionLoadPostQueryQuery';
      const variables = {
        shortcode: code,
        fetch_tagged_user_count: null,
        hoisted_comment_id: null,
        hoisted_reply_id: null,
      };
      const headers = { ...headersOf(session, `/p/${code}/`), 'x-fb-friendly-name': name };
      const form = query(name, site.shortcodeDocId, variables, session);
      return source.post(`${SITE}/graphql/query`, form, { headers, timeout: 3_000 });
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

/** Rejects a response from another site after a redirect. */
function fromInstagram(response: SourceResponse): SourceResponse {
  const { hostname } = new URL(response.url);
  if (isInstagramHost(hostname)) return response;
  throw new MillraceError(
    'unexpected_redirect',
    `Instagram redirected the request to another site, ${hostname}. Try again later.`,
  );
}
