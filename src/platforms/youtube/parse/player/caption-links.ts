import { toLanguageTag } from '../../../../contract/language-tag.ts';
import { queryParameter, removeParameters, setParameters } from '../../../../contract/query-parameters.ts';
import type { SourceCaptions } from '../../../../contract/source-media.ts';
import { defined } from '../../../../parsing/values.ts';
import { validSiteUrl } from '../../../site-urls.ts';
import type { CaptionTrack } from './captions.ts';

/** Returns the link to a track as JSON, without the styles and the translation that a link may ask for. */
export function jsonLinkOf({ url }: Pick<CaptionTrack, 'url'>): string {
  const link = validSiteUrl(url);
  removeParameters(link, (name) => name === 'xosf' || name === 'tlang');
  setParameters(link, { fmt: 'json3' });
  return link.href;
}

/** Returns whether a link only works in the site's own player. Some links of the WEB client do (seen 2025-06). */
export function isPlayerOnly({ url }: Pick<CaptionTrack, 'url'>): boolean {
  return /^xp[ev]$/.test(queryParameter(validSiteUrl(url), 'exp') ?? '');
}

/**
 * Converts tracks to captions that can be embedded in files. Leaves out those without a valid language.
 *
 * @param userAgent The user agent that fetches them.
 */
export function sourceCaptionsOf(tracks: readonly CaptionTrack[], userAgent: string): SourceCaptions[] {
  return tracks.flatMap((track): SourceCaptions[] => {
    const language = toLanguageTag(track.language);
    if (language === undefined) return [];
    return [
      {
        url: jsonLinkOf(track),
        format: 'json3',
        language,
        ...defined({ title: track.name }),
        automatic: track.kind === 'auto',
        headers: { 'user-agent': userAgent },
        ...(isPlayerOnly(track) ? { playerOnly: true } : {}),
      },
    ];
  });
}
