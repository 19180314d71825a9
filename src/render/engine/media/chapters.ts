import { type Chapter, placedChapters } from '../chapters/chapter.ts';
import { readChapters } from '../chapters/read-chapters.ts';
import type { Container } from '../containers.ts';
import type { InputClock } from './clock.ts';
import type { OpenInput } from './open.ts';
import { toSeconds } from './time.ts';

/** Chapters for a result, and in words what was left out. */
export interface KeptChapters {
  readonly chapters: readonly Chapter[];
  readonly notes: readonly string[];
}

/**
 * The chapters of the first input that has any, on the result's clock. Where the inputs end is their headers' word only;
 * the writer, who knows in the end, cuts again.
 */
export function keepChapters(
  inputs: readonly { readonly input: OpenInput; readonly clock: InputClock }[],
  { chapters: style, title }: Container,
): KeptChapters {
  const notes: string[] = [];
  const end = Math.max(...inputs.map(({ input, clock }) => expectedEnd(input, clock)));
  let kept: readonly Chapter[] = [];
  for (const { input, clock } of inputs) {
    const name = input.name.toLowerCase();
    // Segments have no chapters; a file full of holes must not be searched for them.
    if (input.extension === 'arriving') continue;
    const { chapters, lost } = readChapters(input.path, input.format);
    if (lost !== undefined) notes.push(`Chapters of ${name} were left out: ${lost}`);
    if (chapters.length === 0) continue;
    if (style === undefined) notes.push(`The chapters of ${name} were left out: ${title} has no place for them`);
    else if (kept.length > 0) notes.push(`The chapters of ${name} were left out: those of an input before it are kept`);
    else kept = placedChapters(chapters, clock.origin, end);
  }
  return { chapters: kept, notes };
}

function expectedEnd(input: OpenInput, clock: InputClock): number {
  const { duration = toSeconds(input.context.duration) } = input;
  return duration === undefined
    ? Number.POSITIVE_INFINITY
    : (toSeconds(input.context.startTime) ?? 0) + clock.origin + duration;
}
