/** One query result of a simulated page. */
interface SimulatedResult {
  readonly operation: string;
  readonly data: unknown;
  readonly label?: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: unknown;
}

/** Additional parts of a simulated page. */
interface PageParts {
  readonly head?: string;
  readonly body?: string;
}

/** Returns a Facebook page as a guest gets it, reduced to the parsed parts; for tests. */
export function sitePage(results: readonly SimulatedResult[], { head = '', body = '' }: PageParts = {}): string {
  const scripts = results.map(({ operation, ...result }, place) => {
    const name = `adp_${operation}RelayPreloader_${place}`;
    const payload = [name, { __bbox: { complete: true, result } }];
    const block = {
      require: [['ScheduledServerJS', 'handle', null, [{ __bbox: { require: [cacheEntry(payload)] } }]]],
    };
    return `<script type="application/json" data-content-len="9" data-sjs>${JSON.stringify(block)}</script>`;
  });
  return `<!DOCTYPE html><html><head>${head}</head><body>${body}${scripts.join('\n')}</body></html>`;
}

function cacheEntry(payload: unknown): unknown[] {
  return ['RelayPrefetchedStreamCache@0123', 'next', [], payload];
}

/** The login page that the site sends instead of other pages. */
export const loginPage =
  '<html><head><meta property="og:title" content="Log in or sign up to view" /></head>' +
  '<body><form id="login_form"></form></body></html>';

/** The page for content that is deleted, private or never existed. */
export const gonePage = sitePage([], { body: '{"rootView":{"resource":{"__dr":"CometErrorRoot.react"}}}' });

/** A manifest with one video file and one audio file. */
const manifest =
  '<?xml version="1.0"?><MPD type="static" mediaPresentationDuration="PT30S"><Period>' +
  '<AdaptationSet contentType="video"><Representation id="7v" bandwidth="800000" codecs="avc1.64001f" ' +
  'mimeType="video/mp4" width="720" height="1280" FBQualityLabel="720p">' +
  '<BaseURL>https://video.xx.fbcdn.net/7v.mp4?oe=6A6F5BFE&amp;a=1</BaseURL></Representation></AdaptationSet>' +
  '<AdaptationSet contentType="audio"><Representation id="7a" bandwidth="64000" codecs="mp4a.40.5" ' +
  'mimeType="audio/mp4"><BaseURL>https://video.xx.fbcdn.net/7a.mp4</BaseURL></Representation></AdaptationSet>' +
  '</Period></MPD>';

/** The simulated reel's ID. */
export const reelId = '1380134307388381';

const owner = { __typename: 'User', id: '100044561550831', name: 'A Creator', url: 'https://web.facebook.com/creator' };

/** Returns a reel page; `video` overrides members of its video. */
export function reelPage(video: Readonly<Record<string, unknown>> = {}): string {
  const playback = {
    id: reelId,
    width: 1080,
    height: 1920,
    length_in_second: 30,
    thumbnailImage: { uri: 'https://scontent.xx.fbcdn.net/t.jpg?cstp=mx1080x1920&ctp=s720x1280' },
    videoDeliveryLegacyFields: {
      id: reelId,
      browser_native_hd_url: 'https://video.xx.fbcdn.net/hd.mp4?bitrate=1000000',
      browser_native_sd_url: 'https://video.xx.fbcdn.net/sd.mp4',
      dash_manifest_xml_string: manifest,
    },
    ...video,
  };
  const story = {
    id: 'UzpfS1',
    post_id: '1584419709720066',
    creation_time: 1784824314,
    message: { text: 'A reel #one' },
    feedback: { id: 'ZmVl1' },
    short_form_video_context: { playback_video: playback, video: { id: reelId }, video_owner: owner },
  };
  const operation = 'FBReelsRootWithEntrypointQuery';
  return sitePage([
    { operation, data: { video: { id: reelId, creation_story: story } } },
    {
      operation,
      label: 'X$defer$FBReelsFeedbackBar_feedback',
      path: ['video', 'creation_story'],
      data: { id: 'UzpfS1', feedback: { id: 'ZmVl1', total_comment_count: 7, share_count_reduced: '1.2K' } },
    },
  ]);
}

