import { MillraceError } from '../../../contract/errors.ts';
import { fields, text } from '../../../parsing/values.ts';
import type { ExtractionContext, SourceClient } from '../../platform.ts';
import { readPostPage } from '../parse/page.ts';
import { readPost } from '../parse/post.ts';
import { type Profile, profileOfAuthor, readEmbeddedPosts, readProfile } from '../parse/profile.ts';
import { requestEmbeddedProfile, requestPost, requestProfile } from '../requests.ts';
import { type Found, type Lookup, type Outcome, type Strategy, tryStrategies } from './strategies.ts';

/** The strategies to find a user: by their page, or as the author of a post in their embedded profile. */
export const userStrategies = ['desktop', 'embed'] as const;

type UserStrategy = (typeof userStrategies)[number];

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
export async function findUser(user: string, lookup: Lookup, context: ExtractionContext): Promise<Found<UserResult>> {
  const strategies = {
    desktop: (source) => fetchPage(user, source, lookup),
    embed: (source) => fetchEmbed(user, source, lookup),
  } satisfies Record<UserStrategy, Strategy<UserResult>>;
  return await tryStrategies(strategies, lookup, context);
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
