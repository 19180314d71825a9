import { longCount } from '../../words.ts';
import {
  avatars,
  channelEndpoint,
  content,
  continuationCommand,
  type Node,
  pictures,
  runs,
  simple,
} from '../shapes/basics.ts';
import { shortLockup, videoLockup } from '../shapes/lockups.ts';
import { playlistVideoRenderer } from '../shapes/renderers.ts';
import type { Playlist } from '../world/playlists.ts';
import { type List, pageOf } from './pages.ts';

/** Views of every playlist. */
const views = 1_234_567;
const description = 'Gathered by the lab.';

/** Returns a playlist's page: 100 entries, in the shape of the playlist's generation. */
export function playlistResponse(playlist: Playlist, hl: string): Node {
  const items = pageOf(listOf(playlist, hl), 0, moreOf(playlist));
  const contents = contentsOf(playlist, items);
  const tab = { tabRenderer: { selected: true, content: { sectionListRenderer: { contents: [contents] } } } };
  const notice = { type: 'INFO', text: simple('1 unavailable video is hidden') };
  return {
    header: playlist.generation === 'old' ? oldHeader(playlist) : header(playlist),
    contents: { twoColumnBrowseResultsRenderer: { tabs: [tab] } },
    ...(playlist.kind === 'uploads' ? {} : { alerts: [{ alertWithButtonRenderer: notice }] }),
    ...frame(playlist),
  };
}

/**
 * Returns a later page of a playlist. In the newest shape, it repeats everything on the first page except for the
 * entries.
 */
export function playlistPage(playlist: Playlist, offset: number, hl: string): Node {
  const continuationItems = pageOf(listOf(playlist, hl), offset, moreOf(playlist));
  return {
    ...(playlist.generation === 'new' ? frame(playlist) : {}),
    onResponseReceivedActions: [{ appendContinuationItemsAction: { continuationItems, targetId: 'playlist' } }],
  };
}

function listOf(playlist: Playlist, hl: string): List {
  const { id, generation, size } = playlist;
  return {
    name: `VL${id}`,
    size,
    perPage: 100,
    at(index) {
      const video = playlist.at(index);
      if (video.kind === 'short') return { richItemRenderer: { content: shortLockup(video, hl, index) } };
      if (generation === 'old') return playlistVideoRenderer(video, hl, id, index);
      return video.refusal === 'private'
        ? hiddenLockup(video.id)
        : videoLockup(video, { hl, entry: { playlistId: id, index } });
    },
  };
}

/** Returns a private entry: a lockup with hardly any content. */
function hiddenLockup(id: string): Node {
  const sources = [{ url: 'https://i.ytimg.com/img/no_thumbnail.jpg', width: 120, height: 90 }];
  return {
    lockupViewModel: {
      contentImage: { thumbnailViewModel: { image: { sources } } },
      metadata: { lockupMetadataViewModel: { title: content('[Private video]') } },
      contentId: id,
      contentType: 'LOCKUP_CONTENT_TYPE_VIDEO',
    },
  };
}

function contentsOf({ id, generation, ...playlist }: Playlist, items: readonly Node[]): Node {
  if (playlist.at(0).kind === 'short') return { richGridRenderer: { contents: items } };
  if (generation === 'new') return { itemSectionRenderer: { contents: items } };
  const list = { playlistVideoListRenderer: { contents: items, playlistId: id, isEditable: false, canReorder: false } };
  return { itemSectionRenderer: { contents: [list] } };
}

function moreOf({ generation }: Playlist): (token: string) => Node {
  if (generation === 'new') {
    return (token) => ({
      continuationItemViewModel: {
        trigger: 'CONTINUATION_TRIGGER_ON_ITEM_SHOWN',
        continuationCommand: { innertubeCommand: { continuationCommand: continuationCommand(token, 'BROWSE') } },
      },
    });
  }
  return (token) => {
    const refresh = { playlistVotingRefreshPopupCommand: {} };
    const commands = [refresh, { continuationCommand: continuationCommand(token, 'BROWSE') }];
    return { continuationItemRenderer: { continuationEndpoint: { commandExecutorCommand: { commands } } } };
  };
}

function header({ title, channel, size, ...playlist }: Playlist): Node {
  const avatar = { avatarViewModel: { image: { sources: avatars(channel, 48) } } };
  const by = `by ${channel.name}`;
  const avatarStackViewModel = { avatars: [avatar], text: content(by, channelEndpoint(channel)) };
  const facts = ['Playlist', `${longCount(size)} videos`, `${longCount(views)} views`];
  const image = { sources: pictures(playlist.at(0)) };
  return {
    pageHeaderRenderer: {
      pageTitle: title,
      content: {
        pageHeaderViewModel: {
          title: { dynamicTextViewModel: { text: content(title) } },
          metadata: {
            contentMetadataViewModel: {
              metadataRows: [
                { metadataParts: [{ avatarStack: { avatarStackViewModel } }] },
                { metadataParts: facts.map((fact) => ({ text: content(fact) })) },
              ],
              delimiter: '•',
            },
          },
          description: { descriptionPreviewViewModel: { description: content(description) } },
          heroImage: { contentPreviewImageViewModel: { image } },
        },
      },
    },
  };
}

function oldHeader({ id, title, channel, size }: Playlist): Node {
  return {
    playlistHeaderRenderer: {
      playlistId: id,
      title: simple(title),
      numVideosText: runs(longCount(size), ' videos'),
      descriptionText: simple(description),
      ownerText: runs([channel.name, channelEndpoint(channel)]),
      viewCountText: simple(`${longCount(views)} views`),
      privacy: 'PUBLIC',
      ownerEndpoint: channelEndpoint(channel),
      byline: [{ playlistBylineRenderer: { text: simple('Last updated on Jul 1, 2026') } }],
    },
  };
}

function frame({ id, title, channel, size, ...playlist }: Playlist): Node {
  const thumbnails = pictures(playlist.at(0));
  const stats = [
    runs(longCount(size), ' videos'),
    simple(`${longCount(views)} views`),
    runs('Updated ', '3', ' days ago'),
  ];
  const primary = {
    title: runs(title),
    stats,
    description: simple(description),
    thumbnailRenderer: { playlistVideoThumbnailRenderer: { thumbnail: { thumbnails } } },
  };
  const videoOwnerRenderer = {
    title: runs([channel.name, channelEndpoint(channel)]),
    thumbnail: { thumbnails: avatars(channel, 48) },
  };
  const items = [
    { playlistSidebarPrimaryInfoRenderer: primary },
    { playlistSidebarSecondaryInfoRenderer: { videoOwner: { videoOwnerRenderer } } },
  ];
  const urlCanonical = `http://www.youtube.com/playlist?list=${id}`;
  return {
    metadata: { playlistMetadataRenderer: { title, description } },
    microformat: { microformatDataRenderer: { urlCanonical, title, description, thumbnail: { thumbnails } } },
    sidebar: { playlistSidebarRenderer: { items } },
  };
}
