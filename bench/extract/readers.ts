import { dig, type Fields } from '../../src/platforms/values.ts';
import { readList, readPage } from '../../src/platforms/youtube/parse/list.ts';

/** What an endpoint's parser makes of the answers of one recorded question. */
export interface Reader {
  /** Groups of the recordings' index. */
  readonly groups: readonly string[];
  /** Questions, where a group has answers to several: `/browse`, `/next`, `/player`. */
  readonly endpoints?: readonly string[];
  read(answer: Fields): unknown;
}

/** The parsers of p1 by the recordings they are for: one line each. */
export const readers: readonly Reader[] = [
  { groups: ['search', 'channel', 'playlist', 'hashtag', 'mix'], read: readPage },
  {
    groups: ['watch', 'comments_watch'],
    read: (answer) => readList(dig(answer, 'contents', 'twoColumnWatchNextResults', 'secondaryResults')),
  },
];
