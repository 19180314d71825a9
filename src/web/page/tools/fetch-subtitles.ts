import { cutSegments, type Segment } from '#client/transcript-text.ts';
import { client } from '../common/client.ts';
import { messages } from '../language/language.ts';
import type { Query } from '../query/query.ts';
import type { ClipRange } from './item-options.ts';

/**
 * Fetches the subtitles of an item in a language, cut to a clip.
 *
 * @throws MillraceApiError, MillraceNetworkError; Error if there are none.
 */
export async function fetchSubtitles(
  { link }: Query,
  language: string,
  clip: ClipRange | undefined,
): Promise<readonly Segment[]> {
  const parameters = { getTranscript: true, fields: ['metadata.transcript'], transcriptLanguage: language };
  const { metadata } = await client.extractLink(link, parameters);
  const { transcript, error } = metadata.transcript ?? {};
  if (transcript === undefined) throw new Error(error ?? messages().tools.languages.missing);
  return clip === undefined ? transcript.segments : cutSegments(transcript.segments, clip);
}
