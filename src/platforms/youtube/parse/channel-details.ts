import { countMembers } from '../../../parsing/numbers.ts';
import { defined, dig, type Fields, flag, list, text, unlessEmpty } from '../../../parsing/values.ts';
import { httpSiteUrl } from '../../site-urls.ts';
import { type ChannelAbout, readLinkText } from './channel-about.ts';
import type { ChannelHeader } from './channel-header.ts';
import { readTabs } from './channel-tabs.ts';
import { channelIdOf, channelUrl } from './ids.ts';
import { readHandle } from './outbound-links.ts';
import { readText } from './text.ts';
import { readThumbnails } from './thumbnails.ts';

const MAX_WORDS = 500;

/** The parts of a response about a channel. */
interface ChannelDetailsInput {
  readonly response: Fields;
  /** The same response in the caller's language. */
  readonly translation?: Fields;
  readonly header: ChannelHeader;
  readonly about?: ChannelAbout | undefined;
}

/**
 * Returns a channel, combined from its page and "About" panel. The panel takes precedence, because it has whole numbers
 * where the page has "25.3M".
 *
 * @param id The requested ID, used if the response has none.
 */
export function readChannelDetails({ response, translation, header, about = {} }: ChannelDetailsInput, id: string) {
  const metadata = dig(response, 'metadata', 'channelMetadataRenderer');
  const microformat = dig(response, 'microformat', 'microformatDataRenderer');
  const translatedMetadata = dig(translation, 'metadata', 'channelMetadataRenderer');
  const channelId = channelIdOf(dig(metadata, 'externalId')) ?? id;
  const find = (shape: RegExp) => header.texts.find((words) => words !== undefined && shape.test(words));
  const { description, country, joinedText, joinedAt, links, ...counts } = about;
  const firstLink = readLinkText(header.firstLink);
  return {
    channelId,
    ...defined({
      handle: find(/^@/) ?? readHandle(dig(metadata, 'vanityChannelUrl')),
      title:
        readText(dig(translatedMetadata, 'title')) ??
        readText(dig(metadata, 'title')) ??
        header.title ??
        titleOf(microformat),
      description:
        readText(dig(translatedMetadata, 'description')) ??
        readText(dig(metadata, 'description')) ??
        description ??
        header.description ??
        readText(dig(microformat, 'description')),
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
      rssUrl: httpSiteUrl(dig(metadata, 'rssUrl')),
      tabs: unlessEmpty(readTabs(response).map(({ name }) => name)),
    }),
    url: channelUrl(channelId),
  };
}

/** Returns the title in the microformat. For a game's channel, this is the game's name followed by "- Topic". */
function titleOf(microformat: unknown): string | undefined {
  return readText(dig(microformat, 'title'));
}

function pictures(...nodes: readonly unknown[]) {
  return nodes.map(readThumbnails).find((thumbnails) => thumbnails.length > 0) ?? [];
}

function words(node: unknown): readonly string[] {
  return list(node)
    .slice(0, MAX_WORDS)
    .flatMap((word) => text(word) ?? []);
}
