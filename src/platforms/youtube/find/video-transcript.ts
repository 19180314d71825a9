import { MillraceError } from '../../../contract/errors.ts';
import { defined } from '../../../parsing/values.ts';
import { isPlayerOnly, jsonLinkOf } from '../parse/player/caption-links.ts';
import type { Captions, CaptionTrack } from '../parse/player/captions.ts';
import { parseTranscript } from '../parse/transcript-segments.ts';
import type { Innertube } from '../requests/innertube.ts';

/** Time limit for the captions, which are requested last, in milliseconds. */
const TIMEOUT_MS = 4_000;

/** The part of a transcript that the caller requests. */
interface TranscriptRequest {
  readonly requested: boolean;
  /** A value of `languages`; absent for the primary track. */
  readonly language?: string | undefined;
}

/**
 * Returns a video's `metadata.transcript`: its languages, and the text if it is requested. `error` gives the reason if
 * the text is missing; the response as a whole does not fail.
 *
 * @throws MillraceError only when no caller is waiting any more.
 */
export async function findTranscript(
  innertube: Innertube,
  captions: Captions,
  { requested, language }: TranscriptRequest,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const languages = [...new Set(captions.tracks.map((track) => track.language))];
  if (!requested) return { languages };
  const track = chooseTrack(captions, language);
  if (track === undefined) return { languages, error: noTrackMessage(languages, language) };
  try {
    const segments = await fetchSegments(innertube, track);
    return {
      languages,
      selectedLanguage: track.language,
      transcript: { language: track.language, kind: track.kind, ...defined({ name: track.name }), segments },
    };
  } catch (error) {
    if (!(error instanceof MillraceError) || signal.aborted) throw error;
    return { languages, selectedLanguage: track.language, error: error.message };
  }
}

/** Chooses the track of a language. Manual captions take precedence over speech recognition. */
function chooseTrack({ tracks, primary }: Captions, language: string | undefined): CaptionTrack | undefined {
  if (language === undefined) return primary;
  const same = tracks.filter((track) => track.language.toLowerCase() === language.toLowerCase());
  return same.find(({ kind }) => kind === 'manual') ?? same[0];
}

function noTrackMessage(languages: readonly string[], language: string | undefined): string {
  if (languages.length === 0) return 'The video has no transcript.';
  return `The video has no transcript in "${language?.slice(0, 50)}". Available languages: ${languages.join(', ')}.`;
}

async function fetchSegments(innertube: Innertube, track: CaptionTrack) {
  if (isPlayerOnly(track)) {
    throw new MillraceError(
      'non_2xx_response',
      'YouTube provides this transcript only to its own players. Try again later.',
    );
  }
  const { text, status } = await innertube.fetch(jsonLinkOf(track), { timeout: TIMEOUT_MS });
  return parseTranscript(text, status, track.kind);
}
