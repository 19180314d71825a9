import { MillraceError } from '../../../../contract/errors.ts';
import type { OutputNote } from '../../../../contract/output-notes.ts';
import type { Hole } from '../../damage/hole.ts';
import { formatLoss, isTooLong, isTooMuch } from '../output/decoding-losses.ts';
import type { PartReader } from './pump.ts';

/**
 * Returns a note about the parts of a file that were skipped because they are damaged, if there are any.
 *
 * @throws MillraceError `input_unreadable` when viewers would notice how much is missing.
 */
export function damageNotes({ damage, input, clock }: PartReader): OutputNote[] {
  const holes = damage.finish().flatMap((hole) => shownPart(hole) ?? []);
  if (holes.length === 0) return [];
  const lostSeconds = sum(holes.map(({ seconds }) => seconds));
  // A clip begins at 0.
  const totalSeconds = clock.position - Math.max(0, clock.begin);
  const what = `${input.name} is damaged: ${describe(holes)} cannot be read, so ${formatLoss(lostSeconds)}`;
  if (holes.some(({ seconds }) => isTooLong(seconds)) || isTooMuch(lostSeconds, totalSeconds)) {
    throw new MillraceError(
      'input_unreadable',
      `${what} would be missing. Use another source, or the operation no_process to get the file unchanged.`,
      { input: input.jobInput },
    );
  }
  return [{ code: 'frames_left_out', message: `${what} is missing.`, input: input.jobInput }];
}

/** Returns a hole without the part of it that precedes the result; undefined if none of it is in the result. */
function shownPart(hole: Hole): Hole | undefined {
  const end = hole.at + hole.seconds;
  if (end <= 0) return undefined;
  return { ...hole, at: Math.max(0, hole.at), seconds: Math.min(hole.seconds, end) };
}

/** Describes holes: `19.6 kB at 5.0 s`. */
function describe(holes: readonly Hole[]): string {
  const size = `${(sum(holes.map(({ bytes }) => bytes)) / 1000).toFixed(1)} kB`;
  const first = Math.min(...holes.map(({ at }) => at)).toFixed(1);
  return holes.length === 1 ? `${size} at ${first} s` : `${size} in ${holes.length} places from ${first} s`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
