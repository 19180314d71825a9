import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** A response of a hostile site. */
interface HostileResponse {
  readonly type: 'application/json' | 'text/html';
  readonly encoding?: 'gzip' | 'br';
  readonly body: () => string | Buffer;
}

/** A site that sends the same response to every request for any host. */
export interface HostileSite {
  readonly url: string;
  /** Selects the response. */
  send(name: string): void;
  /** Sends this page from now on. */
  sendPage(page: string): void;
  /** Returns how many requests have come since the last call. */
  takeRequests(): number;
  close(): Promise<void>;
}

/** Largest body, and most values, that the service reads. */
const maxBytes = 4 * 1024 * 1024 - 100;
const mostMembers = 64_000;
const mostNames = 19_900;
const bombBytes = 32 * 1024 * 1024;

/** Repeats a part of JSON. */
function many(count: number, part: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => part(at)).join('');
}

const asPage = (json: string) =>
  `<html><script id="__UNIVERSAL_DATA_FOR_REHYDRATION__" type="application/json" data-sjs>${json}</script></html>`;
const namedMembers = (count: number) => `{${many(count, (at) => `"${at.toString(36)}":0,`)}"-":0}`;
/** As many members as are read, in objects that each have as many different names as are read. */
const members = () => `[${many(Math.floor(mostMembers / mostNames), () => `${namedMembers(mostNames)},`)}0]`;
const fill = (part: string) => part.repeat(Math.floor(maxBytes / part.length));

const html = (...parts: string[]) => `<!DOCTYPE html><html><body>${parts.join('')}</body></html>`;
const script = (json: string) => `<script type="application/json">${json}</script>`;
/** The post that page-stalls.test.ts requests. */
const shortcode = 'DXYZabcde12';
const postsOf = (items: string) => `{"xdt_api__v1__media__shortcode__web_info":{"items":[${items}]}}`;

/** A post of many videos, each with a manifest of many files. */
function pageOfManifests(): string {
  const representations = '<Representation><BaseURL>c</BaseURL></Representation>'.repeat(499);
  const set = `<AdaptationSet mimeType='video/mp4' codecs='avc1.64001f'>${representations}</AdaptationSet>`;
  const manifest = `<MPD><Period><BaseURL>https://a.example/a</BaseURL>${set}</Period></MPD>`;
  const files = [{ url: 'https://a.example/v.mp4', width: 640, height: 640, type: 101 }];
  const video = JSON.stringify({ pk: '12', media_type: 2, video_versions: files, video_dash_manifest: manifest });
  const carousel = Array(140).fill(video).join(',');
  const user = '{"pk":"5","username":"a"}';
  return html(
    script(postsOf(`{"pk":"12","code":"${shortcode}","media_type":8,"user":${user},"carousel_media":[${carousel}]}`)),
  );
}

/** A post of an image in many sizes, whose links have many parameters. */
function pageOfParameters(): string {
  const link = (at: number) => `https://x.cdninstagram.com/v${at}.jpg?a${'&a'.repeat(32_000)}`;
  const candidates = Array.from({ length: 60 }, (_, at) => ({ url: link(at), width: 640 + at, height: 640 + at }));
  const images = JSON.stringify({ candidates });
  const user = '{"pk":"5","username":"a"}';
  return html(
    script(postsOf(`{"pk":"12","code":"${shortcode}","media_type":1,"user":${user},"image_versions2":${images}}`)),
  );
}

/** Returns the page of a post of videos as Instagram has them: each has three files, and its cover in twelve sizes. */
export function pageOfVideos(code: string, count: number): string {
  let seed = 1;
  const random = (length: number) =>
    many(length, () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return (seed % 36).toString(36);
    });
  const link = (name: string, query: string) => `https://x.cdninstagram.com/v/${name}?${query}&oe=7F000000`;
  const covers = () =>
    [1080, 1024, 960, 750, 720, 640, 480, 360, 320, 240, 200, 150].map((width) => ({
      url: link(`${random(16)}_n.jpg`, `stp=s${width}x${width}`),
      ...{ width, height: width },
    }));
  const files = () =>
    [101, 102, 103].map((type, at) => ({
      url: link(`${random(16)}.mp4`, `efg=${random(8)}`),
      ...{ type, width: 720 - at * 100, height: 1280 - at * 100 },
    }));
  const videos = Array.from({ length: count }, (_, at) => ({
    ...{ pk: String(1_000 + at), media_type: 2, original_width: 720, original_height: 1280, video_duration: 10 },
    ...{ image_versions2: { candidates: covers() }, video_versions: files() },
  }));
  const user = { pk: '5', username: 'someone' };
  return html(script(postsOf(JSON.stringify({ pk: '12', code, media_type: 8, user, carousel_media: videos }))));
}

