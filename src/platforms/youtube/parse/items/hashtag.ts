import { countMembers } from '../../../../parsing/numbers.ts';
import { defined, dig, fields, unlessEmpty } from '../../../../parsing/values.ts';
import { readText } from '../text.ts';
import { readThumbnails } from '../thumbnails.ts';
import type { HashtagItem } from './list-item.ts';

/** Reads `hashtagTileRenderer`, with counts such as "1.1M videos" and "8.1M channels". */
export function readHashtag(node: unknown): HashtagItem | undefined {
  const tile = fields(node);
  const title = readText(tile.hashtag);
  const id = title?.replace(/^#/, '');
  if (title === undefined || id === undefined || id === '') return undefined;
  const thumbnails = readThumbnails(dig(tile.hashtagThumbnail, 'image') ?? tile.hashtagThumbnail);
  return {
    type: 'hashtag',
    id,
    title,
    ...defined({ thumbnails: unlessEmpty(thumbnails) }),
    ...countMembers('videoCount', readText(tile.hashtagVideoCount)),
    ...countMembers('channelCount', readText(tile.hashtagChannelCount)),
    url: `https://www.youtube.com/hashtag/${encodeURIComponent(id.toWellFormed())}`,
  };
}
