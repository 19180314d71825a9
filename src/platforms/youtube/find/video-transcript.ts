import { MillraceError } from '../../../contract/errors.ts';
import { defined } from '../../../parsing/values.ts';
import type { Captions, CaptionTrack } from '../parse/player/captions.ts';
import { parseTranscript } from '../parse/transcript-segments.ts';
import type { Innertube } from '../requests/innertube.ts';

/** Milliseconds for the captions, which come after everything else. */
const TIMEOUT_MS = 4_000;

/** The part of a transcript that the caller requests. */
interface TranscriptRequest {
  readonly requested: boolean;
  /** A value of `languages`; absent for the primary track. */
  readonly language?: string | undefined;
}

/**
 * Makes `metadata.transcript` of a video: its languages, and the text where it is requested. `error` says why the text
 * is missing; the response as a whole does not fail.
 *
 * @throws MillraceError only when no caller waits any more.
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

/** What people wrote comes before what a machine heard, in the same language. */
function chooseTrack({ tracks, primary }: Captions, language: string | undefined): CaptionTrack | undefined {
  if (language === undefined) return primary;
  const same = tracks.filter((track) => track.language.toLowerCase() === language.toLowerCase());
  return same.find(({ kind }) => kind === 'manual') ?? same[0];
}

function noTrackMessage(languages: readonly string[], language: string | undefined): string {
  if (languages.length === 0) return 'The video has no transcript.';
  return `There is no transcript in "${language?.slice(0, 50)}". Available languages: ${languages.join(', ')}.`;
}

async function fetchSegments(innertube: Innertube, track: CaptionTrack) {
  const url = new URL(track.url);
  // Some links of the WEB client answer nobody who has not run its attestation (seen 2025-06).
  if (/^xp[ev]$/.test(url.searchParams.get('exp') ?? '')) {
    throw new MillraceError(
      'non_2xx_response',
      'YouTube gives this transcript to its own players only. Try again later.',
    );
  }
  for (const name of ['xosf', 'tlang']) url.searchParams.delete(name);
  url.searchParams.set('fmt', 'json3');
  const { text, status } = await innertube.fetch(url.href, { timeout: TIMEOUT_MS });
  return parseTranscript(text, status, track.kind);
}
