import { MillraceError } from '../../../contract/errors.ts';
import { dig, type Fields, fields, isFields, list, text } from '../../../parsing/values.ts';
import type { SourceResponse } from '../../platform.ts';
import { readProfilePage } from './page.ts';
import { pageFailure, type Refusal, refusalOf } from './refusal.ts';
import { scriptData } from './script-data.ts';

/** A user as a page describes them. */
export interface Profile {
  readonly user: Fields;
  /** Numbers, of which the large ones are rounded. */
  readonly stats: Fields;
  /** The exact numbers as text, where the page has them. */
  readonly statsV2?: Fields;
  readonly share?: Fields;
}

/** The result of reading a user's page: the profile, or the site's refusal. */
type ProfilePageResult =
  | { readonly profile: Profile; readonly refusal?: never }
  | { readonly refusal: Refusal; readonly profile?: never };

/**
 * Reads the page of a user. That of a private account has a status, yet may hold the profile all the same.
 *
 * @throws MillraceError what a page without the user means: a login, a check for robots, an empty shell.
 */
export function readProfile(response: SourceResponse): ProfilePageResult {
  const detail = readProfilePage(response);
  if (detail === undefined) throw pageFailure(response);
  const { user, stats, statsV2 } = fields(detail.data.userInfo);
  const complete = isFields(user) && text(user.id) !== undefined && isFields(stats) && stats.videoCount !== undefined;
  const refusal = refusalOf(detail);
  if (refusal !== undefined && !complete) return { refusal };
  if (!complete) throw new MillraceError('invalid_response_data', 'TikTok answered with no user. Try again.');
  const { shareMeta: share } = detail.data;
  return {
    profile: { user, stats, ...(isFields(statsV2) ? { statsV2 } : {}), ...(isFields(share) ? { share } : {}) },
  };
}

/** The author of a post as a profile. */
export function profileOfAuthor(item: Fields): Profile {
  const { author, authorStats, authorStatsV2 } = item;
  const statsV2 = isFields(authorStatsV2) ? { statsV2: authorStatsV2 } : {};
  return { user: fields(author), stats: fields(authorStats), ...statsV2 };
}

/**
 * The ids of the posts in a user's embedded box.
 *
 * @throws MillraceError what a page without them means.
 */
export function readEmbeddedPosts(response: SourceResponse, user: string): string[] {
  const data = dig(scriptData(response.text, '__FRONTITY_CONNECT_STATE__')?.json, 'source', 'data');
  const box = Object.entries(fields(data)).find(([path]) => path.toLowerCase() === `/embed/@${user.toLowerCase()}`);
  if (box === undefined) throw pageFailure(response);
  return list(dig(box[1], 'videoList'))
    .slice(0, 100)
    .flatMap((post) => text(fields(post).id) ?? [])
    .filter((id) => /^\d{19}$/.test(id));
}
