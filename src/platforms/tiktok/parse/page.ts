import { MillraceError } from '../../../contract/errors.ts';
import { count, dig, type Fields, fields, isFields, text } from '../../../parsing/values.ts';
import type { SourceResponse } from '../../platform.ts';
import { type PostLink, recognise } from '../links.ts';
import { scriptData } from './script-data.ts';

/** The subject of a page: a post or a user. */
export interface Detail {
  /** 0 if the site displays the subject. */
  readonly statusCode: number;
  /** The site's text for a status. */
  readonly statusMessage?: string;
  readonly data: Fields;
}

/** The contents of a post's page. */
export interface PostPage {
  readonly detail?: Detail;
  /** The first comments, only on the streamed mobile page (seen 2026-05). */
  readonly comments?: Fields;
  /** The post that the page names as its own. */
  readonly canonical?: PostLink;
}

const postScopes = ['webapp.video-detail', 'webapp.reflow.video.detail'] as const;

/** Reads a post's page in any format: desktop, mobile, or streamed mobile. */
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

/** Reads a user's page. */
export function readProfilePage(response: SourceResponse): Detail | undefined {
  const detail = readScopes(response)['webapp.user-detail'];
  return isFields(detail) ? readDetail(detail) : undefined;
}

/**
 * Returns the data of a page by scope (such as `webapp.video-detail`), or an empty object if there is none.
 *
 * @throws MillraceError `invalid_response_data` if the page's data cannot be parsed.
 */
function readScopes({ text: html }: SourceResponse): Fields {
  const script = scriptData(html, '__UNIVERSAL_DATA_FOR_REHYDRATION__');
  if (script === undefined) return {};
  if (isFields(script.json)) return fields(script.json.__DEFAULT_SCOPE__);
  throw new MillraceError('invalid_response_data', 'TikTok returned a page that cannot be read. Try again.');
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
