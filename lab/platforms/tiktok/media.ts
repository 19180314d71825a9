import { sendMedia } from '../../cdn/cdn.ts';
import { textContent } from '../../cdn/content.ts';
import { type CdnTools, notFound } from '../../cdn/tools.ts';
import { type Exchange, type Handler, sendText } from '../../http/exchange.ts';
import type { Issue } from '../../links/links.ts';
import { parseRendition } from '../../media/titles.ts';
import { illustration, portrait } from '../illustrations.ts';
import { issueIn, objectIn, opensPicture, opensVideo, openTimed } from './links.ts';
import { issuedPost } from './world/changes.ts';
import { findPost } from './world/posts.ts';

const deniedBody =
  '<HTML><HEAD><TITLE>Access Denied</TITLE></HEAD><BODY><H1>Access Denied</H1>You have no permission.</BODY></HTML>';

/** Handles the hosts of videos, which serve only the browser that loaded the page. */
export function videoHandler(tools: CdnTools): Handler {
  return (exchange) => (opensVideo(exchange) ? sendVideo(exchange, tools) : deny(exchange));
}

/** Handles the hosts of music, which serve every client until the link expires. */
export function musicHandler(tools: CdnTools): Handler {
  return (exchange) => {
    const name = openTimed(exchange.url);
    return name === undefined ? deny(exchange) : sendObject(exchange, tools, name);
  };
}

/** Handles the host of subtitles, which serves every client until the link expires. */
export function subtitleHandler({ send }: CdnTools): Handler {
  return (exchange) => {
    if (openTimed(exchange.url) === undefined) return deny(exchange);
    const text = 'WEBVTT\n\n00:00:00.000 --> 00:00:02.000\nA line of the lab\n';
    return send(exchange, textContent(text, 'text/vtt'));
  };
}

/** Handles the hosts of images, which serve every client with a signed link. */
export function pictureHandler(tools: CdnTools): Handler {
  return async (exchange) => {
    if (!opensPicture(exchange.url)) return deny(exchange);
    await sendMedia(exchange, tools, { name: 'amber-12', look: 'amber', seconds: 12 }, pictureFile(exchange.url));
  };
}

/** Returns the name of the file of an image: a user's, a photo, or the cover image of a post, whole or cropped. */
function pictureFile({ pathname }: URL): string {
  const [, user, cropped] = /\/avatar-([\w.]+)~tplv-.*:(\d+)\.jpeg$/.exec(pathname) ?? [];
  if (user !== undefined) return portrait(user, Number(cropped));
  const [, id = '', photo] = /\/o(\d{19})-(?:photo-(\d+))?/.exec(pathname) ?? [];
  const { width, height } = parseRendition(photo ?? '720') ?? { width: 1280, height: 720 };
  const square = Number(/:(\d+)\.jpeg$/.exec(pathname)?.[1] ?? 0);
  // The photos of a post differ.
  const name = photo === undefined ? id : `${id}-${photo}`;
  return illustration(name, square > 0 ? { width: square, height: square } : { width, height }, findPost(id)?.topic);
}

async function sendVideo(exchange: Exchange, tools: CdnTools): Promise<void> {
  const { pathname } = exchange.url;
  const { postId: item = '', file = '' } = objectIn(pathname) ?? {};
  const issue = issueIn(exchange.url);
  const limited = tools.links.open(exchange, { platform: 'p4', item, issue, file, form: 'file' });
  await sendObject(limited, tools, pathname, tools.links.find(issue));
}

async function sendObject(exchange: Exchange, tools: CdnTools, path: string, issue?: Issue): Promise<void> {
  const object = objectIn(path);
  const post = object && findPost(object.postId);
  if (object === undefined || post === undefined) return notFound(exchange);
  await sendMedia(exchange, tools, issuedPost(post, issue).media, object.file);
}

function deny(exchange: Exchange): void {
  sendText(exchange, 403, deniedBody, { 'content-type': 'text/html' });
}
