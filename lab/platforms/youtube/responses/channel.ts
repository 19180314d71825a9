import { countWords, longCount } from '../../words.ts';
import { encodeMembers, message } from '../protobuf.ts';
import { channelEndpoint, content, continuation, type Node, runs, simple } from '../shapes/basics.ts';
import type { Channel } from '../world/channels.ts';
import { descriptionOf, headerOf, metadataOf, microformatOf } from './channel-header.ts';
import { type ChannelTab, channelList, channelTabs, homeTab, type Order, tabContent } from './channel-lists.ts';
import { type PageToken, pageOf } from './pages.ts';

/** Returns a channel's page with one of its tabs open; the first one if the channel has no tab of that name. */
export function channelResponse(channel: Channel, name: string | undefined, hl: string): Node {
  if (channel.refusal === 'terminated') {
    return refusal("This account has been terminated for violating YouTube's Terms of Service.");
  }
  const openTab = channelTabs.find((each) => each.name === name) ?? homeTab;
  const gate = channel.refusal === 'age';
  const visibleTabs = channelTabs.filter((each) => each.list === undefined || channel.counts[each.list] > 0);
  const open = visibleTabs.includes(openTab) ? openTab : homeTab;
  const tabs = visibleTabs.map((tab) => tabNode(channel, tab, tab === open, hl));
  return {
    ...(gate ? {} : { header: headerOf(channel) }),
    contents: { twoColumnBrowseResultsRenderer: { tabs: gate ? [ageGate()] : tabs } },
    ...(gate
      ? {}
      : { metadata: { channelMetadataRenderer: metadataOf(channel) }, microformat: microformatOf(channel) }),
  };
}

/** Returns an error instead of a page. */
export function refusal(text: string): Node {
  return { alerts: [{ alertRenderer: { type: 'ERROR', text: simple(text) } }] };
}

/** Returns a later page of a tab, or its first page in another order. */
export function channelPage(
  channel: Channel,
  tab: ChannelTab,
  order: Order,
  { list, offset }: PageToken,
  hl: string,
): Node {
  const items = pageOf(channelList(channel, tab, order, hl, list), offset, (token) => continuation(token, 'BROWSE'));
  const action = offset === 0 ? 'reloadContinuationItemsCommand' : 'appendContinuationItemsAction';
  return {
    onResponseReceivedActions: [{ [action]: { continuationItems: items, targetId: `browse-feed${channel.id}` } }],
  };
}

/** Returns the content of a channel's about panel. */
export function aboutResponse(channel: Channel): Node {
  const { id, handle, subscribers, counts, topic } = channel;
  const link = { title: content('Website'), link: content(`lab.example/${topic}`), favicon: { sources: [] } };
  const aboutChannelViewModel = {
    description: descriptionOf(channel),
    country: 'Germany',
    subscriberCountText: countWords(subscribers, 'subscriber'),
    viewCountText: `${longCount(subscribers * 31)} views`,
    joinedDateText: content('Joined Jan 2, 2012'),
    canonicalChannelUrl: `http://www.youtube.com/@${handle}`,
    channelId: id,
    videoCountText: `${longCount(counts.videos)} videos`,
    links: [{ channelExternalLinkViewModel: link }],
  };
  const continuationItems = [{ aboutChannelRenderer: { metadata: { aboutChannelViewModel } } }];
  return { onResponseReceivedEndpoints: [{ appendContinuationItemsAction: { continuationItems } }] };
}

/** Returns the `params` of a tab. */
export function tabParams({ name, number }: ChannelTab): string {
  return encodeMembers([2, name], [110, message([1, message([number, message()])])]);
}

function tabNode(channel: Channel, tab: ChannelTab, open: boolean, hl: string): Node {
  const browse = { ...Object(channelEndpoint(channel).browseEndpoint), params: tabParams(tab) };
  const url = `/@${channel.handle}/${tab.name}`;
  const endpoint = {
    commandMetadata: { webCommandMetadata: { url, webPageType: 'WEB_PAGE_TYPE_CHANNEL' } },
    browseEndpoint: browse,
  };
  const openContent = open ? { selected: true, content: tabContent(channel, tab, hl) } : {};
  return { tabRenderer: { endpoint, title: tab.title, ...openContent } };
}

function ageGate(): Node {
  const gate = { channelAgeGateRenderer: { mainText: runs('This channel may be inappropriate for some users.') } };
  return { tabRenderer: { selected: true, content: { sectionListRenderer: { contents: [gate] } } } };
}
