import type { CdnTools } from '../../cdn/tools.ts';
import { type Exchange, type Handler, sendJson, sendText } from '../../http/exchange.ts';
import { findVideo, type Video } from './catalogue.ts';
import { currentVideo } from './changes.ts';
import { createdTime } from './metadata.ts';
import { type Refusal, restRefusal, unknownVideo } from './refusals.ts';

/** Public fields of a video, by their names in the REST interface. */
const fields: Readonly<Record<string, (video: Video) => unknown>> = {
  id: ({ id }) => id,
  title: ({ name }) => name,
  description: ({ about }) => `A video of the lab: ${about}.`,
  channel: () => 'tech',
  duration: ({ live, seconds }) => (live ? 0 : seconds),
  created_time: (video) => createdTime(video),
  owner: () => 'xlabown',
  'owner.id': () => 'xlabown',
  'owner.screenname': () => 'The Lab',
  'owner.username': () => 'thelab',
  views_total: ({ number }) => Number(number % 1_000_000n),
  likes_total: ({ number }) => Number(number % 1000n),
  thumbnail_1080_url: ({ id }) => `https://s2.dmcdn.net/v/${id}/x1080`,
  geoblocking: ({ geoblocking }) => geoblocking,
  private: () => false,
  password_protected: ({ refusal }) => refusal === 'password_protected',
  status: ({ refusal }) => (refusal === 'DM012' ? 'processing' : 'published'),
  explicit: ({ explicit }) => explicit ?? false,
  mode: ({ live }) => (live ? 'live' : 'vod'),
  onair: ({ live }) => live ?? false,
};

const defaultFields = 'id,title,channel,owner';

/** Handles the REST interface: `/video/<id>?fields=…`. It responds in every country. */
export function restHandler({ links }: CdnTools): Handler {
  return (exchange) => {
    const { pathname, searchParams } = exchange.url;
    const id = /^\/video\/(\w+)$/.exec(pathname)?.[1] ?? '';
    const names = (searchParams.get('fields') ?? defaultFields).split(',');
    const found = findVideo(id);
    const video = found && currentVideo(found, links);
    if (video?.rest !== undefined) return answerFault(exchange, video.rest);
    const refusal = refusalFor(video, id, names);
    if (refusal !== undefined) return sendJson(exchange, refusal.status, refusal.body);
    if (video !== undefined) {
      sendJson(exchange, 200, Object.fromEntries(names.map((name) => [name, fields[name]?.(video)])));
    }
  };
}

function refusalFor(video: Video | undefined, id: string, names: readonly string[]): Refusal | undefined {
  if (video === undefined || video.refusal === 'DM001' || video.refusal === 'DM002') return unknownVideo(id);
  if (video.private) return restRefusal(403, 'access_forbidden', 'This video is private');
  const unknown = names.find((name) => !Object.hasOwn(fields, name));
  return unknown === undefined ? undefined : restRefusal(400, 'invalid_parameter', `There is no field ${unknown}`);
}

/** Sends the fault of a video. A silent interface keeps the connection open. */
function answerFault(exchange: Exchange, fault: NonNullable<Video['rest']>): void {
  if (fault === 'gone') sendText(exchange, 410, 'Gone.\n');
  else if (fault === 'page')
    sendText(exchange, 404, '<!DOCTYPE html><title>Gone</title>', { 'content-type': 'text/html' });
  else if (fault === 'dropped') exchange.response.destroy();
}
