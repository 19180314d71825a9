import { toLanguageTag } from '../../../contract/language-tag.ts';
import type { SourceCaptions } from '../../../contract/source-media.ts';
import { fields, list, text } from '../../../parsing/values.ts';
import { httpSiteUrl } from '../../site-urls.ts';
import type { MediaAccess } from './media-access.ts';

/** Formats of subtitles by the site's names. */
const formats: Readonly<Record<string, SourceCaptions['format']>> = { webvtt: 'vtt', srt: 'srt' };

/** Converts the `subtitles` of a post to captions that can be embedded in files. Leaves out those in other formats. */
export function sourceCaptionsOf(subtitles: unknown, access: MediaAccess): SourceCaptions[] {
  return list(subtitles).flatMap((subtitle): SourceCaptions[] => {
    const { language: code, url: link, format: name, kind } = fields(subtitle);
    const language = toLanguageTag(text(code));
    const url = httpSiteUrl(link);
    const format = formats[text(name)?.toLowerCase() ?? ''];
    if (language === undefined || url === undefined || format === undefined) return [];
    const headers = access.of(url)?.headers;
    // ASR means speech recognition, MT machine translation.
    const automatic = kind === 'ASR' || kind === 'MT';
    return [{ url, format, language, automatic, ...(headers === undefined ? {} : { headers }) }];
  });
}
