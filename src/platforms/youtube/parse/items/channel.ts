import { countMembers } from '../../../../parsing/numbers.ts';
import { defined, dig, fields, unlessEmpty } from '../../../../parsing/values.ts';
import { readBadges } from '../badges.ts';
import { channelIdOf, channelUrl } from '../ids.ts';
import { readHandle } from '../outbound-links.ts';
import { readText } from '../text.ts';
import { readThumbnails } from '../thumbnails.ts';
import type { ChannelItem } from './list-item.ts';

/**
 * Reads `channelRenderer`, `gridChannelRenderer` and `miniChannelRenderer`. In search results, the texts are shifted:
 * `subscriberCountText` contains the handle and `videoCountText` the subscribers (recorded until 2026-07).
 */
export function readChannel(node: unknown): ChannelItem | undefined {
  const channel = fields(node);
  const id = channelIdOf(channel.channelId);
  if (id === undefined) return undefined;
  const subscribers = readText(channel.subscriberCountText);
  const videos = readText(channel.videoCountText);
  const shifted = subscribers?.startsWith('@') === true;
  return {
    type: 'channel',
    id,
    ...defined({
      title: readText(channel.title),
      handle:
        (shifted ? subscribers : undefined) ??
        readHandle(dig(channel.navigationEndpoint, 'browseEndpoint', 'canonicalBaseUrl')),
      description: readText(channel.descriptionSnippet),
      verified: readBadges(channel.ownerBadges).verified || undefined,
      thumbnails: unlessEmpty(readThumbnails(channel.thumbnail)),
    }),
    ...countMembers('subscriberCount', shifted ? videos : subscribers),
    ...(shifted ? {} : countMembers('videoCount', videos)),
    url: channelUrl(id),
  };
}

/** Reads `gameCardRenderer`: a game's channel, with the number of viewers watching the game. */
export function readGame(node: unknown): ChannelItem | undefined {
  const game = fields(dig(node, 'game', 'gameDetailsRenderer'));
  const id = channelIdOf(dig(game.endpoint, 'browseEndpoint', 'browseId'));
  if (id === undefined) return undefined;
  return {
    type: 'channel',
    id,
    ...defined({
      title: readText(game.title),
      thumbnails: unlessEmpty(readThumbnails(game.boxArt)),
    }),
    ...countMembers('viewerCount', readText(game.liveViewersText)),
    url: channelUrl(id),
  };
}
