import { dig, list } from '../../../parsing/values.ts';
import type { UnreadKinds } from '../../unread.ts';
import { hasVerifiedBadge, readBadges } from './badges.ts';
import { readContinuation } from './continuations.ts';
import { memberKinds } from './member-kinds.ts';
import { readText } from './text.ts';

const MAX_PARTS = 50;

/** The contents of a channel page's header, in any format. */
export interface ChannelHeader {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly verified?: boolean;
  /** Handle, subscribers, videos and other texts below the title, which are distinguished by their contents. */
  readonly texts: readonly (string | undefined)[];
  readonly pronouns?: string | undefined;
  /** Labels such as "Video game" and "Adventure game". */
  readonly labels?: readonly string[];
  /** `{thumbnails}` or `{sources}`. */
  readonly avatar?: unknown;
  readonly banner?: unknown;
  /** A text that links to the first of the channel's links. */
  readonly firstLink?: unknown;
  /** The token that opens the "About" panel. */
  readonly aboutToken?: string | undefined;
}

/**
 * Reads a channel page's header: `pageHeaderViewModel` (since 2024), `c4TabbedHeaderRenderer` (before),
 * `carouselHeaderRenderer` (YouTube's own Music, Sports …), `interactiveTabbedHeaderRenderer` (games).
 */
export function readChannelHeader(header: unknown): ChannelHeader {
  const page = dig(header, 'pageHeaderRenderer', 'content', 'pageHeaderViewModel');
  if (page !== undefined) return readPageHeader(page);
  const tabbedHeader = dig(header, 'c4TabbedHeaderRenderer');
  if (tabbedHeader !== undefined) return readTabbedHeader(tabbedHeader);
  const game = dig(header, 'interactiveTabbedHeaderRenderer');
  if (game !== undefined) return readGameHeader(game);
  return readTopicHeader(dig(header, 'carouselHeaderRenderer'));
}

/** Counts a header of an unknown format, or returns no kind for a known one and for a page without a header. */
export function unreadHeader(header: unknown): UnreadKinds {
  const { title, texts } = readChannelHeader(header);
  return header === undefined || title !== undefined || texts.length > 0 ? {} : memberKinds(header);
}

function readPageHeader(page: unknown): ChannelHeader {
  const title = dig(page, 'title', 'dynamicTextViewModel', 'text');
  const parts = list(dig(page, 'metadata', 'contentMetadataViewModel', 'metadataRows'))
    .slice(0, MAX_PARTS)
    .flatMap((row) => list(dig(row, 'metadataParts')).slice(0, MAX_PARTS));
  const pronouns = parts.find((part) => String(dig(part, 'tooltip')).startsWith('Pronouns'));
  const panels = [
    dig(page, 'description', 'descriptionPreviewViewModel', 'rendererContext', 'commandContext', 'onTap'),
    dig(page, 'attribution', 'attributionViewModel', 'suffix', 'commandRuns', 0, 'onTap'),
  ];
  return {
    title: readText(title),
    description: readText(dig(page, 'description', 'descriptionPreviewViewModel', 'description')),
    verified: hasVerifiedBadge(title),
    texts: parts.map((part) => readText(dig(part, 'text'))),
    pronouns: readText(dig(pronouns, 'text')),
    avatar:
      dig(page, 'image', 'decoratedAvatarViewModel', 'avatar', 'avatarViewModel', 'image') ??
      dig(page, 'animatedImage', 'contentPreviewImageViewModel', 'image'),
    banner: dig(page, 'banner', 'imageBannerViewModel', 'image'),
    firstLink: dig(page, 'attribution', 'attributionViewModel', 'text'),
    aboutToken: panels.map((tap) => panelToken(dig(tap, 'innertubeCommand'))).find((token) => token !== undefined),
  };
}

function readTabbedHeader(header: unknown): ChannelHeader {
  const tagline = dig(header, 'tagline', 'channelTaglineRenderer');
  return {
    title: readText(dig(header, 'title')),
    description: readText(dig(tagline, 'content')),
    verified: readBadges(dig(header, 'badges')).verified,
    texts: ['channelHandleText', 'subscriberCountText', 'videosCountText'].map((name) => readText(dig(header, name))),
    avatar: dig(header, 'avatar'),
    banner: dig(header, 'banner'),
    firstLink: dig(header, 'headerLinks', 'channelHeaderLinksViewModel', 'firstLink'),
    aboutToken: panelToken(dig(tagline, 'moreEndpoint')),
  };
}

function readGameHeader(game: unknown): ChannelHeader {
  return {
    title: readText(dig(game, 'title')),
    description: readText(dig(game, 'description')),
    texts: [],
    labels: readBadges(dig(game, 'badges')).labels,
    avatar: dig(game, 'boxArt'),
    banner: dig(game, 'banner'),
  };
}

function readTopicHeader(carousel: unknown): ChannelHeader {
  const topic = list(dig(carousel, 'contents'))
    .map((part) => dig(part, 'topicChannelDetailsRenderer'))
    .find((part) => part !== undefined);
  return {
    title: readText(dig(topic, 'title')),
    texts: [readText(dig(topic, 'subtitle'))],
    avatar: dig(topic, 'avatar'),
  };
}

/** Returns the continuation token that is a panel's only initial content. */
function panelToken(command: unknown): string | undefined {
  const panel = dig(command, 'showEngagementPanelEndpoint', 'engagementPanel', 'engagementPanelSectionListRenderer');
  const section = dig(panel, 'content', 'sectionListRenderer', 'contents', 0, 'itemSectionRenderer');
  return readContinuation(dig(section, 'contents', 0, 'continuationItemRenderer'));
}
