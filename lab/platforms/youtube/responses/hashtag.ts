import { pick } from '../../seeded.ts';
import { decodeMessage, inner, textOf } from '../protobuf.ts';
import { content, continuation, type Node, runs, simple } from '../shapes/basics.ts';
import { videoLockup } from '../shapes/lockups.ts';
import { videoRenderer } from '../shapes/renderers.ts';
import { channelOf } from '../world/channels.ts';
import { videoAt } from '../world/videos.ts';
import { type List, pageOf } from './pages.ts';

/** Returns the tag in the `params` of FEhashtag. */
export function readTag(params: string | undefined): string | undefined {
  return textOf(inner(decodeMessage(params ?? ''), 93), 1);
}

/** Returns a hashtag's page. */
export function hashtagResponse(tag: string, hl: string): Node {
  const contents = pageOf(hashtagList(tag, hl), 0, (token) => continuation(token, 'BROWSE'));
  const empty = [{ richItemRenderer: { content: { messageRenderer: { text: runs('No results found') } } } }];
  const grid = {
    richGridRenderer: { contents: contents.length === 0 ? empty : contents, targetId: 'browse-feedFEhashtag' },
  };
  const endpoint = { commandMetadata: { webCommandMetadata: { url: `/hashtag/${tag}` } } };
  const tabs = [{ tabRenderer: { endpoint, title: 'All', selected: true, content: grid } }];
  return { header: isOld(tag) ? oldHeader(tag) : header(tag), contents: { twoColumnBrowseResultsRenderer: { tabs } } };
}

/** Returns a later page of a hashtag. */
export function hashtagPage(tag: string, offset: number, hl: string): Node {
  const continuationItems = pageOf(hashtagList(tag, hl), offset, (token) => continuation(token, 'BROWSE'));
  return {
    onResponseReceivedActions: [
      { appendContinuationItemsAction: { continuationItems, targetId: 'browse-feedFEhashtag' } },
    ],
  };
}

function hashtagList(tag: string, hl: string): List {
  const start = pick(1800, 'hashtag', tag);
  return {
    name: `hashtag/${tag}`,
    size: tag === 'labnothing' ? 0 : 150,
    perPage: 60,
    at(index) {
      const video = videoAt(channelOf(6 + start + index), 'video', index % 30);
      return { richItemRenderer: { content: isOld(tag) ? videoRenderer(video, hl) : videoLockup(video, { hl }) } };
    },
  };
}

/** Returns whether a tag's page has the older shapes. */
function isOld(tag: string): boolean {
  return tag === 'labold' || (tag !== 'lab' && pick(2, 'generation', tag) === 1);
}

function header(tag: string): Node {
  const metadataRows = [{ metadataParts: [{ text: content('1.1M videos') }, { text: content('8.1K channels') }] }];
  const title = { dynamicTextViewModel: { text: content(`#${tag}`) } };
  const pageHeaderViewModel = { title, metadata: { contentMetadataViewModel: { metadataRows } } };
  return { pageHeaderRenderer: { pageTitle: `#${tag}`, content: { pageHeaderViewModel } } };
}

function oldHeader(tag: string): Node {
  return {
    hashtagHeaderRenderer: { hashtag: simple(`#${tag}`), hashtagInfoText: simple('1.1M videos • 8.1K channels') },
  };
}
