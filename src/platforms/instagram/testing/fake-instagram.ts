import type { Endpoint } from '../../platform.ts';
import { fakeSite, type Reply, type SeenRequest } from '../../testing/fake-site.ts';
import { createInstagram } from '../index.ts';

// Shared by the tests of p2's endpoints: parts of the site's responses, and a site that sends them.

export const code = 'DdG4RIxIPyf';
export const pk = '3983118388705688735';
export const lsd = '<script>["LSD",[],{"token":"AbC-1"},323]</script>';
export const route = (name: string) =>
  `<script type="application/json" data-sjs>{"canonicalRouteName":"comet.igweb.${name}"}</script>`;
export const block = (data: unknown) =>
  `<script type="application/json" data-sjs>${JSON.stringify({ require: [{ result: { data } }] })}</script>`;
export const shell = lsd + route('PolarisLoggedOutDesktopWWWPostRoute');

const file = (kind: string, attributes: string) => {
  const base = `<BaseURL>https://cdn.example/${kind}.mp4?oe=6AC3D731</BaseURL>`;
  return `<AdaptationSet contentType="${kind}"><Representation ${attributes}>${base}</Representation></AdaptationSet>`;
};
const manifest = [
  '<MPD mediaPresentationDuration="PT10S"><Period>',
  file('video', 'id="1v" bandwidth="4000000" codecs="avc1.64001f" width="1080" height="1920"'),
  file('audio', 'id="2a" bandwidth="64000" codecs="mp4a.40.2"'),
  '</Period></MPD>',
].join('');
export const reel = {
  pk,
  code,
  media_type: 2,
  product_type: 'clips',
  taken_at: 1,
  original_width: 1080,
  original_height: 1920,
  user: { pk: '787132', id: '17841400573960012', username: 'natgeo' },
  video_versions: [
    { type: 101, url: 'https://cdn.example/720.mp4', width: 720, height: 1280 },
    { type: 102, url: 'https://cdn.example/720.mp4', width: 720, height: 1280 },
  ],
  image_versions2: { candidates: [{ url: 'https://cdn.example/c.jpg', width: 1080, height: 1920 }] },
  video_dash_manifest: manifest,
};
export const xig = (media: unknown) => ({
  xig_polaris_media: { code, if_not_gated_logged_out: media, gating_ruling: null },
});
export const graph = { __typename: 'XDTGraphImage', id: pk, shortcode: code, display_url: 'https://cdn.example/d.jpg' };

export type Kind = 'page' | 'home' | 'graphql' | 'clips' | 'shortcode' | 'embed' | 'ruling' | 'api' | 'music' | 'share';

export function kindOf({ url, body }: SeenRequest): Kind {
  const { pathname } = url;
  if (pathname === '/') return 'home';
  if (pathname.startsWith('/share/')) return 'share';
  if (pathname.includes('/embed/')) return 'embed';
  if (pathname === '/api/graphql') return 'graphql';
  if (pathname.startsWith('/graphql/query')) return body === undefined ? 'clips' : 'shortcode';
  if (pathname.includes('get_ruling')) return 'ruling';
  if (pathname.includes('web_profile_info')) return 'api';
  return pathname.includes('/clips/music/') ? 'music' : 'page';
}

/** Replies by kind of request. A function is called for each request. */
export type Replies = Partial<Record<Kind, Reply | (() => Reply)>>;

export function extract(path: string, parameters: Record<string, string>, replies: Replies, strategy?: string) {
  const endpoint = createInstagram().endpoints.find((one) => one.path === path) as Endpoint;
  const site = fakeSite((request) => {
    const reply = replies[kindOf(request)] ?? { status: 500, body: '' };
    return typeof reply === 'function' ? reply() : reply;
  });
  return {
    extraction: endpoint.extract(parameters, { ...site.context, ...(strategy === undefined ? {} : { strategy }) }),
    kinds: () => site.requests.map(kindOf),
    requests: site.requests,
  };
}

export const post = (replies: Replies, shortcode = code) => extract('/media/post/details', { shortcode }, replies);
