import { notFound } from '../../cdn/tools.ts';
import { type Exchange, type Handler, sendText } from '../../http/exchange.ts';
import { faultIn } from './faults.ts';
import { sendEmbed } from './pages/embed.ts';
import { sendPostPage } from './pages/posts.ts';
import { sendProfilePage } from './pages/profiles.ts';
import { answerMusic, sendSoundPage } from './pages/sounds.ts';
import { redirect, sendPage, sendWall } from './pages/walls.ts';
import { answerClipsQuery, answerPostQuery, answerProfile, answerRuling, answerShortcodeQuery } from './queries.ts';
import { isNavigation } from './visit.ts';
import { findAccount } from './world/accounts.ts';
import { findPost } from './world/posts.ts';
import { findSound } from './world/sounds.ts';

const host = 'www.instagram.com';

/** Targets of the short links whose names are not codes of posts. */
export const shortLinks: Readonly<Record<string, { readonly about: string; readonly location?: string }>> = {
  labnowhere: { about: '404' },
  lablogin: { about: 'the login page', location: '/accounts/login/?next=%2F' },
  labprofile: { about: 'a profile', location: '/thelab/' },
  laboutside: { about: 'another host', location: 'https://cdn.lab.example/media/amber-2/still-360.jpg' },
  labinside: { about: 'http://169.254.169.254/', location: 'http://169.254.169.254/latest/meta-data/' },
};

/** Handles `www.instagram.com`: pages, queries, short links. */
export const siteHandler: Handler = (exchange) => {
  const fault = faultIn(exchange);
  if (fault !== undefined) return fault.send(exchange);
  const { pathname } = exchange.url;
  const form = new URLSearchParams(exchange.body.toString());
  const post = exchange.request.method === 'POST';
  switch (pathname) {
    case '/':
      return sendPage(exchange, { route: 'PolarisCAAIGLoginHomepageRoute' });
    case '/api/graphql':
      return answerPostQuery(exchange, form);
    case '/graphql/query':
    case '/graphql/query/':
      return post ? answerShortcodeQuery(exchange, form) : answerClipsQuery(exchange);
    case '/api/v1/web/get_ruling_for_content/':
      return answerRuling(exchange);
    case '/api/v1/users/web_profile_info/':
      return answerProfile(exchange);
    case '/api/v1/clips/music/':
      return answerMusic(exchange, form);
    default:
      return sendAddress(
        exchange,
        pathname.split('/').filter((segment) => segment !== ''),
      );
  }
};

/** Redirects the site's other names to the main one. */
export const aliasHandler: Handler = (exchange) => {
  redirect(exchange, `https://${host}${exchange.url.pathname}${exchange.url.search}`);
};

function sendAddress(exchange: Exchange, path: readonly string[]): Promise<void> | void {
  const [first = '', second = '', third = ''] = path;
  if (first === 'accounts') return sendPage(exchange, { route: 'PolarisCAAIGLoginHomepageRoute' });
  if (first === 'challenge') return sendPage(exchange, { route: 'PolarisChallengeRoute' });
  if (first === 'share') return sendShortLink(exchange, path.at(-1) ?? '');
  const sound = first === 'reels' && second === 'audio' ? findSound(third) : undefined;
  if (sound !== undefined) return isNavigation(exchange) ? sendSoundPage(exchange, sound) : shell(exchange, 'Audio');
  const post = ['p', 'reel', 'reels', 'tv'].includes(first) ? findPost(second) : undefined;
  if (post !== undefined) {
    if (third === 'embed') return sendEmbed(exchange, post);
    return isNavigation(exchange) ? sendPostPage(exchange, post) : shell(exchange, 'Post');
  }
  const account = path.length === 1 ? findAccount(first) : undefined;
  if (account === undefined) return notFound(exchange);
  return isNavigation(exchange) ? sendProfilePage(exchange, account) : shell(exchange, 'Profile');
}

/** Sends a page without data to programs without the headers of a browser. */
function shell(exchange: Exchange, kind: 'Post' | 'Profile' | 'Audio'): Promise<void> | void {
  return sendWall(exchange, 'shell', kind);
}

/** Redirects browsers by script, and all other clients by status. */
function sendShortLink(exchange: Exchange, name: string): Promise<void> | void {
  const target = Object.hasOwn(shortLinks, name) ? shortLinks[name] : undefined;
  // The site first adds a slash to some links.
  const { pathname } = exchange.url;
  if (name.startsWith('lab-slash') && !pathname.endsWith('/')) return redirect(exchange, `${pathname}/`);
  const location = target === undefined ? `/reel/${name}/?igsh=lab` : target.location;
  if (location === undefined) return sendWall(exchange, 'gone', 'Post');
  if (!/^Mozilla/.test(exchange.request.headers['user-agent'] ?? '')) return redirect(exchange, location);
  sendText(exchange, 200, `<!DOCTYPE html><script>location.replace(${JSON.stringify(location)})</script>`, {
    'content-type': 'text/html',
  });
}
