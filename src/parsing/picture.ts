import { count } from './values.ts';

/** A picture in one of its sizes, in pixels where they are known. */
export interface Picture {
  readonly url: string;
  readonly width?: number;
  readonly height?: number;
}

/** Sides of pictures and videos are at most this long; sites report absurd values. */
const MAX_PIXELS = 100_000;

/** Reads a side of a picture or video in pixels, also where it is written as text. */
export function pixels(value: unknown): number | undefined {
  const number = count(value);
  return number !== undefined && Number.isInteger(number) && number > 0 && number <= MAX_PIXELS ? number : undefined;
}