/** The responses of the site, by what they consist of. The last ones exceed the limits of the service. */
export const hostileResponses: Readonly<Record<string, HostileResponse>> = {
  'objects of different names': { type: 'application/json', body: members },
  'a page with objects of different names': { type: 'text/html', body: () => asPage(members()) },
  'nested lists': { type: 'application/json', body: () => '['.repeat(mostMembers) + ']'.repeat(mostMembers) },
  'empty objects': { type: 'application/json', body: () => `[${'{},'.repeat(mostMembers)}0]` },
  'different strings': { type: 'application/json', body: () => `[${many(2 * mostMembers, (at) => `"${at}",`)}0]` },
  escapes: { type: 'application/json', body: () => `["${'\\u0041'.repeat(600_000)}"]` },
  'a page of scripts': { type: 'text/html', body: () => fill('<script type="application/json">1</script>') },
  'a page of entities': { type: 'text/html', body: () => `<html>${fill('&amp;').slice(10)}` },
  'a page of tags': { type: 'text/html', body: () => fill('<meta property="og" content="a">') },
  'a page of open tags': { type: 'text/html', body: () => fill('<') },
  'a page of quotation marks': { type: 'text/html', body: () => `<html>${fill('"\\"').slice(10)}` },
  'a page that refers to one object often': {
    type: 'text/html',
    body: () => {
      const call = '__PWS_RELAY_REGISTER_COMPLETED_REQUEST__("%7B%7D",';
      return html(`<script>${call.repeat(30)}{"data":{},"x":[${'[],'.repeat(60_000)}0]})</script>`);
    },
  },
  'a page of the same post and many comments': {
    type: 'text/html',
    body: () => {
      const comments = `{"xdt_api__v1__media__media_id__comments__connection":0,"x":[${'{},'.repeat(20_000)}0]}`;
      const post = `{"code":"${shortcode}"}`;
      return html(script(postsOf(Array(20_000).fill(post).join(','))), script(comments));
    },
  },
  'a page of links with many parameters': { type: 'text/html', body: pageOfParameters },
  'a page of manifests': { type: 'text/html', body: pageOfManifests },
  'a page of links without objects': {
    type: 'text/html',
    body: () => html('a'.repeat(3_900_000), '"hd_src":"https:x.mp4" '.repeat(100), '"770000000000001"'),
  },
  'a page of names in a text': {
    type: 'text/html',
    body: () => html(`<script>x={"contextJSON":${JSON.stringify(namedMembers(mostMembers))}}</script>`),
  },
  'too many values': { type: 'application/json', body: () => `[${fill('{},').slice(0, -3)}0]` },
  'too many names': { type: 'application/json', body: () => namedMembers(mostMembers) },
  'a bomb of gzip': { type: 'text/html', encoding: 'gzip', body: () => gzipSync(Buffer.alloc(bombBytes, ' ')) },
  'a bomb of Brotli': {
    type: 'text/html',
    encoding: 'br',
    body: () => brotliCompressSync(Buffer.alloc(bombBytes, ' ')),
  },
};

/** Starts the site on loopback. */
export async function startHostileSite(): Promise<HostileSite> {
  let response: HostileResponse | undefined;
  let body: string | Buffer = '';
  let requests = 0;
  const server = createServer((_request, answer) => {
    requests += 1;
    const encoding = response?.encoding === undefined ? {} : { 'content-encoding': response.encoding };
    answer.writeHead(200, { 'content-type': response?.type ?? 'text/plain', ...encoding }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    send(name) {
      response = hostileResponses[name];
      body = response?.body() ?? '';
    },
    sendPage(page) {
      response = { type: 'text/html', body: () => page };
      body = page;
    },
    takeRequests() {
      const count = requests;
      requests = 0;
      return count;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
