/** Invented responses in the site's formats, for tests. */

const signature = 'aabbcc00000000000000000000000000';

/** Returns the address of an image in one of its sizes. */
export function pictureUrl(size: string, hex = signature, ending = 'jpg'): string {
  return `https://i.pinimg.com/${size}/${hex.slice(0, 2)}/${hex.slice(2, 4)}/${hex.slice(4, 6)}/${hex}.${ending}`;
}

/** A plain pin of the JSON interface. */
export const restPin = {
  id: '31454897393552949',
  title: 'A title',
  description: 'Words #one #two for @someone',
  created_at: 'Thu, 16 Oct 2025 03:38:01 +0000',
  link: 'https://example.com/a',
  domain: 'example.com',
  image_signature: signature,
  images: {
    '170x': { url: pictureUrl('236x'), width: 236, height: 354 },
    '236x': { url: pictureUrl('236x'), width: 236, height: 354 },
    '736x': { url: pictureUrl('736x'), width: 736, height: 1104 },
    orig: { url: pictureUrl('originals', signature, 'png'), width: 1000, height: 1500 },
  },
  pinner: { id: '11', username: 'saver', full_name: 'Saver', follower_count: 3 },
  origin_pinner: { id: '12', username: 'first', full_name: 'First' },
  native_creator: null,
  board: { id: '13', name: 'Board', url: '/saver/board/' },
  aggregated_pin_data: { aggregated_stats: { saves: 5 } },
  reaction_counts: { 1: 7 },
  videos: null,
  story_pin_data: null,
  carousel_data: null,
};

/** The forms of a video in the JSON interface. */
export const restVideos = {
  video_list: {
    V_HLSV4: { url: 'https://v1.pinimg.com/videos/iht/hls/a/b.m3u8', width: 1080, height: 1920, duration: 7967 },
    V_720P: {
      url: 'https://v1.pinimg.com/videos/iht/720p/a/b.mp4',
      width: 1080,
      height: 1920,
      duration: 7967,
      thumbnail: 'https://i.pinimg.com/videos/thumbnails/originals/a/b.0000000.jpg',
      captions_urls: { 'en-us': 'https://v1.pinimg.com/a.vtt' },
    },
    V_EXP7: { url: 'https://v1.pinimg.com/videos/iht/720p/a/b.mp4', width: 1080, height: 1920, duration: 7967 },
  },
};

/** A response of the JSON interface. */
export const resource = (data: unknown) => ({
  resource_response: { status: 'success', code: 0, message: 'ok', endpoint_name: 'v3_get_pin', data },
});

/** A refusal of the JSON interface. */
export const resourceRefusal = (status: number, message: string) => ({
  resource_response: { status: 'failure', http_status: status, message, data: null },
});

/** Returns a page with completed requests, as the site has sent since 2025. */
export function page(pinId: string, ...roots: readonly unknown[]): string {
  const calls = roots.map((root) => {
    const query = encodeURIComponent(JSON.stringify({ queryID: '0', variables: { pinId } }));
    const response = JSON.stringify({ data: { v3GetPinQueryv2: root } });
    const call = `window.__PWS_RELAY_REGISTER_COMPLETED_REQUEST__("${query}", ${response});`;
    return `<script data-relay-completed-request="true">${call}</script>`;
  });
  return `<!DOCTYPE html><html><head></head><body>${calls.join('')}</body></html>`;
}

/** Returns a page with JSON scripts of responses, as the site sent in 2024. */
export function olderPage(pinId: string, ...roots: readonly unknown[]): string {
  const scripts = roots.map((root) => {
    const exchange = { variables: { pinId }, response: { data: { v3GetPinQuery: root } } };
    return `<script data-relay-response="true" type="application/json">${JSON.stringify(exchange)}</script>`;
  });
  return `<html>${scripts.join('')}</html>`;
}

/** Returns a page that contains its own state, as the site sent until 2023. */
export function oldestPage(pinId: string, pin: unknown): string {
  const state = { props: { initialReduxState: { pins: { [pinId]: pin } } } };
  return `<html><script id="__PWS_DATA__" type="application/json">${JSON.stringify(state)}</script></html>`;
}

/** Returns a relay root with a pin. */
export const relayPin = (data: unknown) => ({ __typename: 'V3GetPin', data });

/** A page without data whose head still describes the pin. */
export const headOnly = `<html><head>
<meta content="Head title" property="og:title"/>
<meta property="og:image" content="${pictureUrl('736x')}"/>
<meta content="736" name="og:image:width" property="og:image:width"/>
<meta content="1104" property="og:image:height"/>
<meta content="Words &amp; more" property="og:description"/>
<script type="application/ld+json">{"@type":"SocialMediaPosting","headline":"A headline",
"image":"${pictureUrl('originals')}",
"author":{"name":"Saver","url":"https://ru.pinterest.com/saver"},"datePublished":"2025-10-16T03:38:01.000Z"}</script>
<script type="application/ld+json">{"@type":"VideoObject","name":"A headline",
"contentUrl":"https://v1.pinimg.com/videos/iht/expMp4/a/b_720w.mp4",
"thumbnailUrl":"https://i.pinimg.com/videos/thumbnails/originals/a/b.jpg",
"duration":"PT1M10S","width":"720 px","height":"1280 px",
"creator":{"name":"Maker","url":"https://www.pinterest.com/maker"}}</script></head></html>`;
