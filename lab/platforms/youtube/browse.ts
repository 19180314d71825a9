import { aboutAnswer, channelAnswer, channelPage, refusal } from './answers/channel.ts';
import { channelTabs, type Order } from './answers/channel-lists.ts';
import { readQuestion as readComments } from './answers/comment-tokens.ts';
import { commentsAnswer } from './answers/comments.ts';
import { hashtagAnswer, hashtagPage, readTag } from './answers/hashtag.ts';
import { type PageToken, readToken } from './answers/pages.ts';
import { playlistAnswer, playlistPage } from './answers/playlist.ts';
import { decoded, inner, textOf } from './protobuf.ts';
import type { Question } from './question.ts';
import type { Node } from './shapes/basics.ts';
import { postThread } from './shapes/posts.ts';
import { findChannel } from './world/channels.ts';
import { findPlaylist } from './world/playlists.ts';
import { findPost } from './world/posts.ts';

/** The lab's answers beside a node: the site knows nothing of what was asked, or the question makes no sense. */
export type Answer = Node | 'not_found' | 'invalid';

const orders: readonly Order[] = ['newest', 'popular', 'oldest'];

/** `browse`: channels, playlists, hashtags, posts, and the later pages of all of them. */
export function browse({ asked, hl }: Question): Answer {
  const { browseId = '', params, continuation } = asked;
  if (continuation !== undefined) return continued(continuation, hl);
  if (browseId === 'FEhashtag') {
    const tag = readTag(params);
    return tag === undefined ? 'invalid' : hashtagAnswer(tag, hl);
  }
  if (browseId === 'FEpost_detail') return postAnswer(params, hl);
  if (browseId.startsWith('VL')) return playlist(browseId.slice(2), 0, hl);
  if (!/^UC[\w-]{22}$/.test(browseId)) return 'invalid';
  const channel = findChannel(browseId);
  if (channel === undefined) return refusal('This channel does not exist.');
  return channelAnswer(channel, textOf(decoded(params ?? ''), 2), hl);
}

function continued(token: string, hl: string): Answer {
  const page = readToken(token);
  if (page !== undefined) return laterPage(page, hl);
  // A client can ask for a playlist's first page so, without its frame.
  const direct = textOf(inner(decoded(token), 80_226_972), 2);
  if (direct?.startsWith('VL')) return playlist(direct.slice(2), 0, hl, true);
  const question = readComments(token);
  const post = question === undefined ? undefined : findPost(question.subject);
  return question === undefined || post === undefined ? 'invalid' : commentsAnswer(post, question);
}

function laterPage(page: PageToken, hl: string): Answer {
  const [kind = '', id = '', tabName, order] = page.list.split('/');
  if (kind.startsWith('VL')) return playlist(kind.slice(2), page.offset, hl, true);
  if (kind === 'hashtag') return hashtagPage(id, page.offset, hl);
  const channel = findChannel(id);
  if (channel === undefined) return 'invalid';
  if (kind === 'about') return aboutAnswer(channel);
  const tab = channelTabs.find(({ name }) => name === tabName);
  const sorted = orders.find((each) => each === order);
  if (kind !== 'channel' || tab === undefined || sorted === undefined) return 'invalid';
  return channelPage(channel, tab, sorted, page, hl);
}

/** A playlist from a place on; one that is private is denied as if it were not there. */
function playlist(id: string, offset: number, hl: string, paged = false): Answer {
  const found = findPlaylist(id);
  if (found === undefined) return 'not_found';
  if (found.refusal !== undefined) return refusal('The playlist does not exist.');
  return paged ? playlistPage(found, offset, hl) : playlistAnswer(found, hl);
}

function postAnswer(params: string | undefined, hl: string): Answer {
  const asked = inner(decoded(params ?? ''), 56);
  const post = findPost(textOf(asked, 3) ?? '');
  if (post === undefined || post.channel.id !== textOf(asked, 2)) return refusal('This post does not exist.');
  const section = { itemSectionRenderer: { contents: [postThread(post, hl)] } };
  const tab = { tabRenderer: { selected: true, content: { sectionListRenderer: { contents: [section] } } } };
  return { contents: { twoColumnBrowseResultsRenderer: { tabs: [tab] } } };
}
