import { toLanguageTag } from '../../../contract/language-tag.ts';
import type { SourceCaptions } from '../../../contract/source-media.ts';
import { defined, fields, list, text } from '../../../parsing/values.ts';
import { httpSiteUrl } from '../../site-urls.ts';

/** Converts the `captions` of a video, which are SubRip files, to captions that can be embedded in files. */
export function sourceCaptionsOf(captions: unknown): SourceCaptions[] {
  return list(captions).flatMap((caption): SourceCaptions[] => {
    const { language: locale, name, url: link } = fields(caption);
    const language = toLanguageTag(text(locale));
    const url = httpSiteUrl(link);
    if (language === undefined || url === undefined) return [];
    const automatic = /auto/i.test(text(name) ?? '');
    return [{ url, format: 'srt', language, ...defined({ title: text(name) }), automatic }];
  });
}
