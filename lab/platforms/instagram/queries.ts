import { type Exchange, sendJson, sendText } from '../../http/exchange.ts';
import { loginRequired, pleaseWait, sendPage } from './pages/walls.ts';
import { clipsQuery, queryIds } from './query-ids.ts';
import { webProfileNode } from './shapes/accounts.ts';
import { graphPost } from './shapes/graph.ts';
import { polarisPost } from './shapes/polaris.ts';
import { appPost } from './shapes/rest.ts';
import { isVisitor, isWebClient } from './visit.ts';
import { findAccount } from './world/accounts.ts';
import { findPost, findPostByNumber, has, latestOf, type Post } from './world/posts.ts';
import type { Source } from './world/scenarios.ts';

/** Handles `/api/graphql`: a post by its number. */
export function answerPostQuery(exchange: Exchange, form: URLSearchParams): Promise<void> | void {
  const post = findPostByNumber(`${variablesOf(form).media_id}`);
  const id = post?.scenario.newQueries ? queryIds.next.post : queryIds.known.post;
  if (form.get('doc_id') !== id || !isVisitor(exchange, form)) return unknownQuery(exchange, form);
  if (post === undefined || !has(post, 'graphql')) return refuse(exchange, post, 'graphql');
  sendJson(exchange, 200, {
    data: { xig_polaris_media: polarisPost(post, latestOf(post)) },
    extensions: { is_final: true },
  });
}

/** Handles `GET /graphql/query/`: a reel by its number, followed by others of the same author. */
export function answerClipsQuery(exchange: Exchange): Promise<void> | void {
  const form = exchange.url.searchParams;
  const variables = variablesOf(form);
  const { data } = variables;
  const number = typeof data === 'object' && data !== null && 'clips_media_id' in data ? `${data.clips_media_id}` : '';
  const post = findPostByNumber(number);
  const id = post?.scenario.newQueries ? queryIds.next.clips : queryIds.known.clips;
  const flags = post?.scenario.newQueries ? clipsQuery.nextFlags : clipsQuery.flags;
  const hasFlags = flags.every((flag) => Object.hasOwn(variables, `__relay_internal__pv__${flag}relayprovider`));
  if (form.get('doc_id') !== id || !hasFlags || !isWebClient(exchange)) return unknownQuery(exchange, form);
  if (post === undefined || !has(post, 'clips')) return refuse(exchange, post, 'clips');
  const [, ...others] = latestOf(post);
  const edges = [...others.slice(0, 2), post, ...others.slice(2)].map((each) => ({ node: { media: appPost(each) } }));
  sendJson(exchange, 200, { data: { xdt_api__v1__clips__clips_on_logged_out_connection_v2: { edges } }, status: 'ok' });
}

/** Handles `POST /graphql/query`: a post by its code. */
export function answerShortcodeQuery(exchange: Exchange, form: URLSearchParams): Promise<void> | void {
  const post = findPost(`${variablesOf(form).shortcode}`);
  if (form.get('doc_id') !== queryIds.known.shortcode || !isVisitor(exchange, form))
    return unknownQuery(exchange, form);
  if (post === undefined || !has(post, 'shortcode')) return refuse(exchange, post, 'shortcode');
  sendJson(exchange, 200, {
    // Parts of a response can fail while the rest succeeds.
    errors: [
      { message: 'execution error', path: ['xdt_shortcode_media', 'location', 'address_json'], severity: 'ERROR' },
    ],
    data: { xdt_shortcode_media: graphPost(post) },
    extensions: { is_final: true },
    status: 'ok',
  });
}

/** Returns whether visitors may see a post, and the reason if not. */
export function answerRuling(exchange: Exchange): Promise<void> | void {
  const ruling = findPostByNumber(exchange.url.searchParams.get('target_id') ?? '')?.scenario.ruling;
  if (ruling === undefined) return sendJson(exchange, 200, { status: 'ok' });
  const words = {
    restricted: ['Restricted Video', 'You must be 18 years old or over to see this video'],
    followers: ['Not for everyone', 'The account shows this post to some people'],
  }[ruling];
  sendJson(exchange, 200, { title: words[0], description: words[1], status: 'ok' });
}

/** Handles `/api/v1/users/web_profile_info/`. */
export function answerProfile(exchange: Exchange): Promise<void> | void {
  const account = findAccount(exchange.url.searchParams.get('username') ?? '');
  const { api } = account?.scenario ?? {};
  if (!isWebClient(exchange)) return sendJson(exchange, 400, { message: 'useragent mismatch', status: 'fail' });
  if (account !== undefined && api === 'user') {
    return sendJson(exchange, 200, { data: { user: webProfileNode(account) }, status: 'ok' });
  }
  if (api === 'null') return sendJson(exchange, 200, { data: { user: null }, status: 'ok' });
  if (api === 'gone') return sendPage(exchange, { route: 'PolarisErrorRoute' }, 404);
  if (api === 'page') return sendPage(exchange, { route: 'PolarisCAAIGLoginHomepageRoute' });
  sendJson(exchange, 401, pleaseWait);
}

function refuse(exchange: Exchange, post: Post | undefined, source: Source): Promise<void> | void {
  switch (post?.scenario.queries) {
    case 'login':
      return sendPage(exchange, { route: 'PolarisCAAIGLoginHomepageRoute' });
    case 'wait':
      return sendJson(exchange, 401, pleaseWait);
    case 'login_required':
      return sendJson(exchange, 403, loginRequired);
    case 'gone':
      return sendText(exchange, 404, 'Not found.\n');
    case 'null':
      if (source === 'shortcode') return sendJson(exchange, 200, { data: { xdt_shortcode_media: null }, status: 'ok' });
      break;
    default:
  }
  // Most clients get this response.
  sendText(exchange, 200, '<!DOCTYPE html><html><head><title>Instagram</title></head><body></body></html>', {
    'content-type': 'text/html; charset="utf-8"',
  });
}

function unknownQuery(exchange: Exchange, form: URLSearchParams): Promise<void> | void {
  const message = `The GraphQL document with ID ${form.get('doc_id')} was not found.`;
  sendJson(exchange, 200, { errors: [{ message, severity: 'CRITICAL' }], data: null, status: 'ok' });
}

function variablesOf(form: URLSearchParams): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(form.get('variables') ?? '');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    // Variables that are not JSON match nothing.
    return {};
  }
}
