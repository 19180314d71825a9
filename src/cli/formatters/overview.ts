import type { KnownMetadata } from '../../contract/metadata.ts';
import { sanitiseLine } from '../terminal/sanitise.ts';

/** Longer descriptions are only printed with `--json`. */
const MAX_DESCRIPTION = 300;

/** The counts that are shown, each with its unit. */
const counts = {
  subscriberCount: 'subscribers',
  followerCount: 'followers',
  videoCount: 'videos',
  postCount: 'posts',
  viewCount: 'views',
  likeCount: 'likes',
} as const;

/** Formats what a channel, profile, list, hashtag or post is: its size, description and link. Empty for others. */
export function overviewOf({ channel, playlist, hashtag, post, author }: KnownMetadata): string {
  const subject: Readonly<Record<string, unknown>> | undefined =
    channel ?? playlist?.info ?? hashtag ?? post ?? author ?? undefined;
  if (subject === undefined) return '';
  const description = textOf(subject.description) ?? textOf(subject.biography) ?? textOf(subject.text);
  const lines = [
    factsOf(subject).join(' · '),
    description === undefined || description.length <= MAX_DESCRIPTION
      ? (description ?? '')
      : `${description.slice(0, MAX_DESCRIPTION).toWellFormed()}…`,
    textOf(subject.url) ?? '',
  ];
  return lines
    .filter((line) => line !== '')
    .map((line) => `${sanitiseLine(line)}\n`)
    .join('');
}

function factsOf(subject: Readonly<Record<string, unknown>>): readonly string[] {
  const handle = textOf(subject.handle);
  const sizes = Object.entries(counts).flatMap(([name, unit]) => {
    const count = subject[name];
    return typeof count === 'number' ? [`${compact.format(count)} ${unit}`] : [];
  });
  return [
    ...(handle === undefined ? [] : [handle.startsWith('@') ? handle : `@${handle}`]),
    ...sizes,
    ...[subject.joinedText, subject.updatedText].flatMap((text) => textOf(text) ?? []),
    ...(subject.verified === true ? ['verified'] : []),
    ...(subject.private === true ? ['private'] : []),
  ];
}

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
