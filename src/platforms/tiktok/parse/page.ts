import { MillraceError } from '../../../contract/errors.ts';
import { count, dig, type Fields, fields, isFields, text } from '../../../parsing/values.ts';
import type { SourceResponse } from '../../platform.ts';
import { addUnread, type UnreadKinds, type UnreadResponseError, unreadResponse } from '../../unread.ts';
import { type PostLink, recognise } from '../links.ts';
import { scriptData, scriptsWith } from './script-data.ts';
import { inPlaceOf } from './unknown-members.ts';

/** Maximum number of unknown scopes that are reported. */
const MAX_UNREAD = 5;

/** Maximum number of levels, and of members on each level, at which a misplaced detail is searched. */
const MAX_LEVELS = 4;
const MAX_ENTRIES = 64;

/** The subject of a page: a post or a user. */
export interface Detail {
  /** The site's name of the detail. */
  readonly scope: string;
  /** 0 if the site displays the subject. */
  readonly statusCode: number;
  /** The site's text for a status. */
  readonly statusMessage?: string;
  readonly data: Fields;
}

/** The contents of a page beside its detail. */
interface PageScopes {
  /** Scopes and members that no parser knows. */
  readonly unread: UnreadKinds;
}

/** The contents of a post's page. */
export interface PostPage extends PageScopes {
  readonly detail?: Detail;
  /** The first comments, only on the streamed mobile page (seen 2026-05). */
  readonly comments?: Fields;
  /** The post that the page names as its own. */
  readonly canonical?: PostLink;
}

/** The contents of a user's page. */
export interface ProfilePage extends PageScopes {
  readonly detail?: Detail;
}

const postScopes = ['webapp.video-detail', 'webapp.reflow.video.detail'] as const;
const profileScope = 'webapp.user-detail';

/** Scopes with a status that are about the visit, or about a subject other than posts and users. */
const otherScopes = [
  ...['webapp.reflow.global.shareUser', 'webapp.reflow.global.queryData', 'webapp.smartui.preview'],
  ...['sharing.collection.collection_state', 'webapp.challenge-detail', 'webapp.music-detail'],
];

const knownScopes = new Set<string>([...postScopes, profileScope, ...otherScopes]);
const knownStreamed = new Set(['videoDetail', 'commentList']);

/** Reads a post's page in any format: desktop, mobile, or streamed mobile. */
export function readPostPage(response: SourceResponse): PostPage {
  const scopes = readScopes(response);
  const scope = postScopes.find((name) => isFields(scopes[name]));
  const canonical = postIn(dig(scopes, 'seo.abtest', 'canonical'));
  const common = canonical === undefined ? {} : { canonical };
  if (scope !== undefined) return { detail: readDetail(scope, fields(scopes[scope])), unread: {}, ...common };
  const streamed = fields(scriptData(response.text, 'api-data')?.json);
  const unread = unknownDetails(streamed, knownStreamed);
  const { videoDetail, commentList } = streamed;
  if (!isFields(videoDetail)) {
    const misplaced = misplacedDetails(response, [...postScopes, 'videoDetail']);
    return { unread: addUnread(unknownDetails(scopes, knownScopes), unread, misplaced), ...common };
  }
  return {
    detail: readDetail('videoDetail', videoDetail),
    unread,
    ...common,
    ...(isFields(commentList) ? { comments: commentList } : {}),
  };
}

/** Reads a user's page. */
export function readProfilePage(response: SourceResponse): ProfilePage {
  const scopes = readScopes(response);
  const data = scopes[profileScope];
  if (isFields(data)) return { detail: readDetail(profileScope, data), unread: {} };
  return { unread: addUnread(unknownDetails(scopes, knownScopes), misplacedDetails(response, [profileScope])) };
}

/** Members of a detail and its containers that are objects. */
const detailParts = new Set([
  ...['itemInfo', 'itemStruct', 'userInfo', 'user', 'stats', 'statsV2', 'itemList', 'shareMeta', 'extra_info'],
]);

/**
 * Returns the error for a detail whose status says that the site displays its subject, but that does not contain it.
 *
 * @param path The names of the members that lead to the subject.
 */
export function unreadDetail(subject: string, { scope, data }: Detail, path: readonly string[]): UnreadResponseError {
  const depth = path.findIndex((_, index) => !isFields(dig(data, ...path.slice(0, index + 1))));
  const owner = path.slice(0, depth);
  const place = [scope, ...owner].join('.');
  const missing = path[depth] ?? '';
  const isContainer = depth < path.length - 1;
  return unreadResponse(
    `TikTok returned the ${subject}`,
    isContainer ? inPlaceOf(missing, place, dig(data, ...owner), detailParts) : { [`${place}.${missing}`]: 1 },
  );
}

/**
 * Returns the data of a page by scope (such as `webapp.video-detail`), or an empty object for a page without data.
 *
 * @throws MillraceError `invalid_response_data` if the page's data cannot be parsed or has an unknown container.
 */
function readScopes({ text: html }: SourceResponse): Fields {
  const script = scriptData(html, '__UNIVERSAL_DATA_FOR_REHYDRATION__');
  if (script === undefined) return {};
  if (script.json === undefined) {
    throw new MillraceError('invalid_response_data', 'TikTok returned a page that cannot be read. Try again.');
  }
  const scopes = dig(script.json, '__DEFAULT_SCOPE__');
  if (isFields(scopes)) return scopes;
  throw unreadResponse('TikTok returned the page', inPlaceOf('__DEFAULT_SCOPE__', 'page', script.json, new Set()));
}

/**
 * Returns the unknown objects that may be a renamed detail. The site gives every detail a status, but hardly anything
 * else, so that a page without a subject has none.
 */
function unknownDetails(scopes: Fields, known: ReadonlySet<string>): UnreadKinds {
  const names = Object.keys(scopes).filter((name) => !known.has(name) && isDetail(scopes[name]));
  return Object.fromEntries(names.slice(0, MAX_UNREAD).map((name) => [name.slice(0, 60).toWellFormed(), 1]));
}

/**
 * Returns the known details of a complete page that are in an unknown place: in a script with another ID, or below
 * another level. A shell has none.
 */
function misplacedDetails({ text: html }: SourceResponse, names: readonly string[]): UnreadKinds {
  if (!/<\/html>\s{0,100}$/.test(html.slice(-200))) return {};
  const found = names.filter((name) => scriptsWith(html, name).some((json) => holdsDetail(json, name, MAX_LEVELS)));
  return Object.fromEntries(found.map((name) => [name, 1]));
}

function holdsDetail(value: unknown, name: string, levels: number): boolean {
  if (levels === 0 || typeof value !== 'object' || value === null) return false;
  if (isFields(value) && isDetail(value[name])) return true;
  return Object.values(value)
    .slice(0, MAX_ENTRIES)
    .some((inner) => holdsDetail(inner, name, levels - 1));
}

function isDetail(value: unknown): boolean {
  return isFields(value) && ['statusCode', 'status_code'].some((name) => typeof value[name] === 'number');
}

function readDetail(scope: string, data: Fields): Detail {
  const message = text(data.statusMsg) ?? text(data.statusMessage);
  return {
    scope,
    statusCode: count(data.statusCode) ?? 0,
    ...(message === undefined ? {} : { statusMessage: message }),
    data,
  };
}

function postIn(address: unknown): PostLink | undefined {
  const link = typeof address === 'string' ? recognise(address) : null;
  return link?.kind === 'post' ? link : undefined;
}
