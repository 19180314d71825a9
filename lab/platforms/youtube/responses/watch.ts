import { ago, countWords, longCount, shortCount } from '../../words.ts';
import {
  avatars,
  channelEndpoint,
  content,
  continuation,
  type Node,
  ownerBadges,
  pictures,
  runs,
  simple,
  titleOf,
} from '../shapes/basics.ts';
import { playlistLockup, videoLockup } from '../shapes/lockups.ts';
import { videoRenderer } from '../shapes/renderers.ts';
import { channelOf } from '../world/channels.ts';
import { playlistAt } from '../world/playlists.ts';
import { publishedAt, type Video, videoAt } from '../world/videos.ts';
import { commentsToken } from './comment-tokens.ts';
import { type List, pageOf } from './pages.ts';
import { descriptionOf } from './player.ts';

/** Returns the watch page of a video: its details, its comments' token, and related videos. */
export function watchResponse(video: Video, hl: string): Node {
  const token = (text: string) => continuation(text, 'WATCH_NEXT');
  const talk = video.noComments
    ? { messageRenderer: { text: runs('Comments are turned off. ', 'Learn more') } }
    : token(commentsToken(video.id));
  const section = { contents: [talk], sectionIdentifier: 'comment-item-section', targetId: 'comments-section' };
  const contents = [primaryInfo(video, hl), secondaryInfo(video), { itemSectionRenderer: section }];
  const results = pageOf(relatedTo(video, hl), 0, token);
  return {
    contents: {
      twoColumnWatchNextResults: {
        results: { results: { contents } },
        secondaryResults: { secondaryResults: { results, targetId: 'watch-next-feed' } },
      },
    },
    currentVideoEndpoint: { watchEndpoint: { videoId: video.id } },
    ...(video.chapters ? { playerOverlays: chapterBar(video) } : {}),
    engagementPanels: video.noComments ? [] : [commentsPanel(video)],
  };
}

/** Returns the list beside a video: 60 entries in pages of 20, a playlist among the first. */
export function relatedTo(video: Video, hl: string): List {
  return {
    name: `related/${video.id}`,
    size: 60,
    perPage: 20,
    at(index) {
      const channel = channelOf((video.channel.number + 6 + index * 17) % 1900);
      if (index === 3) return playlistLockup(playlistAt(channelOf(0), 'playlists', 0));
      const other = videoAt(channel, 'video', index % 30);
      return video.generation === 'old' ? videoRenderer(other, hl) : videoLockup(other, { hl });
    },
  };
}

function primaryInfo(video: Video, hl: string): Node {
  const { views, live, noLikes } = video;
  const watching = { viewCount: runs(longCount(views), ' watching now'), isLive: true };
  const viewNodes = {
    viewCount: simple(`${longCount(views)} views`),
    shortViewCount: simple(countWords(views, 'view')),
  };
  const videoViewCountRenderer = { ...(live === 'on_air' ? watching : viewNodes), originalViewCount: `${views}` };
  const publishDate = new Date(publishedAt(video));
  const day = publishDate.toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
  return {
    videoPrimaryInfoRenderer: {
      title: runs(titleOf(video, hl)),
      viewCount: { videoViewCountRenderer },
      videoActions: { menuRenderer: { topLevelButtons: noLikes ? [] : [likeButton(video)] } },
      superTitleLink: runs(['#lab', { browseEndpoint: { browseId: 'FEhashtag', params: '6gUFCgNsYWI%3D' } }]),
      dateText: simple(live === 'on_air' ? `Started streaming on ${day}` : day),
      relativeDateText: simple(ago(video.age)),
    },
  };
}

