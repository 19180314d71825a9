import { MillraceError } from '../../../contract/errors.ts';
import { fields, text } from '../../../parsing/values.ts';
import type { ExtractionContext, SourceClient } from '../../platform.ts';
import { readPostPage } from '../parse/page.ts';
import { readPost } from '../parse/post.ts';
import { type Profile, profileOfAuthor, readEmbeddedPosts, readProfile } from '../parse/profile.ts';
import { requestEmbeddedProfile, requestPost, requestProfile } from '../requests.ts';
import { type Lookup, type Outcome, tryStrategies } from './strategies.ts';

/** A strategy to find a user: by their page, or as the author of a post in their embedded profile. */
type UserStrategy = 'desktop' | 'embed';

/** A user, and the strategy that found them. */
export interface UserResult {
  readonly profile: Profile;
  readonly strategy: UserStrategy;
}

/**
 * Finds a user by name.
 *
 * @throws MillraceError for the site's refusal, else for an invalid response.
 */
export async function findUser(
  user: string,
  lookup: Lookup,
  context: ExtractionContext,
): Promise<{ readonly value: UserResult; readonly source: SourceClient }> {
  return await tryStrategies<UserResult>(
    [(source) => fetchPage(user, source, lookup), (source) => fetchEmbed(user, source, lookup)],
    lookup,
    context,
  );
}

async function fetchPage(user: string, source: SourceClient, lookup: Lookup): Promise<Outcome<UserResult>> {
  const { profile, refusal } = readProfile(await requestProfile(source, lookup, user));
  return refusal === undefined ? { value: { profile, strategy: 'desktop' } } : { refusal };
}

/** Finds a user by their embedded profile, which only lists their own posts. The first post names its author. */
async function fetchEmbed(user: string, source: SourceClient, lookup: Lookup): Promise<Outcome<UserResult>> {
  const [id] = readEmbeddedPosts(await requestEmbeddedProfile(source, lookup, user), user);
  if (id === undefined) throw noAuthor();
  const response = await requestPost(source, lookup, 'mobile', { id, user });
  const { post } = readPost(response, readPostPage(response), id);
  const handle = text(fields(post?.item.author).uniqueId);
  if (post === undefined || handle?.toLowerCase() !== user.toLowerCase()) throw noAuthor();
  return { value: { profile: profileOfAuthor(post.item), strategy: 'embed' } };
}

function noAuthor(): MillraceError {
  return new MillraceError(
    'non_2xx_response',
    'TikTok returned no post that identifies the user. Try again in a moment.',
  );
}
