import { textContent } from '../../cdn/content.ts';
import { playlistType } from '../../cdn/playlist.ts';
import { type CdnTools, notFound } from '../../cdn/tools.ts';
import { type Exchange, type Handler, sendBytes, sendJson, sendText } from '../../http/exchange.ts';
import type { Links } from '../../links/links.ts';
import { sign } from '../signature.ts';
import { findVideo, isAllowedIn, type MetadataFault, type Video } from './catalogue.ts';
import { currentVideo } from './changes.ts';
import { manifestOf } from './manifest.ts';
import { manifestSignature, metadataOf, type Visitor } from './metadata.ts';
import { type Refusal, refusalOf, unknownVideo } from './refusals.ts';

const page = '<!DOCTYPE html><html><head><title>One moment</title></head><body>Checking your browser.</body></html>';
const html = { 'content-type': 'text/html; charset=utf-8' };
/** Thirteen months, in seconds. */
const cookieLife = 34_186_698;

/** Handles the site's own host, its player's host and its manifest director: metadata and manifests. */
export function playerHandler(tools: CdnTools): Handler {
  return (exchange) => {
    const { host, url } = exchange;
    const [, metadataId] =
      /^\/player\/metadata\/video\/(\w+)$/.exec(host === 'www.dailymotion.com' ? url.pathname : '') ??
      /^\/video\/(\w+)\.json$/.exec(host === 'geo.dailymotion.com' ? url.pathname : '') ??
      [];
    if (metadataId !== undefined) return answerMetadata(exchange, tools, metadataId);
    const [, kind, manifestId] = /^\/cdn\/(manifest|live)\/video\/(\w+)\.m3u8$/.exec(url.pathname) ?? [];
    if (manifestId === undefined || host === 'geo.dailymotion.com') return notFound(exchange);
    return answerManifest(exchange, tools, manifestId, kind === 'live');
  };
}

function answerMetadata(exchange: Exchange, { links }: CdnTools, id: string): void {
  const found = findVideo(id);
  const video = found && currentVideo(found, links);
  if (video?.metadata !== undefined && answerFault(exchange, video, video.metadata)) return;
  const visitor = visitorOf(exchange);
  const cookies = { 'set-cookie': [cookie('ts', visitor.ts), cookie('v1st', visitor.v1st)] };
  const { status, body } = metadataResponse(exchange, id, video, visitor, links);
  sendJson(exchange, status, body, cookies);
}

function metadataResponse(
  exchange: Exchange,
  id: string,
  video: Video | undefined,
  visitor: Visitor,
  links: Links,
): { readonly status: number; readonly body: unknown } {
  if (video === undefined) return unknownVideo(id);
  const refusal = refusalFor(exchange, video, id);
  if (refusal !== undefined) return refusal;
  const profile = exchange.host === 'geo.dailymotion.com' ? 'embed' : 'player';
  const issue = links.issue({ platform: 'p5', item: video.id, profile });
  return { status: 200, body: metadataOf(video, visitor, issue) };
}

function refusalFor({ country, url }: Exchange, video: Video, id: string): Refusal | undefined {
  if (video.refusal !== undefined) return refusalOf(video.refusal);
  if (!isAllowedIn(video, country)) return refusalOf('DM007');
  if (video.private && id !== video.accessId) return refusalOf('DM010');
  if (video.embedOnly && !url.searchParams.has('embedder')) return refusalOf('DM016');
  return undefined;
}

/** Sends the fault of a video; returns false if this host is not affected. */
function answerFault(exchange: Exchange, video: Video, fault: MetadataFault): boolean {
  switch (fault) {
    case 'too_many':
      sendText(exchange, 429, 'Too many requests.\n', { 'retry-after': '1' });
      return true;
    case 'unavailable':
      sendText(exchange, 503, 'Service unavailable.\n');
      return true;
    case 'page':
      sendText(exchange, 200, page, html);
      return true;
    case 'empty':
      sendBytes(exchange, 200, Buffer.alloc(0), { 'content-type': 'application/json' });
      return true;
    case 'cut': {
      const whole = JSON.stringify(metadataOf(video, visitorOf(exchange)));
      sendBytes(exchange, 200, Buffer.from(whole.slice(0, whole.length / 2)), { 'content-type': 'application/json' });
      return true;
    }
    case 'dropped':
      if (exchange.host !== 'www.dailymotion.com') return false;
      exchange.response.destroy();
      return true;
  }
}

async function answerManifest(exchange: Exchange, { send, links }: CdnTools, id: string, live: boolean): Promise<void> {
  const video = findVideo(id);
  if (video === undefined || live !== (video.live ?? false)) return notFound(exchange);
  const { searchParams } = exchange.url;
  const visitor = { ts: searchParams.get('dmTs') ?? '', v1st: searchParams.get('dmV1st') ?? '' };
  const signed = searchParams.get('sec') === manifestSignature(video, visitor);
  if (!signed || video.manifest === 'forbidden' || !isAllowedIn(video, exchange.country)) {
    return sendText(exchange, 403, page, html);
  }
  if (video.manifest === 'page') return sendText(exchange, 200, page, html);
  await send(exchange, textContent(manifestOf(video, links.find(searchParams.get('issue') ?? '')), playlistType));
}

/** Identifies the visitor by the query, else by the cookies, else by values derived from the requested path. */
function visitorOf({ url, request }: Exchange): Visitor {
  const cookies = new Map(
    (request.headers.cookie ?? '').split(/;\s*/).map((pair): [string, string] => {
      const [name = '', value = ''] = pair.split('=');
      return [name, value];
    }),
  );
  const visitorId = Buffer.from(sign('visitor', url.pathname), 'base64url').toString('hex');
  const uuid = `${visitorId.slice(0, 8)}-${visitorId.slice(8, 12)}-4${visitorId.slice(13, 16)}-a${visitorId.slice(17, 20)}-${visitorId.slice(20, 32)}`;
  return {
    ts:
      firstMatch(/^\d{6}$/, url.searchParams.get('dmTs'), cookies.get('ts')) ??
      `${100_000 + Number.parseInt(visitorId.slice(-4), 16)}`,
    v1st: firstMatch(/^[0-9a-f-]{36}$/, url.searchParams.get('dmV1st'), cookies.get('v1st')) ?? uuid,
  };
}

function firstMatch(form: RegExp, ...values: readonly (string | null | undefined)[]): string | undefined {
  return values.find((value): value is string => typeof value === 'string' && form.test(value));
}

function cookie(name: string, value: string): string {
  return `${name}=${value}; Path=/; Domain=dailymotion.com; Max-Age=${cookieLife}; Secure; SameSite=None`;
}
