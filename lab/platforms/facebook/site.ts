import type { CdnTools } from '../../cdn/tools.ts';
import type { Exchange, Handler } from '../../http/exchange.ts';
import { faultIn } from './faults.ts';
import { answerGraphql } from './graphql.ts';
import { sitePage } from './page.ts';
import { profileReply } from './profiles.ts';
import { emptyPage, missingPage, type Reply, replyHandler, wall } from './reply.ts';
import { photoPage } from './responses/photo.ts';
import { postPage } from './responses/post.ts';
import { embedPage, reelPage, watchPage } from './responses/reel.ts';
import { shortLinks } from './short-links.ts';
import { type Person, personCalled, personNumbered } from './world/people.ts';
import { photoNumbered } from './world/photos.ts';
import { postCalled } from './world/posts.ts';
import { type Door, type Video, videoNumbered } from './world/videos.ts';

/** Handles `www.`, `web.` and the mobile hosts of the site, and its short-link hosts. */
export function siteHandler(tools: CdnTools): Handler {
  return replyHandler((exchange) => {
    const { url, host, request } = exchange;
    const fault = faultIn(exchange);
    if (fault !== undefined) return { fault };
    if (url.pathname === '/api/graphql/') return { page: answerGraphql(exchange) };
    // A browser sends this header; a client without it is not a browser.
    if (request.headers['sec-fetch-mode'] !== 'navigate') {
      return {
        status: 400,
        page: '<!DOCTYPE html><html><title>Error</title><body>Sorry, something went wrong.</body></html>',
      };
    }
    return host === 'm.facebook.com' || host === 'mbasic.facebook.com' ? wall : pageAt(exchange, tools);
  });
}

function pageAt(exchange: Exchange, tools: CdnTools): Reply {
  const { url, host } = exchange;
  const query = (name: string) => url.searchParams.get(name) ?? '';
  const segments = url.pathname.split('/').filter((segment) => segment !== '');
  const [first = '', second = '', third = ''] = segments;
  const last = segments.at(-1) ?? '';
  if (host === 'fb.watch' || host === 'fb.me') return shortLink(host, first);
  switch (first) {
    case 'reel':
      return videoReply(exchange, videoNumbered(second), 'reel', reelPage);
    case 'watch':
      return videoReply(exchange, videoNumbered(query('v')), 'watch', watchPage);
    case 'plugins':
      return videoReply(exchange, videoNumbered(/\d{10,}/.exec(query('href'))?.[0] ?? '404'), 'embed', embedPage);
    case 'share':
      return shortLink(host, last);
    case 'photo':
      return photoReply(exchange, query('fbid'));
    case 'permalink.php':
      return postReply(exchange, query('story_fbid'), personNumbered(query('id')));
    case 'groups':
      return third === 'posts' ? postReply(exchange, last, personCalled('lab.member')) : wall;
    case '':
    case 'login':
    case 'login.php':
    case 'checkpoint':
      return wall;
    case 'profile.php':
      return profileReply(exchange, tools, personNumbered(query('id')), query('sk'));
    default:
      return second === 'posts' && third !== ''
        ? postReply(exchange, last, personCalled(first))
        : profileReply(exchange, tools, personCalled(first), second);
  }
}

function videoReply(exchange: Exchange, video: Video, door: Door, page: (video: Video, host: string) => string): Reply {
  const { host, url } = exchange;
  const { redirectsToWeb, doors, fault, refusal } = video;
  const web = host === 'web.facebook.com';
  if (fault !== undefined) return { fault };
  if (redirectsToWeb && !web) {
    return {
      location: `https://web.facebook.com${url.pathname}${url.search === '' ? '?' : `${url.search}&`}_rdc=1&_rdr`,
    };
  }
  if (refusal === 'gone') return missingPage(exchange);
  if (video.empty) return emptyPage(`/reel/${video.id}/`);
  if (refusal === 'checkpoint') return { location: 'https://www.facebook.com/checkpoint/1501092823525282/' };
  const open = doors === undefined || doors.includes(web ? 'web' : door);
  return refusal === 'walled' || !open ? wall : { page: page(video, host) };
}

function postReply(exchange: Exchange, name: string, owner: Person): Reply {
  const post = postCalled(name, owner);
  if (post.refusal === 'gone') return missingPage(exchange);
  const isWalled = post.refusal === 'walled' || (post.open === 'web' && exchange.host !== 'web.facebook.com');
  return isWalled ? wall : { page: postPage(post, exchange.host) };
}

function photoReply(exchange: Exchange, id: string): Reply {
  const photo = photoNumbered(id);
  if (photo.refusal === 'gone') return missingPage(exchange);
  return photo.refusal === 'walled' ? wall : { page: photoPage(photo, exchange.host) };
}

function shortLink(path: string, code: string): Reply {
  const host = 'www.facebook.com';
  const { to: anywhere, web, names } = shortLinks[code] ?? {};
  const to = path === 'web.facebook.com' ? (web ?? anywhere) : anywhere;
  if (names !== undefined) return { page: postPage(postCalled(names, personCalled('thelab')), host) };
  if (to !== undefined) return { location: new URL(to, `https://${host}`).href };
  return { page: sitePage({ host, path: '/', title: 'Facebook', results: [] }) };
}