/** The simulated post's ID. */
export const postId = '1587860636042640';

const photo = (id: string, width: number) => ({
  __typename: 'Photo',
  id,
  photo_image: { uri: `https://scontent.xx.fbcdn.net/${id}.jpg`, width, height: 100 },
});

/** Returns a post page with an album of two photos and a video. */
export function postPage(story: Readonly<Record<string, unknown>> = {}): string {
  const video = { __typename: 'Video', id: '77777', playable_url: 'https://video.xx.fbcdn.net/77777.mp4' };
  const nodes = [photo('11111', 200), video, photo('22222', 300)].map((media) => ({ media }));
  const node = {
    __typename: 'Story',
    id: 'UzpfS2',
    post_id: postId,
    creation_time: 1785188122,
    actors: [owner],
    attachments: [
      {
        style_list: ['album', 'fallback'],
        media: { __typename: 'Photo', id: '11111' },
        styles: {
          __typename: 'StoryAttachmentAlbumStyleRenderer',
          attachment: { all_subattachments: { nodes } },
        },
      },
    ],
    comet_sections: {
      content: {
        story: {
          id: 'UzpfS2',
          message: { text: 'An album' },
          wwwURL: 'https://www.facebook.com/creator/posts/pfbid0abcdefgh',
        },
      },
    },
    ...story,
  };
  return sitePage([{ operation: 'CometSinglePostDialogContentQuery', data: { node_v2: node } }]);
}

/** The simulated profile's ID. */
export const profileId = owner.id;

const route = `{"initialRouteInfo":{"route":{"rootView":{"props":{"userID":"${profileId}","userVanity":"creator"}}}}}`;
const token = '["LSD",[],{"token":"lsd-1"},323]';
const switches =
  '"variables":{"__relay_internal__pv__Arelayprovider":false,"__relay_internal__pv__Brelayprovider":true}';
const bundle = '"src":"https:\\/\\/static.xx.fbcdn.net\\/rsrc.php\\/v4\\/a.js?_nc_x=1"';

/** Returns a profile page, or a tab of it if `data` describes one. */
export function profilePage(data?: unknown): string {
  const user = { ...owner, profilePicLarge: { uri: 'https://scontent.xx.fbcdn.net/p.jpg', width: 480, height: 480 } };
  const context = { content: [{ text: { text: '28M followers' } }] };
  const header = { user: { ...user, delegate_page: { id: '54971236771' }, profile_social_context: context } };
  const results = [
    { operation: 'ProfileCometHeaderQuery', data: { user: { id: profileId, profile_header_renderer: header } } },
    ...(data === undefined ? [] : [{ operation: 'ProfileCometTopAppSectionQuery', data }]),
  ];
  return sitePage(results, { body: `<script>${route}${token}{${switches}}{${bundle}}</script>` });
}

/** Returns the data of a photos tab, or of a further page of it. */
export function photoList(ids: readonly string[], cursor?: string): unknown {
  const edges = ids.map((id) => ({
    node: {
      node: {
        __typename: 'Photo',
        id,
        viewer_image: { uri: `https://scontent.xx.fbcdn.net/${id}.jpg`, width: 2, height: 1 },
      },
    },
  }));
  const page_info = { end_cursor: cursor ?? null, has_next_page: cursor !== undefined };
  return { node: { id: 'collection', pageItems: { edges, page_info } } };
}

/** Works like {@link photoList}, but for reels. */
export function reelList(ids: readonly string[], cursor?: string): unknown {
  const edges = ids.map((id) => ({
    profile_reel_node: {
      node: {
        id: `story${id}`,
        post_id: `5${id}`,
        video: { id },
        attachments: [{ media: { id, length_in_second: 9.5, play_count_reduced: '1.2K' } }],
      },
    },
  }));
  const page_info = { end_cursor: cursor ?? null, has_next_page: cursor !== undefined };
  return { node: { id: 'collection', aggregated_fb_shorts: { edges, page_info } } };
}
