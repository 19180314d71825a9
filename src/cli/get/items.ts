import { UsageError } from '../errors/command-errors.ts';

/** The items of a list to fetch. */
export interface ItemSelection {
  /** Whether it counts from the end, so that the length of the list must be known. */
  readonly countsFromEnd: boolean;
  /** The last position that can be selected; infinite if there is no last one. */
  readonly last: number;
  /** Whether the item at a position (from 1) is selected. `count` is the length of the list, if it is known. */
  includes(position: number, count?: number): boolean;
}

/** The selection of all items. */
export const allItems: ItemSelection = { countsFromEnd: false, last: Number.POSITIVE_INFINITY, includes: () => true };

/** Selects the first items of a list. */
export function firstItems(last: number): ItemSelection {
  return { countsFromEnd: false, last, includes: (position) => position <= last };
}

/** A range of positions. Negative positions count from the end. */
interface Range {
  readonly start: number;
  readonly end: number;
  readonly step: number;
}

const MAX_RANGES = 200;
const MAX_POSITION = 1_000_000;

/** `3`, `-3`. */
const positionPattern = /^-?\d{1,7}$/;
/** `1-10`, `5-`. */
const dashPattern = /^(\d{1,7})-(\d{1,7})?$/;
/** `1:10`, `-3:`, `:-2`, `1:10:2`. */
const colonPattern = /^(-?\d{1,7})?:(-?\d{1,7})?(?::(\d{1,7})?)?$/;

/**
 * Parses the positions of items: `1-10,15,-3:`. Ranges include both ends and may have a step (`1:10:2`); negative
 * positions count from the end.
 *
 * @throws UsageError
 */
export function parseItems(option: string, text: string): ItemSelection {
  const parts = text.split(',').map((part) => part.trim());
  const ranges = parts.map(parseRange);
  if (parts.length > MAX_RANGES || !ranges.every((range) => range !== undefined)) {
    throw new UsageError(`--${option} must list positions, such as 1-10,15,-3: (the last three), not ${text}.`);
  }
  const countsFromEnd = ranges.some(({ start, end }) => start < 0 || end < 0);
  return {
    countsFromEnd,
    last: countsFromEnd ? Number.POSITIVE_INFINITY : Math.max(...ranges.map(({ end }) => end)),
    includes: (position, count) => ranges.some((range) => isWithin(position, range, count)),
  };
}

function parseRange(text: string): Range | undefined {
  if (positionPattern.test(text)) return rangeOf(text, text, undefined);
  const [, from, to] = dashPattern.exec(text) ?? [];
  if (from !== undefined) return rangeOf(from, to, undefined);
  const match = colonPattern.exec(text);
  return match === null ? undefined : rangeOf(match[1], match[2], match[3]);
}

/** Returns a range; undefined if a position is 0 or too large, the step is 0, or no position can be in it. */
function rangeOf(from: string | undefined, to: string | undefined, every: string | undefined): Range | undefined {
  const [start, end, step] = [Number(from ?? 1), Number(to ?? Number.POSITIVE_INFINITY), Number(every ?? 1)];
  const isInvalid = (position: number) =>
    position === 0 || (Number.isFinite(position) && Math.abs(position) > MAX_POSITION);
  if (isInvalid(start) || isInvalid(end) || step === 0) return undefined;
  return Math.sign(start) === Math.sign(end) && end < start ? undefined : { start, end, step };
}

function isWithin(position: number, { start, end, step }: Range, count: number | undefined): boolean {
  const fromStart = (end: number) => (end < 0 ? (count ?? Number.NaN) + 1 + end : end);
  const first = Math.max(1, fromStart(start));
  return position >= first && position <= fromStart(end) && (position - first) % step === 0;
}
