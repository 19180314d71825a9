import type { InnertubeRequest } from './innertube-request.ts';
import { decodeMessage, inner, textOf } from './protobuf.ts';
import { aboutResponse, channelPage, channelResponse, refusal } from './responses/channel.ts';
import { channelTabs, type Order } from './responses/channel-lists.ts';
import { readCommentsToken as readComments } from './responses/comment-tokens.ts';
import { commentsResponse } from './responses/comments.ts';
import { hashtagPage, hashtagResponse, readTag } from './responses/hashtag.ts';
import { type PageToken, readToken } from './responses/pages.ts';
import { playlistPage, playlistResponse } from './responses/playlist.ts';
import type { Node } from './shapes/basics.ts';
import { postThread } from './shapes/posts.ts';
import { findChannel } from './world/channels.ts';
import { findPlaylist } from './world/playlists.ts';
import { findPost } from './world/posts.ts';

/**
 * Response of the simulated site: a node, `not_found` if the entity does not exist, or `invalid` if the request is
 * invalid.
 */
export type InnertubeResult = Node | 'not_found' | 'invalid';

const orders: readonly Order[] = ['newest', 'popular', 'oldest'];

/** Handles `browse`: channels, playlists, hashtags, posts, and the later pages of all of them. */
export function browse({ parameters, hl }: InnertubeRequest): InnertubeResult {
  const { browseId = '', params, continuation } = parameters;
  if (continuation !== undefined) return continueList(continuation, hl);
  if (browseId === 'FEhashtag') {
    const tag = readTag(params);
    return tag === undefined ? 'invalid' : hashtagResponse(tag, hl);
  }
  if (browseId === 'FEpost_detail') return postResponse(params, hl);
  if (browseId.startsWith('VL')) return playlist(browseId.slice(2), 0, hl);
  if (!/^UC[\w-]{22}$/.test(browseId)) return 'invalid';
  const channel = findChannel(browseId);
  if (channel === undefined) return refusal('This channel does not exist.');
  return channelResponse(channel, textOf(decodeMessage(params ?? ''), 2), hl);
}

function continueList(token: string, hl: string): InnertubeResult {
  const page = readToken(token);
  if (page !== undefined) return laterPage(page, hl);
  // With such a token, a client can request a playlist's first entries without the rest of the page.
  const direct = textOf(inner(decodeMessage(token), 80_226_972), 2);
  if (direct?.startsWith('VL')) return playlist(direct.slice(2), 0, hl, true);
  const query = readComments(token);
  const post = query === undefined ? undefined : findPost(query.subject);
  return query === undefined || post === undefined ? 'invalid' : commentsResponse(post, query);
}

function laterPage(page: PageToken, hl: string): InnertubeResult {
  const [kind = '', id = '', tabName, order] = page.list.split('/');
  if (kind.startsWith('VL')) return playlist(kind.slice(2), page.offset, hl, true);
  if (kind === 'hashtag') return hashtagPage(id, page.offset, hl);
  const channel = findChannel(id);
  if (channel === undefined) return 'invalid';
  if (kind === 'about') return aboutResponse(channel);
  const tab = channelTabs.find(({ name }) => name === tabName);
  const listOrder = orders.find((each) => each === order);
  if (kind !== 'channel' || tab === undefined || listOrder === undefined) return 'invalid';
  return channelPage(channel, tab, listOrder, page, hl);
}

/**
 * Returns a playlist from an index on; `withoutFrame` leaves out the rest of the page. A private playlist gets the same
 * refusal as a missing one.
 */
function playlist(id: string, offset: number, hl: string, withoutFrame = false): InnertubeResult {
  const knownPlaylist = findPlaylist(id);
  if (knownPlaylist === undefined) return 'not_found';
  if (knownPlaylist.refusal !== undefined) return refusal('The playlist does not exist.');
  return withoutFrame ? playlistPage(knownPlaylist, offset, hl) : playlistResponse(knownPlaylist, hl);
}

function postResponse(params: string | undefined, hl: string): InnertubeResult {
  const postParams = inner(decodeMessage(params ?? ''), 56);
  const post = findPost(textOf(postParams, 3) ?? '');
  if (post === undefined || post.channel.id !== textOf(postParams, 2)) return refusal('This post does not exist.');
  const section = { itemSectionRenderer: { contents: [postThread(post, hl)] } };
  const tab = { tabRenderer: { selected: true, content: { sectionListRenderer: { contents: [section] } } } };
  return { contents: { twoColumnBrowseResultsRenderer: { tabs: [tab] } } };
}
