import type { OutputNote } from '../../../../contract/output-notes.ts';
import { readChapters } from '../../additions/read-chapters.ts';
import { type Chapter, placeChapters } from '../../chapters/chapter.ts';
import type { ContainerFormat } from '../../formats/container-formats.ts';
import type { MediaInput } from '../input/media-input.ts';
import { microsecondsToSeconds } from '../timestamps.ts';
import type { InputClock } from './input-clock.ts';

/** Chapters for a result, and notes about those that were left out. */
interface ChapterSelection {
  readonly chapters: readonly Chapter[];
  readonly notes: readonly OutputNote[];
}

/**
 * Returns the chapters of the first input that has any, on the result's clock. At this point the end of the inputs is
 * known only from their headers. The writer cuts the chapters again at the actual end.
 *
 * @param requestedChapters - chapters that replace those of the inputs, on the result's clock.
 */
export function selectChapters(
  inputs: readonly { readonly input: MediaInput; readonly clock: InputClock }[],
  { chapters: storesChapters, title }: ContainerFormat,
  requestedChapters: readonly Chapter[] | undefined,
): ChapterSelection {
  if (requestedChapters !== undefined) return { chapters: requestedChapters, notes: [] };
  const notes: OutputNote[] = [];
  const end = Math.max(...inputs.map(({ input, clock }) => expectedEnd(input, clock)));
  let result: readonly Chapter[] = [];
  for (const { input, clock } of inputs) {
    const noteLeftOut = (what: string, reason: string) => {
      const message = `${what} of ${input.name.toLowerCase()} were left out: ${reason}.`;
      notes.push({ code: 'chapters_left_out', message, input: input.jobInput });
    };
    // Segments have no chapters, and a file with holes must not be searched for them.
    if (input.completeness === 'growing') continue;
    const { chapters, omissionReason } = readChapters(input.path, input.format);
    if (omissionReason !== undefined) noteLeftOut('Chapters', omissionReason);
    if (chapters.length === 0) continue;
    if (storesChapters !== true) noteLeftOut('The chapters', `${title} cannot store them`);
    else if (result.length > 0) noteLeftOut('The chapters', 'the chapters of an earlier input are used');
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
