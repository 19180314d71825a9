import type { ContentMetadata } from '../../contract/envelope.ts';
import { count, defined, type Fields, fields, isoTime, text } from '../../parsing/values.ts';
import type { EndpointParameters, Extraction, ExtractionContext } from '../platform.ts';
import { type FoundUser, findUser } from './find-user.ts';
import { readLink } from './links.ts';
import { mediaUrl } from './parse/links-of-media.ts';
import { bestStats, person } from './parse/people.ts';
import type { Site } from './requests.ts';
import { followShortLink } from './short-links.ts';

/**
 * What the site tells of a user.
 *
 * @throws MillraceError with the code that says why there is no answer.
 */
export async function userDetails(
  parameters: EndpointParameters,
  context: ExtractionContext,
  site: Site,
): Promise<Extraction> {
  const sent = readLink(parameters.url, 'profile');
  const { link } =
    sent.kind === 'short' ? await followShortLink(sent, 'profile', context.source, site) : { link: sent };
  const { found, source } = await findUser(link.user, site, context);
  return {
    metadata: userMetadata(found),
    ...(source.country === undefined ? {} : { country: source.country }),
  };
}

/** A user in the contract's shape; `user`, `stats` and `statsV2` are the site's own objects. */
export function userMetadata({ profile, step }: FoundUser): ContentMetadata {
  const { user, stats, share } = profile;
  const statsV2 = profile.statsV2 ?? asText(stats);
  const createdTime = count(user.createTime);
  return defined({
    title: text(user.nickname) ?? text(user.uniqueId),
    thumbnailUrl: mediaUrl(user.avatarLarger) ?? mediaUrl(user.avatarMedium) ?? mediaUrl(user.avatarThumb),
    author: { ...person(user, bestStats(statsV2, stats)), user, stats, statsV2 },
    additionalData: defined({
      source: step,
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

/** The counts as text, for pages that have no exact ones (before mid-2025). */
function asText(stats: Fields): Record<string, string> {
  const counts = Object.entries(stats).filter(([, value]) => typeof value === 'number' || typeof value === 'string');
  return Object.fromEntries(counts.map(([name, value]) => [name, String(value)]));
}
