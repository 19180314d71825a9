import { countWords, longCount } from '../../words.ts';
import {
  avatars,
  channelEndpoint,
  content,
  continuationCommand,
  type Node,
  ownerBadges,
  runs,
  simple,
  verifiedRun,
} from '../shapes/basics.ts';
import type { Channel } from '../world/channels.ts';
import { writeToken } from './pages.ts';

/** Returns a channel's header in the shape of its generation. */
export function headerOf(channel: Channel): Node {
  return channel.generation === 'old' ? oldHeader(channel) : newHeader(channel);
}

function newHeader(channel: Channel): Node {
  const { name, handle, subscribers, counts, topic } = channel;
  const command = { onTap: { innertubeCommand: aboutPanel(channel) } };
  return {
    pageHeaderRenderer: {
      pageTitle: name,
      content: {
        pageHeaderViewModel: {
          title: { dynamicTextViewModel: { text: { ...content(name), ...verifiedRun(channel) }, maxLines: 2 } },
          image: {
            decoratedAvatarViewModel: {
              avatar: { avatarViewModel: { image: { sources: avatars(channel, 72, 120, 160) } } },
            },
          },
          metadata: {
            contentMetadataViewModel: {
              metadataRows: [
                { metadataParts: [{ text: content(`@${handle}`) }] },
                {
                  metadataParts: [
                    { text: content(countWords(subscribers, 'subscriber')) },
                    { text: content(`${counts.videos} videos`) },
                  ],
                },
              ],
              delimiter: '•',
            },
          },
          description: {
            descriptionPreviewViewModel: {
              description: content(descriptionOf(channel)),
              rendererContext: { commandContext: command },
            },
          },
          attribution: { attributionViewModel: { text: content(`lab.example/${topic}`) } },
          banner: { imageBannerViewModel: { image: { sources: bannerOf(channel) } } },
        },
      },
    },
  };
}

function oldHeader(channel: Channel): Node {
  const { id, name, handle, subscribers, counts } = channel;
  return {
    c4TabbedHeaderRenderer: {
      channelId: id,
      title: name,
      navigationEndpoint: channelEndpoint(channel),
      avatar: { thumbnails: avatars(channel, 48, 88, 176) },
      banner: { thumbnails: bannerOf(channel) },
      ...(channel.verified ? { badges: ownerBadges(channel).ownerBadges } : {}),
      subscriberCountText: simple(countWords(subscribers, 'subscriber')),
      channelHandleText: runs(`@${handle}`),
      videosCountText: runs(longCount(counts.videos), ' videos'),
      tagline: { channelTaglineRenderer: { content: descriptionOf(channel), moreEndpoint: aboutPanel(channel) } },
    },
  };
}

function aboutPanel({ id }: Channel): Node {
  const token = writeToken({ list: `about/${id}`, offset: 0 });
  const item = {
    continuationItemRenderer: { continuationEndpoint: { continuationCommand: continuationCommand(token, 'BROWSE') } },
  };
  const contents = [{ itemSectionRenderer: { contents: [item] } }];
  const engagementPanelSectionListRenderer = { content: { sectionListRenderer: { contents } } };
  return { showEngagementPanelEndpoint: { engagementPanel: { engagementPanelSectionListRenderer } } };
}

/** Returns the content of `channelMetadataRenderer`. */
export function metadataOf(channel: Channel): Node {
  const { id, name, handle, topic } = channel;
  return {
    title: name,
    description: descriptionOf(channel),
    rssUrl: `https://www.youtube.com/feeds/videos.xml?channel_id=${id}`,
    externalId: id,
    keywords: `lab "${topic} and more"`,
    ownerUrls: [`http://www.youtube.com/@${handle}`],
    avatar: { thumbnails: avatars(channel, 900) },
    channelUrl: `https://www.youtube.com/channel/${id}`,
    isFamilySafe: true,
    availableCountryCodes: ['BE', 'DE', 'FR', 'US'],
    vanityChannelUrl: `http://www.youtube.com/@${handle}`,
  };
}

/** Returns a channel's microformat. */
export function microformatOf(channel: Channel): Node {
  const { id, name, topic } = channel;
  const thumbnail = { thumbnails: avatars(channel, 200) };
  const tags = ['lab', topic];
  return {
    microformatDataRenderer: {
      urlCanonical: `https://www.youtube.com/channel/${id}`,
      title: name,
      thumbnail,
      familySafe: true,
      tags,
    },
  };
}

function bannerOf({ handle }: Channel): Node[] {
  return [1060, 2276].map((width) => ({
    url: `https://yt3.ggpht.com/lab/banner-${handle}=w${width}-fcrop64=1,00005a57ffffa5a8-k-c0xffffffff-no-nd-rj`,
    width,
    height: Math.round((width * 9) / 55),
  }));
}

/** Returns a channel's description. */
export function descriptionOf({ topic }: Channel): string {
  return `A new film about ${topic} every Sunday. Filmed on foot, edited on trains, and never sponsored.`;
}
