import type { OutputNote } from '../../../../contract/output-notes.ts';
import { type Chapter, placeChapters } from '../../chapters/chapter.ts';
import { readChapters } from '../../chapters/read-chapters.ts';
import type { ContainerFormat } from '../../formats/container-formats.ts';
import type { MediaInput } from '../input/media-input.ts';
import { microsecondsToSeconds } from '../timestamps.ts';
import type { InputClock } from './input-clock.ts';

/** Chapters for a result, and what was left out. */
interface ChapterSelection {
  readonly chapters: readonly Chapter[];
  readonly notes: readonly OutputNote[];
}

/**
 * The chapters of the first input that has any, on the result's clock. Where the inputs end is their headers' word only;
 * the writer, who knows in the end, cuts again.
 */
export function selectChapters(
  inputs: readonly { readonly input: MediaInput; readonly clock: InputClock }[],
  { chapters: chapterFormat, title }: ContainerFormat,
): ChapterSelection {
  const notes: OutputNote[] = [];
  const end = Math.max(...inputs.map(({ input, clock }) => expectedEnd(input, clock)));
  let result: readonly Chapter[] = [];
  for (const { input, clock } of inputs) {
    const noteLeftOut = (what: string, reason: string) => {
      const message = `${what} of ${input.name.toLowerCase()} were left out: ${reason}.`;
      notes.push({ code: 'chapters_left_out', message, input: input.jobInput });
    };
    // Segments have no chapters; a file full of holes must not be searched for them.
    if (input.completeness === 'growing') continue;
    const { chapters, omissionReason } = readChapters(input.path, input.format);
    if (omissionReason !== undefined) noteLeftOut('Chapters', omissionReason);
    if (chapters.length === 0) continue;
    if (chapterFormat === undefined) noteLeftOut('The chapters', `${title} has no place for them`);
    else if (result.length > 0) noteLeftOut('The chapters', 'those of an input before it are kept');
    else result = placeChapters(chapters, clock.origin, end);
  }
  return { chapters: result, notes };
}

function expectedEnd(input: MediaInput, clock: InputClock): number {
  const { duration = microsecondsToSeconds(input.context.duration) } = input;
  return duration === undefined
    ? Number.POSITIVE_INFINITY
    : (microsecondsToSeconds(input.context.startTime) ?? 0) + clock.origin + duration;
}
