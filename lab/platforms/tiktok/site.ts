import { randomUUID } from 'node:crypto';
import { type CdnTools, notFound } from '../../cdn/tools.ts';
import { type Exchange, type Handler, sendJson, sendText } from '../../http/exchange.ts';
import { faultOf } from './faults.ts';
import { openPage, type PageAccess } from './links.ts';
import { embeddedBox, oembedOf } from './responses/elsewhere.ts';
import { pageOf } from './responses/html.ts';
import { postPage } from './responses/post-page.ts';
import { userDetail } from './responses/profile.ts';
import { sendWall } from './responses/walls.ts';
import { sendShortLink } from './short-links.ts';
import { currentPost, issuedPost } from './world/changes.ts';
import { findPost, type Post } from './world/posts.ts';
import type { Wall } from './world/scenarios.ts';
import { userOf } from './world/users.ts';

/** Handles the site itself: pages of posts and users, embedded boxes, oEmbed, short links, the login page. */
export function siteHandler(tools: CdnTools): Handler {
  return (exchange) => {
    const { pathname, searchParams } = exchange.url;
    const [, name = '', kind, id] = /^\/@([\w.-]*)(?:\/(video|photo)\/(\d+))?\/?$/.exec(pathname) ?? [];
    const boxName = /^\/embed\/@([\w.-]+)$/.exec(pathname)?.[1];
    const code = /^\/t\/([\w-]+)\/?$/.exec(pathname)?.[1];
    const fault = faultOf(boxName ?? code ?? name);
    if (fault !== undefined) return fault.send(exchange);
    if (id !== undefined) return sendPost(exchange, tools, id, kind === 'photo');
    if (name !== '') return sendUser(exchange, name);
    if (boxName !== undefined) return sendPage(exchange, embeddedBox(userOf(boxName)), openPage(exchange));
    if (code !== undefined) return sendShortLink(exchange, code);
    if (pathname === '/oembed') return sendOembed(exchange, searchParams.get('url') ?? '');
    if (pathname === '/' || pathname === '/login') return sendPage(exchange, pageOf('TikTok', {}), openPage(exchange));
    return notFound(exchange);
  };
}

/** Handles the hosts of short links. */
export const shortLinkHandler: Handler = (exchange) => {
  const code = /^\/([\w-]+)\/?$/.exec(exchange.url.pathname)?.[1];
  if (code === undefined) return notFound(exchange);
  const fault = faultOf(code);
  return fault === undefined ? sendShortLink(exchange, code) : fault.send(exchange);
};

async function sendPost(exchange: Exchange, tools: CdnTools, id: string, photo: boolean): Promise<void> {
  const { url, request, country } = exchange;
  const agent = request.headers['user-agent'] ?? '';
  const client = /iPhone|Android/.test(agent) ? 'mobile' : 'desktop';
  const issue = tools.links.issue({ platform: 'p4', item: id, profile: `${client} ${agent}` });
  const found = findPost(id);
  const post = found && issuedPost(currentPost(found, tools.links), issue);
  const access = { ...openPage(exchange), issue };
  const address = `https://www.tiktok.com${url.pathname}`;
  const whole = () => postPage(tools, address, post, client, country, access);
  const wall = post && wallOf(exchange, tools, post, client);
  if (wall !== undefined) return sendWall(exchange, wall, whole);
  // At the address of a photo post, desktops get a page without the post.
  if (photo && client === 'desktop') return sendPage(exchange, pageOf('TikTok', {}), access);
  sendPage(exchange, await whole(), access);
}

/** Returns the wall that replaces the page at this request, if any. */
function wallOf({ url }: Exchange, { tokens }: CdnTools, post: Post, client: 'desktop' | 'mobile'): Wall | undefined {
  const nth = () => tokens.touch(`p4 ${post.id}`).requests;
  if (post.seldom) return nth() % 3 === 0 ? undefined : 'check';
  const wall = post[client];
  if (wall === 'nudge') return nth() % 2 === 0 ? undefined : wall;
  return wall === 'renamed' && url.pathname.startsWith(`/@${post.by.name}/`) ? undefined : wall;
}

function sendUser(exchange: Exchange, name: string): Promise<void> | void {
  const user = userOf(name);
  const canonical = `https://www.tiktok.com/@${user.name}`;
  const scopes = { 'seo.abtest': { canonical, pageId: '1' }, 'webapp.user-detail': userDetail(user) };
  const page = pageOf(`${user.nickname} (@${user.name}) | TikTok`, scopes);
  if (user.wall !== undefined) return sendWall(exchange, user.wall, () => Promise.resolve(page));
  sendPage(exchange, page, openPage(exchange));
}

function sendOembed(exchange: Exchange, address: string): void {
  const post = findPost(/\/(?:video|photo)\/(\d{19})/.exec(address)?.[1] ?? '');
  const isAvailable = post !== undefined && post.status === undefined;
  const body = isAvailable ? oembedOf(post) : { code: 400, message: 'Something went wrong' };
  sendJson(exchange, isAvailable ? 200 : 400, body);
}

/** Sends a page with the cookies of every page; media links are bound to the token of `access`. */
function sendPage(exchange: Exchange, text: string, { token }: PageAccess): void {
  const life = 'Path=/; Domain=tiktok.com; Max-Age=31536000';
  sendText(exchange, 200, text, {
    'content-type': 'text/html; charset=utf-8',
    'set-cookie': [
      `ttwid=1%7C${randomUUID()}; ${life}; HttpOnly; Secure; SameSite=None`,
      `tt_csrf_token=${randomUUID().slice(0, 8)}; Path=/; Domain=tiktok.com; HttpOnly; Secure; SameSite=Lax`,
      `tt_chain_token=${token}; ${life}; HttpOnly; Secure; SameSite=None`,
      `msToken=${randomUUID()}; ${life}; Secure; SameSite=None`,
    ],
  });
}
