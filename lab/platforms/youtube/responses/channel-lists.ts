import { continuation, continuationCommand, type Node, runs } from '../shapes/basics.ts';
import { playlistLockup, shortLockup, videoLockup } from '../shapes/lockups.ts';
import { postThread } from '../shapes/posts.ts';
import { gridPlaylistRenderer, playlistRenderer, videoRenderer } from '../shapes/renderers.ts';
import type { Channel, ListName } from '../world/channels.ts';
import { playlistAt } from '../world/playlists.ts';
import { postAt } from '../world/posts.ts';
import { videoAt } from '../world/videos.ts';
import { type List, pageOf, writeToken } from './pages.ts';

/** Order of a tab's list. */
export type Order = 'newest' | 'popular' | 'oldest';

/** Tab of a channel's page. */
export interface ChannelTab {
  /** Name in its address. */
  readonly name: string;
  /** Number of the member in its `params` that identifies the tab. */
  readonly number: number;
  readonly title: string;
  /** List of the tab; absent for the first tab. */
  readonly list?: ListName;
}

/** The first tab, which every channel has. */
export const homeTab: ChannelTab = { name: 'featured', number: 6, title: 'Home' };

/** The tabs in order. A channel has only the tabs that are not empty. */
export const channelTabs: readonly ChannelTab[] = [
  homeTab,
  { name: 'videos', number: 7, title: 'Videos', list: 'videos' },
  { name: 'shorts', number: 19, title: 'Shorts', list: 'shorts' },
  { name: 'streams', number: 15, title: 'Live', list: 'streams' },
  { name: 'releases', number: 22, title: 'Releases', list: 'releases' },
  { name: 'podcasts', number: 23, title: 'Podcasts', list: 'podcasts' },
  { name: 'playlists', number: 8, title: 'Playlists', list: 'playlists' },
  { name: 'posts', number: 9, title: 'Posts', list: 'posts' },
];

const perPage: Readonly<Record<ListName, number>> = {
  videos: 30,
  shorts: 48,
  streams: 30,
  playlists: 30,
  releases: 30,
  podcasts: 30,
  posts: 10,
};

const orders: Readonly<Record<Order, string>> = { newest: 'Latest', popular: 'Popular', oldest: 'Oldest' };

/** Returns the name of a tab's list in its tokens. */
export function listName({ id }: Channel, tab: ChannelTab, order: Order): string {
  return `channel/${id}/${tab.name}/${order}`;
}

/** Returns the list of a tab. */
export function channelList(channel: Channel, tab: ChannelTab, order: Order, hl: string, name: string): List {
  const list = tab.list ?? 'videos';
  const size = channel.counts[list];
  return { name, size, perPage: perPage[list], at: (index) => entry(channel, list, placeOf(index, size, order), hl) };
}

/** Returns the content of an open tab. */
export function tabContent(channel: Channel, tab: ChannelTab, hl: string): Node {
  const { list } = tab;
  if (list === undefined) return home(channel, hl);
  const items = pageOf(channelList(channel, tab, 'newest', hl, listName(channel, tab, 'newest')), 0, (token) =>
    continuation(token, 'BROWSE'),
  );
  if (list === 'posts') return section(items);
  if (list === 'playlists') return section([{ gridRenderer: { items } }]);
  const isSortable = list === 'videos' || list === 'shorts' || list === 'streams';
  return {
    richGridRenderer: {
      contents: items,
      ...(isSortable ? { header: chips(channel, tab) } : {}),
      targetId: `browse-feed${channel.id}`,
    },
  };
}

function entry(channel: Channel, list: ListName, index: number, hl: string): Node {
  const rich = (item: Node) => ({ richItemRenderer: { content: item } });
  const old = channel.generation === 'old';
  switch (list) {
    case 'videos':
    case 'streams': {
      const video = videoAt(channel, list === 'videos' ? 'video' : 'stream', index);
      return rich(old ? videoRenderer(video, hl) : videoLockup(video, { hl, own: true }));
    }
    case 'shorts':
      return rich(shortLockup(videoAt(channel, 'short', index), hl, index));
    case 'playlists': {
      const playlist = playlistAt(channel, 'playlists', index);
      return old ? gridPlaylistRenderer(playlist) : playlistLockup(playlist, true);
    }
    case 'releases':
      return rich(playlistRenderer(playlistAt(channel, 'releases', index)));
    case 'podcasts':
      return rich(playlistLockup(playlistAt(channel, 'podcasts', index), true));
    case 'posts':
      return postThread(postAt(channel, index), hl);
  }
}

/** Returns the index in the original order of the entry that has the given index in another order. */
function placeOf(index: number, size: number, order: Order): number {
  if (order === 'newest') return index;
  if (order === 'oldest') return size - 1 - index;
  // A step that has no factor in common with the size reaches every index once.
  const step = [7, 11, 13].find((each) => size % each !== 0) ?? 1;
  return (index * step) % size;
}

function home(channel: Channel, hl: string): Node {
  const videos = Array.from({ length: Math.min(6, channel.counts.videos) }, (_, index) =>
    entry(channel, 'videos', index, hl),
  );
  const items = videos.map(({ richItemRenderer }) => Object(richItemRenderer).content);
  const shelf = { shelfRenderer: { title: runs('Videos'), content: { horizontalListRenderer: { items } } } };
  return section(
    items.length === 0 ? [{ messageRenderer: { text: runs("This channel doesn't have any content") } }] : [shelf],
  );
}

function section(contents: readonly Node[]): Node {
  return { sectionListRenderer: { contents: [{ itemSectionRenderer: { contents } }] } };
}

/** Returns the buttons that change a list's order, in the shape of the channel's generation. */
function chips(channel: Channel, tab: ChannelTab): Node {
  const chipNodes = Object.entries(orders).map(([order, text]) => {
    const token = writeToken({ list: listName(channel, tab, order as Order), offset: 0 });
    const command = { continuationCommand: continuationCommand(token, 'BROWSE') };
    const selected = order === 'newest';
    return channel.generation === 'old'
      ? { chipCloudChipRenderer: { text: { simpleText: text }, navigationEndpoint: command, isSelected: selected } }
      : { chipViewModel: { text, selected, tapCommand: { innertubeCommand: command } } };
  });
  return channel.generation === 'old'
    ? { feedFilterChipBarRenderer: { contents: chipNodes } }
    : { chipBarViewModel: { chips: chipNodes } };
}
