import { count } from './values.ts';

/** An image in one of its sizes, with its dimensions in pixels if known. */
export interface Picture {
  readonly url: string;
  readonly width?: number;
  readonly height?: number;
}

/** Maximum side length of images and videos; sites report absurd values. */
const MAX_PIXELS = 100_000;

/** Parses a side of an image or video in pixels, including numbers written as text. */
export function pixels(value: unknown): number | undefined {
  const number = count(value);
  return number !== undefined && Number.isInteger(number) && number > 0 && number <= MAX_PIXELS ? number : undefined;
}
