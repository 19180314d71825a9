import type { CdnTools } from '../../cdn/tools.ts';
import { type Exchange, type Handler, sendJson } from '../../http/exchange.ts';
import { browse, type InnertubeResult } from './browse.ts';
import { faultIn } from './faults.ts';
import { type InnertubeRequest, readRequest } from './innertube-request.ts';
import { linkClientOf } from './media.ts';
import { readCommentsToken as readComments } from './responses/comment-tokens.ts';
import { commentsResponse } from './responses/comments.ts';
import { onlyFields } from './responses/fields.ts';
import { mixPanel } from './responses/mix.ts';
import { pageOf, readToken } from './responses/pages.ts';
import { playerResponse } from './responses/player.ts';
import { resolveResponse } from './responses/resolve.ts';
import { parseSearchName, readSearch, searchPage, searchResponse } from './responses/search.ts';
import { relatedTo, watchResponse } from './responses/watch.ts';
import { continuation, type Node, simple } from './shapes/basics.ts';
import { createVisitors, type Visitors } from './visitors.ts';
import { currentVideo } from './world/changes.ts';
import { findVideo, type Video } from './world/videos.ts';

const refusals = {
  invalid: { status: 400, name: 'INVALID_ARGUMENT', message: 'Request contains an invalid argument.' },
  not_found: { status: 404, name: 'NOT_FOUND', message: 'Requested entity was not found.' },
  broken: { status: 503, name: 'UNAVAILABLE', message: 'The service is currently unavailable.' },
} as const;

/** Handles `/youtubei/v1/…` of www.youtube.com and youtubei.googleapis.com. */
export function innertubeHandler(tools: CdnTools): Handler {
  const visitors = createVisitors();
  return async (exchange) => {
    const query = readRequest(exchange);
    if (exchange.request.method !== 'POST' || query === undefined) return refuse(exchange, 'invalid');
    const fault = faultIn(query.text);
    if (fault !== undefined) return fault.send(exchange);
    const response = await respond(query, exchange, tools, visitors);
    if (typeof response === 'string') return refuse(exchange, response);
    const whole = { responseContext: { visitorData: query.visitor ?? visitors.issue(query.client) }, ...response };
    sendJson(exchange, 200, query.fields === undefined ? whole : onlyFields(whole, query.fields));
  };
}

async function respond(
  innertubeRequest: InnertubeRequest,
  exchange: Exchange,
  tools: CdnTools,
  visitors: Visitors,
): Promise<InnertubeResult | 'broken'> {
  const { endpoint, parameters, hl } = innertubeRequest;
  switch (endpoint) {
    case 'visitor_id':
      return { responseContext: { visitorData: visitors.issue(innertubeRequest.client) } };
    case 'player':
      return play(innertubeRequest, exchange, tools, visitors);
    case 'reel/reel_item_watch': {
      // For an ID that the site does not know, the reel response is empty.
      if (findVideo(parameters.videoId ?? '') === undefined) return {};
      const playerResponse = await play(innertubeRequest, exchange, tools, visitors);
      return typeof playerResponse === 'string' ? playerResponse : { playerResponse };
    }
    case 'next':
      return next(innertubeRequest, tools);
    case 'browse':
      return browse(innertubeRequest);
    case 'search': {
      if (parameters.continuation === undefined)
        return searchResponse(readSearch(parameters.query ?? '', parameters.params), hl);
      const page = readToken(parameters.continuation);
      const search = parseSearchName(page?.list ?? '');
      return page === undefined || search === undefined ? 'invalid' : searchPage(search, page.offset, hl);
    }
    case 'navigation/resolve_url':
      return resolveResponse(parameters.url ?? '') ?? 'not_found';
    default:
      return 'not_found';
  }
}

async function play(
  query: InnertubeRequest,
  exchange: Exchange,
  tools: CdnTools,
  visitors: Visitors,
): Promise<InnertubeResult | 'broken'> {
  const { client, version, hl, visitor, parameters, fields } = query;
  const videoId = parameters.videoId ?? '';
  if (!/^[\w-]{11}$/.test(videoId)) return 'invalid';
  const video = findVideo(videoId);
  if (client === 'WEB' && video?.brokenEndpoint === 'web') return 'broken';
  const once = video?.refusal === 'bot_once' && client !== 'WEB' && visitors.isFirst(client, visitor);
  const isTrusted = !once && visitors.trusts(client, visitor);
  const streams = fields === undefined || /streamingData|playerResponse/.test(fields);
  const linkClient = linkClientOf(exchange);
  return playerResponse(tools, {
    videoId,
    client,
    hl,
    linkClient,
    profile: `${client}/${version} ${linkClient.agent}`,
    trusted: isTrusted,
    streams,
  });
}

function next({ parameters, playlistIndex, hl }: InnertubeRequest, { links }: CdnTools): InnertubeResult | 'broken' {
  const { continuation: token, videoId, playlistId } = parameters;
  if (token !== undefined) return nextPage(token, hl);
  const mix = playlistId === undefined ? undefined : mixPanel(playlistId, videoId, playlistIndex, hl);
  const video = findVideo(videoId ?? /^RD(?:MM|EM)?([\w-]{11})$/.exec(playlistId ?? '')?.[1] ?? '');
  if (video?.brokenEndpoint === 'next') return 'broken';
  if (video === undefined || isHidden(currentVideo(video, links))) return unavailable();
  const { contents, ...rest } = watchResponse(video, hl);
  const columns = Object(contents).twoColumnWatchNextResults;
  return {
    contents: { twoColumnWatchNextResults: { ...columns, ...(mix === undefined ? {} : { playlist: mix }) } },
    ...rest,
  };
}

function nextPage(token: string, hl: string): InnertubeResult {
  const page = readToken(token);
  const relatedVideo = findVideo(/^related\/(.+)$/.exec(page?.list ?? '')?.[1] ?? '');
  if (page !== undefined && relatedVideo !== undefined) {
    const items = pageOf(relatedTo(relatedVideo, hl), page.offset, (more) => continuation(more, 'WATCH_NEXT'));
    const append = { continuationItems: items, targetId: 'watch-next-feed' };
    return { onResponseReceivedEndpoints: [{ appendContinuationItemsAction: append }] };
  }
  const query = readComments(token);
  const video = query === undefined ? undefined : findVideo(query.subject);
  if (query === undefined || video === undefined) return 'invalid';
  // Only the page contains the reason; a client that requests the comments directly gets an empty response.
  if (video.noComments || isHidden(video)) return {};
  return commentsResponse({ ...video, generation: video.generation ?? 'new' }, query);
}

/** Returns whether the watch page contains nothing about a video. */
function isHidden({ refusal }: Video): boolean {
  return refusal === 'private' || refusal === 'removed' || refusal === 'account';
}

/** Returns the watch page of a video that does not exist: no details, and a message. */
function unavailable(): Node {
  const contents = [
    { itemSectionRenderer: { contents: [{ backgroundPromoRenderer: { title: simple('Video unavailable') } }] } },
  ];
  return { contents: { twoColumnWatchNextResults: { results: { results: { contents } } } } };
}

function refuse(exchange: Exchange, kind: keyof typeof refusals): void {
  const { status, name, message } = refusals[kind];
  const errors = [{ message, domain: 'global', reason: name === 'NOT_FOUND' ? 'notFound' : 'badRequest' }];
  sendJson(exchange, status, { error: { code: status, message, errors, status: name } });
}
