import { countMembers } from '../../../parsing/numbers.ts';
import { defined, dig, type Fields, flag, httpUrl, list, text, unlessEmpty } from '../../../parsing/values.ts';
import { type ChannelAbout, readLinkText } from './channel-about.ts';
import type { ChannelHeader } from './channel-header.ts';
import { channelIdOf, channelUrl } from './ids.ts';
import { readHandle } from './outbound-links.ts';
import { readTabs } from './channel-tabs.ts';
import { plain } from './text.ts';
import { readThumbnails } from './thumbnails.ts';

const MAX_WORDS = 500;

/** The parts of an answer about a channel. */
export interface ChannelAnswers {
  readonly answer: Fields;
  /** The same in the caller's language. */
  readonly localised?: Fields;
  readonly header: ChannelHeader;
  readonly about?: ChannelAbout | undefined;
}

/**
 * A channel, of all that its page and its "About" panel tell. What both tell is taken from the panel, which has whole
 * numbers where the page has "25.3M".
 *
 * @param id The id that was asked for, where the answer names none.
 */
export function readChannelDetails({ answer, localised, header, about = {} }: ChannelAnswers, id: string) {
  const metadata = dig(answer, 'metadata', 'channelMetadataRenderer');
  const microformat = dig(answer, 'microformat', 'microformatDataRenderer');
  const translated = dig(localised, 'metadata', 'channelMetadataRenderer');
  const channelId = channelIdOf(dig(metadata, 'externalId')) ?? id;
  const find = (shape: RegExp) => header.texts.find((words) => words !== undefined && shape.test(words));
  const { description, country, joinedText, joinedAt, links, ...counts } = about;
  const firstLink = readLinkText(header.firstLink);
  return {
    channelId,
    ...defined({
      handle: find(/^@/) ?? readHandle(dig(metadata, 'vanityChannelUrl')),
      title: plain(dig(translated, 'title')) ?? plain(dig(metadata, 'title')) ?? header.title ?? titleOf(microformat),
      description:
        plain(dig(translated, 'description')) ??
        plain(dig(metadata, 'description')) ??
        description ??
        header.description ??
        plain(dig(microformat, 'description')),
      verified: header.verified || undefined,
      pronouns: header.pronouns,
    }),
    ...countMembers('subscriberCount', find(/\bsubscribers?$/i)),
    ...countMembers('videoCount', find(/\bvideos?$/i)),
    ...counts,
    ...defined({
      country,
      joinedText,
      joinedAt,
      links: links ?? unlessEmpty(firstLink === undefined ? [] : [firstLink]),
      avatar: unlessEmpty(pictures(dig(metadata, 'avatar'), header.avatar, dig(microformat, 'thumbnail'))),
      banner: unlessEmpty(readThumbnails(header.banner)),
      keywords: unlessEmpty(words(dig(microformat, 'tags'))),
      labels: unlessEmpty(header.labels ?? []),
      familySafe: flag(dig(metadata, 'isFamilySafe')) ?? flag(dig(microformat, 'familySafe')),
      availableCountries: unlessEmpty(words(dig(metadata, 'availableCountryCodes')).toSorted()),
      rssUrl: httpUrl(dig(metadata, 'rssUrl')),
      tabs: unlessEmpty(readTabs(answer).map(({ name }) => name)),
    }),
    url: channelUrl(channelId),
  };
}

/** A game's page has its name there, with "- Topic" behind it. */
function titleOf(microformat: unknown): string | undefined {
  return plain(dig(microformat, 'title'));
}

function pictures(...nodes: readonly unknown[]) {
  return nodes.map(readThumbnails).find((found) => found.length > 0) ?? [];
}

function words(node: unknown): readonly string[] {
  return list(node)
    .slice(0, MAX_WORDS)
    .flatMap((word) => text(word) ?? []);
}
