import { parseClipTime } from '../../../contract/clip-time.ts';
import type { ClipRange } from './item-options.ts';

/** Shortest clip that the handles can select, in seconds. */
const SHORTEST = 0.5;

/** An end of a clip. */
export type ClipEnd = 'start' | 'end';

/** The ends of a clip, in seconds. */
export type ClipEnds = Readonly<Record<ClipEnd, number>>;

/** Returns the ends of a clip of an item. */
export function endsOf(clip: ClipRange | undefined, duration: number): ClipEnds {
  return { start: clip?.start ?? 0, end: Math.min(clip?.end ?? duration, duration) };
}

/** Returns the clip between two ends; undefined if it is the whole item. */
export function clipBetween({ start, end }: ClipEnds, duration: number): ClipRange | undefined {
  if (end < duration) return { start, end };
  return start > 0 ? { start } : undefined;
}

/** Moves an end of a clip to a time, as far as the item and the other end allow. Times have one decimal. */
export function moveEnd(ends: ClipEnds, which: ClipEnd, to: number, duration: number): ClipEnds {
  const shortest = Math.min(SHORTEST, duration);
  const [first, last] = which === 'start' ? [0, ends.end - shortest] : [ends.start + shortest, duration];
  return { ...ends, [which]: Math.max(first, Math.min(last, Math.round(to * 10) / 10)) };
}

/** What is wrong with a typed time. */
export type TimeFault = 'format' | 'outside' | 'order';

/** Sets an end of a clip to a typed time, such as `83`, `1:23` or `1:02:03.5`, or returns what is wrong with it. */
export function typeEnd(ends: ClipEnds, which: ClipEnd, text: string, duration: number): ClipEnds | TimeFault {
  const seconds = parseClipTime(text.trim());
  if (seconds === undefined) return 'format';
  if (seconds > duration) return 'outside';
  const moved = { ...ends, [which]: seconds };
  return moved.start < moved.end ? moved : 'order';
}

/** Formats a time in a clip, with decimals only if it has some: `1:23`, `1:02:03.5`. */
export function clipTimeText(seconds: number): string {
  const milliseconds = Math.round(seconds * 1000);
  const whole = Math.floor(milliseconds / 1000);
  // `.5` for half a second, and nothing for none.
  const fraction = String((milliseconds % 1000) / 1000).slice(1);
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const clock = hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
  return `${clock}${fraction}`;
}
