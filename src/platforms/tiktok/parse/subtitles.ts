import { defined, type Fields, fields, text } from '../../../parsing/values.ts';
import type { ListReader } from './list-reader.ts';
import { expiryText, mediaUrl } from './media-links.ts';

/** Maximum number of subtitles. A video has one for each language, and the site translates into fewer. */
const MAX_SUBTITLES = 500;

/** Returns the subtitles of a video. */
export function readSubtitles({ subtitleInfos }: Fields, lists: ListReader): object[] {
  return lists.read('video.subtitleInfos', subtitleInfos, MAX_SUBTITLES, (value) => {
    const { LanguageCodeName, Url, Format, Source } = fields(value);
    const url = mediaUrl(Url);
    if (url === undefined) return [];
    // ASR means speech recognition, MT machine translation.
    const members = { language: text(LanguageCodeName), url, format: text(Format), kind: text(Source) };
    return [defined({ ...members, expires_at: expiryText(url) })];
  });
}
