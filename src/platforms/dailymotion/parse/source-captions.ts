import { toLanguageTag } from '../../../contract/language-tag.ts';
import type { SourceCaptions } from '../../../contract/source-media.ts';
import { defined } from '../../../parsing/values.ts';
import { parseSiteUrl } from '../../site-urls.ts';
import type { VideoMetadata } from './player-metadata.ts';

/** The end of a language code that marks speech recognition (`en-auto`). */
const AUTOMATIC = /-auto$/;

/** Converts the subtitles of a video to captions that can be embedded in files. */
export function sourceCaptionsOf({ subtitles }: Pick<VideoMetadata, 'subtitles'>): SourceCaptions[] {
  return subtitles.flatMap(({ language: code, label, url }): SourceCaptions[] => {
    const language = toLanguageTag(code.replace(AUTOMATIC, ''));
    if (language === undefined) return [];
    const isVtt = parseSiteUrl(url)?.pathname.toLowerCase().endsWith('.vtt') === true;
    const automatic = AUTOMATIC.test(code) || /\(auto/i.test(label ?? '');
    return [{ url, format: isVtt ? 'vtt' : 'srt', language, ...defined({ title: label }), automatic }];
  });
}
