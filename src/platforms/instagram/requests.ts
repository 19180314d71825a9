import type { SourceAnswer, SourceClient } from '../platform.ts';
import type { InstagramClient } from './client.ts';

const SITE = 'https://www.instagram.com';

/** What the site gave to this visit: tokens that its own scripts send along. */
export interface Session {
  readonly lsd: string;
  readonly csrf?: string;
  readonly cookie?: string;
}

/** Asks Instagram, one function an address. Each step of a chain has a short time of its own. */
export interface InstagramRequests {
  page(path: string): Promise<SourceAnswer>;
  /** Follows a short link; its goal is the address of the answer. Browsers are shown a page instead (seen 2026). */
  share(url: string): Promise<SourceAnswer>;
  ruling(mediaId: string): Promise<SourceAnswer>;
  post(mediaId: string, code: string, session: Session): Promise<SourceAnswer>;
  clips(mediaId: string): Promise<SourceAnswer>;
  byShortcode(code: string, session: Session): Promise<SourceAnswer>;
  profile(username: string): Promise<SourceAnswer>;
  music(audioId: string, cursor: string, session: Session): Promise<SourceAnswer>;
}

/** Opens the way to the site. */
export function createRequests(source: SourceClient, client: InstagramClient): InstagramRequests {
  const language = { 'user-agent': client.userAgent, 'accept-language': 'en-US,en;q=0.9' };
  // Without a browser's navigation headers the site sends an empty shell (seen 2026-10).
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
    'x-ig-app-id': client.appId,
    'x-asbd-id': client.asbdId,
    'x-ig-www-claim': '0',
    'x-requested-with': 'XMLHttpRequest',
    'sec-fetch-dest': 'empty',
    'sec-fetch-mode': 'cors',
    'sec-fetch-site': 'same-origin',
  };
  const sending = ({ lsd, csrf, cookie }: Session, referer: string) => ({
    ...api,
    origin: SITE,
    referer: `${SITE}${referer}`,
    'x-fb-lsd': lsd,
    ...(csrf === undefined ? {} : { 'x-csrftoken': csrf }),
    ...(cookie === undefined ? {} : { cookie }),
  });
  const query = (name: string, docId: string, variables: object, session: Session) =>
    new URLSearchParams({
      lsd: session.lsd,
      fb_api_caller_class: 'RelayModern',
      fb_api_req_friendly_name: name,
      server_timestamps: 'true',
      doc_id: docId,
      variables: JSON.stringify(variables),
    });

  return {
    page: (path) => source.get(`${SITE}${path}`, { headers: navigation, timeout: 8_000 }),
    share: (url) => source.get(url, { headers: { 'user-agent': 'curl/8.5.0', accept: '*/*' }, timeout: 5_000 }),
    ruling: (mediaId) =>
      source.get(`${SITE}/api/v1/web/get_ruling_for_content/?content_type=MEDIA&target_id=${mediaId}`, {
        headers: api,
        timeout: 3_000,
      }),
    post(mediaId, code, session) {
      const name = 'PolarisLoggedOutDesktopWWWPostRootContentQuery';
      const form = query(name, client.postDocId, { media_id: mediaId }, session);
      const headers = { ...sending(session, `/p/${code}/`), 'x-fb-friendly-name': name };
      return source.post(`${SITE}/api/graphql`, form, { headers, timeout: 4_000 });
    },
    clips(mediaId) {
      const variables = {
        data: { chaining_mode: 'same_author', clips_media_id: mediaId },
        __relay_internal__pv__PolarisReelsRecoDebugOverlayEnabledrelayprovider: false,
        __relay_internal__pv__PolarisShortDramaEnabledrelayprovider: false,
      };
      const search = new URLSearchParams({ doc_id: client.clipsDocId, variables: JSON.stringify(variables) });
      return source.get(`${SITE}/graphql/query/?${search}`, { headers: api, timeout: 4_000 });
    },
    byShortcode(code, session) {
      const name = 'PolarisPostActionLoadPostQueryQuery';
      const variables = {
        shortcode: code,
        fetch_tagged_user_count: null,
        hoisted_comment_id: null,
        hoisted_reply_id: null,
      };
      const headers = { ...sending(session, `/p/${code}/`), 'x-fb-friendly-name': name };
      const form = query(name, client.shortcodeDocId, variables, session);
      return source.post(`${SITE}/graphql/query`, form, { headers, timeout: 4_000 });
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
        // The site's own check sum of the token.
        jazoest: `2${[...session.lsd].reduce((sum, character) => sum + character.charCodeAt(0), 0)}`,
        __a: '1',
        __user: '0',
        __d: 'www',
        __comet_req: '7',
        __crn: 'comet.igweb.PolarisClipsAudioRoute',
      });
      const headers = { ...sending(session, `/reels/audio/${audioId}/`), 'x-ig-d': 'www' };
      return source.post(`${SITE}/api/v1/clips/music/`, form, { headers, timeout: 6_000 });
    },
  };
}
