import Type from 'typebox';
import type { ContentMetadata } from '../../../contract/envelope.ts';
import { count, defined, type Fields, fields, isoTime, text } from '../../../parsing/values.ts';
import { defineEndpoint } from '../../define-endpoint.ts';
import type { Endpoint } from '../../platform.ts';
import { followShortLink } from '../find/short-links.ts';
import type { StartLookup } from '../find/strategies.ts';
import { findUser, type UserResult, userStrategies } from '../find/user.ts';
import { mediaUrl } from '../parse/media-links.ts';
import { bestStats, person } from '../parse/people.ts';
import { readLink, subjectsOfUrl, urlParameter } from './parameters.ts';

/** Creates the endpoint for the profile and counts of a user. */
export function userDetails(startLookup: StartLookup): Endpoint {
  return defineEndpoint({
    path: '/user/details',
    summary: 'Profile and counts of a user',
    parameters: Type.Object({
      url: urlParameter(
        'Link to a profile, or text that contains one. Short links and `@name` are supported.',
        'https://www.tiktok.com/@thelab',
      ),
    }),
    credits: 1,
    contents: false,
    returns: ['author.user', 'author.stats', 'author.statsV2'],
    strategies: userStrategies,
    subjects: ({ url }) => subjectsOfUrl(url, 'profile'),
    async extract({ url }, context) {
      const lookup = startLookup(context);
      const reference = readLink(url, 'profile');
      const { link } =
        reference.kind === 'short'
          ? await followShortLink(reference, 'profile', context.source, lookup)
          : { link: reference };
      const { value, source, unread } = await findUser(link.user, lookup, context);
      return {
        metadata: userMetadata(value),
        unread,
        ...(source.country === undefined ? {} : { country: source.country }),
      };
    },
  });
}

/** Returns a user in the contract's format; `user`, `stats` and `statsV2` are the site's own objects. */
function userMetadata({ profile, strategy }: UserResult): ContentMetadata {
  const { user, stats, share } = profile;
  const statsV2 = profile.statsV2 ?? asText(stats);
  const createdTime = count(user.createTime);
  return defined({
    title: text(user.nickname) ?? text(user.uniqueId),
    thumbnailUrl: mediaUrl(user.avatarLarger) ?? mediaUrl(user.avatarMedium) ?? mediaUrl(user.avatarThumb),
    author: { ...person(user, bestStats(statsV2, stats)), user, stats, statsV2 },
    additionalData: defined({
      source: strategy,
      createdAt: isoTime(createdTime),
      createdTime,
      language: text(user.language),
      region: text(user.region),
      category: text(fields(user.commerceUserInfo).category),
      isSeller: user.ttSeller === true || undefined,
      shareTitle: text(share?.title),
      shareDescription: text(share?.desc),
    }),
  });
}

/** Returns the counts as text, for pages without exact ones (before mid-2025). */
function asText(stats: Fields): Record<string, string> {
  const counts = Object.entries(stats).filter(([, value]) => typeof value === 'number' || typeof value === 'string');
  return Object.fromEntries(counts.map(([name, value]) => [name, String(value)]));
}
