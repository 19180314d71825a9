import { MillraceError } from '../../../contract/errors.ts';
import { dig, type Fields, fields, isFields, list, text } from '../../../parsing/values.ts';
import type { SourceResponse } from '../../platform.ts';
import { readProfilePage } from './page.ts';
import { pageFailure, type Refusal, refusalOf } from './refusal.ts';
import { scriptData } from './script-data.ts';

/** A user as a page describes them. */
export interface Profile {
  readonly user: Fields;
  /** Counts, of which the large ones are rounded. */
  readonly stats: Fields;
  /** Exact counts as text, if the page has them. */
  readonly statsV2?: Fields;
  readonly share?: Fields;
}

/** A user's page after parsing: the profile, or the site's refusal. */
type ProfilePageResult =
  | { readonly profile: Profile; readonly refusal?: never }
  | { readonly refusal: Refusal; readonly profile?: never };

/**
 * Reads a user's page. That of a private account has an error status but may still contain the profile.
 *
 * @throws MillraceError for a page without the user: a login, a bot check, or an empty shell.
 */
export function readProfile(response: SourceResponse): ProfilePageResult {
  const detail = readProfilePage(response);
  if (detail === undefined) throw pageFailure(response);
  const { user, stats, statsV2 } = fields(detail.data.userInfo);
  const complete = isFields(user) && text(user.id) !== undefined && isFields(stats) && stats.videoCount !== undefined;
  const refusal = refusalOf(detail);
  if (refusal !== undefined && !complete) return { refusal };
  if (!complete)
    throw new MillraceError('invalid_response_data', 'TikTok returned a page without the user. Try again.');
  const { shareMeta: share } = detail.data;
  return {
    profile: { user, stats, ...(isFields(statsV2) ? { statsV2 } : {}), ...(isFields(share) ? { share } : {}) },
  };
}

/** Returns a post's author as a profile. */
export function profileOfAuthor(item: Fields): Profile {
  const { author, authorStats, authorStatsV2 } = item;
  const statsV2 = isFields(authorStatsV2) ? { statsV2: authorStatsV2 } : {};
  return { user: fields(author), stats: fields(authorStats), ...statsV2 };
}

/**
 * Returns the IDs of the posts in a user's embedded profile.
 *
 * @throws MillraceError for a page without them.
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