function likeButton({ likes, generation }: Video): Node {
  const accessibilityText = `like this video along with ${longCount(likes)} other people`;
  if (generation === 'old') {
    const label = { accessibilityData: { label: `${longCount(likes)} likes` } };
    const defaultText = { accessibility: label, ...simple(shortCount(likes)) };
    return {
      toggleButtonRenderer: {
        defaultIcon: { iconType: 'LIKE' },
        defaultText,
        accessibility: { label: accessibilityText },
      },
    };
  }
  const buttonViewModel = { iconName: 'LIKE', title: shortCount(likes), accessibilityText };
  const toggleButtonViewModel = { toggleButtonViewModel: { defaultButtonViewModel: { buttonViewModel } } };
  return {
    segmentedLikeDislikeButtonViewModel: { likeButtonViewModel: { likeButtonViewModel: { toggleButtonViewModel } } },
  };
}

function secondaryInfo(video: Video): Node {
  const { channel } = video;
  const description = descriptionOf(video);
  const link = /https:\S+/.exec(description);
  const tap = { innertubeCommand: { urlEndpoint: { url: redirectTo(link?.[0] ?? '') } } };
  return {
    videoSecondaryInfoRenderer: {
      owner: { videoOwnerRenderer: owner(video) },
      subscribeButton: { subscribeButtonRenderer: { channelId: channel.id, type: 'FREE' } },
      metadataRowContainer: {
        metadataRowContainerRenderer: {
          rows: [{ metadataRowRenderer: { title: runs('License'), contents: [runs('Creative Commons Attribution')] } }],
        },
      },
      attributedDescription: {
        content: description,
        commandRuns: [{ startIndex: link?.index ?? 0, length: link?.[0].length ?? 0, onTap: tap }],
      },
    },
  };
}

function owner({ channel, collaborators }: Video): Node {
  const common = {
    thumbnail: { thumbnails: avatars(channel, 48, 88, 176) },
    subscriberCountText: simple(countWords(channel.subscribers, 'subscriber')),
    ...(channel.verified ? { badges: ownerBadges(channel).ownerBadges } : {}),
  };
  if (!collaborators) {
    const endpoint = channelEndpoint(channel);
    return { ...common, title: runs([channel.name, endpoint]), navigationEndpoint: endpoint };
  }
  const listItems = [channel, channelOf(6)].map((each) => ({
    listItemViewModel: {
      title: content(each.name, channelEndpoint(each)),
      subtitle: content(`@${each.handle} • ${countWords(each.subscribers, 'subscriber')}`),
      leadingAccessory: { avatarViewModel: { image: { sources: avatars(each, 88) } } },
      rendererContext: { commandContext: { onTap: { innertubeCommand: channelEndpoint(each) } } },
    },
  }));
  const inlineContent = { dialogViewModel: { customContent: { listViewModel: { listItems } } } };
  const dialog = { showDialogCommand: { panelLoadingStrategy: { inlineContent } } };
  return { ...common, attributedTitle: content(`${channel.name} and 1 more`, dialog), navigationEndpoint: dialog };
}

function chapterBar(video: Video): Node {
  const chapters = ['Start', 'Middle', 'End'].map((title, index) => ({
    chapterRenderer: {
      title: simple(title),
      timeRangeStartMillis: Math.floor((video.seconds * index) / 3) * 1000,
      thumbnail: { thumbnails: pictures(video).slice(0, 1) },
    },
  }));
  const markersMap = [{ key: 'DESCRIPTION_CHAPTERS', value: { chapters } }];
  const decoratedPlayerBarRenderer = { playerBar: { multiMarkersPlayerBarRenderer: { markersMap } } };
  return { playerOverlayRenderer: { decoratedPlayerBarRenderer: { decoratedPlayerBarRenderer } } };
}

function commentsPanel({ comments }: Video): Node {
  const header = { title: runs('Comments'), contextualInfo: runs(shortCount(comments)) };
  return {
    engagementPanelSectionListRenderer: {
      panelIdentifier: 'engagement-panel-comments-section',
      header: { engagementPanelTitleHeaderRenderer: header },
    },
  };
}

function redirectTo(url: string): string {
  const members = new URLSearchParams({ event: 'video_description', redir_token: 'LAB', q: url });
  return `https://www.youtube.com/redirect?${members}`;
}
