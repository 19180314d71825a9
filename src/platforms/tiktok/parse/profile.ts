import { dig, type Fields, fields, isFields, text } from '../../../parsing/values.ts';
import type { SourceResponse } from '../../platform.ts';
import { unreadResponse } from '../../unread.ts';
import { createListReader } from './list-reader.ts';
import { readProfilePage, unreadDetail } from './page.ts';
import { pageFailure, type Refusal, refusalOf } from './refusal.ts';
import { scriptData } from './script-data.ts';
import { inPlaceOf } from './unknown-members.ts';

/** Maximum number of posts that are read from an embedded profile. */
const MAX_POSTS = 100;

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
  const page = readProfilePage(response);
  const { detail } = page;
  if (detail === undefined) throw pageFailure(response, page);
  const { user, stats, statsV2 } = fields(detail.data.userInfo);
  const counts = { ...fields(statsV2), ...fields(stats) };
  const refusal = refusalOf(detail);
  const isIdentified = text(fields(user).id) !== undefined;
  // The page of a private account may contain the user, but no counts.
  if (refusal !== undefined && !(isIdentified && counts.videoCount !== undefined)) return { refusal };
  if (!isIdentified) throw unreadDetail('profile', detail, ['userInfo', 'user', 'id']);
  if (Object.keys(counts).length === 0) throw unreadDetail('profile', detail, ['userInfo', 'stats', 'videoCount']);
  const { shareMeta: share } = detail.data;
  return {
    profile: {
      user: fields(user),
      stats: isFields(stats) ? stats : fields(statsV2),
      ...(isFields(statsV2) ? { statsV2 } : {}),
      ...(isFields(share) ? { share } : {}),
    },
  };
}

/** Returns a post's author as a profile. */
export function profileOfAuthor(item: Fields): Profile {
  const { author, authorStats, authorStatsV2 } = item;
  const statsV2 = isFields(authorStatsV2) ? { statsV2: authorStatsV2 } : {};
  return { user: fields(author), stats: fields(authorStats), ...statsV2 };
}

/** Members of a user's embedded profile that are objects. */
const knownParts = new Set(['videoList', 'userInfo']);

/**
 * Returns the IDs of the posts in a user's embedded profile.
 *
 * @throws MillraceError for a page without them.
 */
export function readEmbeddedPosts(response: SourceResponse, user: string): string[] {
  const data = dig(scriptData(response.text, '__FRONTITY_CONNECT_STATE__')?.json, 'source', 'data');
  const box = Object.entries(fields(data)).find(([path]) => path.toLowerCase() === `/embed/@${user.toLowerCase()}`);
  if (box === undefined) throw pageFailure(response);
  const posts = dig(box[1], 'videoList');
  const lists = createListReader();
  const ids = lists.read('embed.videoList', posts, MAX_POSTS, (post) => {
    const id = text(fields(post).id);
    return id !== undefined && /^\d{19}$/.test(id) ? [id] : [];
  });
  if (Array.isArray(posts) && (posts.length === 0 || ids.length > 0)) return ids;
  throw unreadResponse(
    'TikTok returned the embedded profile',
    Array.isArray(posts) ? lists.unread.kinds() : inPlaceOf('videoList', 'embed', box[1], knownParts),
  );
}
