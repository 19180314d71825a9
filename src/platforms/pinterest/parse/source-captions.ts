import { toLanguageTag } from '../../../contract/language-tag.ts';
import type { SourceCaptions } from '../../../contract/source-media.ts';
import { fields, list, text } from '../../../parsing/values.ts';
import type { ContentMedia } from '../../platform.ts';
import { httpSiteUrl, parseSiteUrl } from '../../site-urls.ts';

/**
 * Returns the captions of a pin's only video, which can be embedded in its files. Pins with several videos have none,
 * because their captions belong to different contents.
 */
export function sourceCaptionsOf(contents: readonly ContentMedia[]): SourceCaptions[] {
  const [first, ...others] = contents.flatMap(({ videos }) => (videos === undefined ? [] : [videos]));
  if (first === undefined || others.length > 0) return [];
  const captions = first.map(({ item }) => list(item.metadata.captions)).find(({ length }) => length > 0) ?? [];
  return captions.flatMap((caption): SourceCaptions[] => {
    const language = toLanguageTag(text(fields(caption).language));
    const url = httpSiteUrl(fields(caption).url);
    if (language === undefined || url === undefined) return [];
    const isSubRip = parseSiteUrl(url)?.pathname.toLowerCase().endsWith('.srt') === true;
    return [{ url, format: isSubRip ? 'srt' : 'vtt', language, automatic: false }];
  });
}
