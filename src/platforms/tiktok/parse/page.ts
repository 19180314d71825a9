import { MillraceError } from '../../../contract/errors.ts';
import { count, dig, type Fields, fields, isFields, text } from '../../../parsing/values.ts';
import type { SourceResponse } from '../../platform.ts';
import { type PostLink, recognise } from '../links.ts';
import { scriptData } from './script-data.ts';

/** The subject of a page: a post or a user. */
export interface Detail {
  /** 0 where the site shows it. */
  readonly statusCode: number;
  /** The site's words for a status. */
  readonly statusMessage?: string;
  readonly data: Fields;
}

/** The contents of a post's page. */
export interface PostPage {
  readonly detail?: Detail;
  /** The first comments, on the streamed page for phones alone (seen 2026-05). */
  readonly comments?: Fields;
  /** The post that the page names as its own. */
  readonly canonical?: PostLink;
}

const postScopes = ['webapp.video-detail', 'webapp.reflow.video.detail'] as const;

/** Reads the page of a post, in either generation: for desktops, for phones, or streamed for phones. */
export function readPostPage(response: SourceResponse): PostPage {
  const scopes = readScopes(response);
  const scope = postScopes.find((name) => isFields(scopes[name]));
  const canonical = postIn(dig(scopes, 'seo.abtest', 'canonical'));
  const common = canonical === undefined ? {} : { canonical };
  if (scope !== undefined) return { detail: readDetail(fields(scopes[scope])), ...common };
  const { videoDetail, commentList } = fields(scriptData(response.text, 'api-data')?.json);
  if (!isFields(videoDetail)) return common;
  return { detail: readDetail(videoDetail), ...common, ...(isFields(commentList) ? { comments: commentList } : {}) };
}

/** Reads the page of a user. */
export function readProfilePage(response: SourceResponse): Detail | undefined {
  const detail = readScopes(response)['webapp.user-detail'];
  return isFields(detail) ? readDetail(detail) : undefined;
}

/**
 * The data of a page by scope (`webapp.video-detail` and its like); none where it has no such data.
 *
 * @throws MillraceError `invalid_response_data` where the page has the data but they cannot be read.
 */
function readScopes({ text: html }: SourceResponse): Fields {
  const script = scriptData(html, '__UNIVERSAL_DATA_FOR_REHYDRATION__');
  if (script === undefined) return {};
  if (isFields(script.json)) return fields(script.json.__DEFAULT_SCOPE__);
  throw new MillraceError('invalid_response_data', 'TikTok answered with a page that cannot be read. Try again.');
}

function readDetail(data: Fields): Detail {
  const message = text(data.statusMsg) ?? text(data.statusMessage);
  return {
    statusCode: count(data.statusCode) ?? 0,
    ...(message === undefined ? {} : { statusMessage: message }),
    data,
  };
}

function postIn(address: unknown): PostLink | undefined {
  const link = typeof address === 'string' ? recognise(address) : null;
  return link?.kind === 'post' ? link : undefined;
}
