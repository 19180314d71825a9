import { type CountMembers, countMembers } from '../../../parsing/numbers.ts';
import { defined, dig, type Fields, list } from '../../../parsing/values.ts';
import { readText } from './text.ts';

const MAX_PARTS = 20;

/** The properties of the hashtag itself in a response. */
interface HashtagInfo extends CountMembers<'videoCount'>, CountMembers<'channelCount'> {
  /** The site's spelling, without `#`. */
  readonly tag?: string;
}

/** Reads a hashtag page's header: `hashtagHeaderRenderer`, or `pageHeaderViewModel` (since 2024). */
export function readHashtagInfo({ header }: Fields): HashtagInfo {
  const legacyHeader = dig(header, 'hashtagHeaderRenderer');
  const pageHeader = dig(header, 'pageHeaderRenderer', 'content', 'pageHeaderViewModel');
  const title =
    readText(dig(legacyHeader, 'hashtag')) ?? readText(dig(pageHeader, 'title', 'dynamicTextViewModel', 'text'));
  const rows = list(dig(pageHeader, 'metadata', 'contentMetadataViewModel', 'metadataRows')).slice(0, MAX_PARTS);
  const parts = rows.flatMap((row) => list(dig(row, 'metadataParts')).slice(0, MAX_PARTS));
  // "1.1M videos • 8.1M channels", in one text or in two.
  const texts = [readText(dig(legacyHeader, 'hashtagInfoText')), ...parts.map((part) => readText(dig(part, 'text')))]
    .flatMap((line) => (line === undefined || line.length > 200 ? [] : line.split('•')))
    .map((words) => words.trim());
  return {
    ...defined({ tag: title?.replace(/^#/, '') || undefined }),
    ...countMembers(
      'videoCount',
      texts.find((words) => /\bvideos?$/i.test(words)),
    ),
    ...countMembers(
      'channelCount',
      texts.find((words) => /\bchannels?$/i.test(words)),
    ),
  };
}
