import type { ExtractionResponse } from '#client/extraction.ts';
import type { RecognisedLink } from '#client/recognise-link.ts';
import { parseClip } from '../../contract/parse-clip.ts';
import { routineNotes } from '../../contract/routine-notes.ts';
import { sanitiseLine } from '../terminal/sanitise.ts';
import { type FileShape, listOf, parametersFor } from './file-options.ts';
import type { GetContext } from './get-context.ts';
import { type SelectedQuality, selectQuality, videoParametersFor } from './select-quality.ts';
import { cutSubtitles, fetchSubtitles, type Subtitles } from './subtitle-files.ts';

/** The result of the extraction of a link. */
export interface Extracted extends SelectedQuality {
  readonly link: RecognisedLink;
  readonly result: ExtractionResponse;
  /** The notes of the result that say something about its files. */
  readonly notes: readonly string[];
  /** The subtitles to save as files; undefined if none are requested. */
  readonly subtitles: readonly Subtitles[] | undefined;
}

/**
 * Extracts a link, in the quality of the options or the one that the person selects.
 *
 * @throws UsageError if the link does not accept the options; errors of the client.
 */
export async function extractEntry(link: RecognisedLink, context: GetContext): Promise<Extracted> {
  const { values, shape, session, reporter, signal } = context;
  reporter.step({ stage: 'extracting' });
  const parameters = { countryCode: values.country, lang: values.lang };
  const selected = await selectQuality(() => session.client.extractLink(link, parameters, { signal }), context);
  const result = await session.client.extractLink(
    link,
    { ...parameters, ...extraParameters(link, selected, shape), ...parametersFor(link, shape) },
    { signal },
  );
  const notes = notesOnFiles(result);
  for (const note of notes) reporter.say(`Note: ${sanitiseLine(note)}`);
  return { link, ...selected, result, notes, subtitles: await subtitlesOf(link, context) };
}

/** Returns the request parameters that are not part of the link. */
function extraParameters(
  link: RecognisedLink,
  selected: SelectedQuality,
  { audioFormat }: FileShape,
): Readonly<Record<string, readonly string[] | string>> {
  if (audioFormat !== undefined) return {};
  // The audio of p1 is on the site's own servers, which serve only the client that loaded the page. With the relay,
  // that client is Millrace.
  const relayParameter = link.platform === 'p1' && selected.quality === 'audio' ? { urlAccess: 'proxied' } : {};
  return { ...videoParametersFor(link, selected), ...relayParameter };
}

/** Returns the notes of a result, without those that say nothing about its files. */
function notesOnFiles({ notes = [] }: ExtractionResponse): readonly string[] {
  return notes.filter((note) => !Object.values(routineNotes).some((beginning) => note.startsWith(beginning)));
}

async function subtitlesOf(
  link: RecognisedLink,
  { values, session, reporter, signal }: GetContext,
): Promise<readonly Subtitles[] | undefined> {
  if (values['write-subtitles'] === undefined) return undefined;
  const subtitles = await fetchSubtitles(link, listOf(values.subtitles), session, signal);
  for (const one of subtitles) if ('error' in one) reporter.say(`Subtitles are missing: ${one.error}`);
  const clip = values.clip === undefined ? undefined : parseClip(values.clip);
  return typeof clip === 'object' ? cutSubtitles(subtitles, clip) : subtitles;
}
