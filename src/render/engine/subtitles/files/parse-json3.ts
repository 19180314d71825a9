import { count, dig, list, parseJson } from '../../../../parsing/values.ts';
import type { RawCue } from './raw-cue.ts';

/**
 * Reads the cues of a `json3` file, the caption format of YouTube. Captions of speech recognition roll: each line stays
 * while the next one is built up, and events with `aAppend` move it. In such a file, each line ends when the next one
 * begins, so that no line is shown twice.
 */
export function* parseJson3(text: string): Generator<RawCue, void> {
  const events = list(dig(parseJson(text), 'events'));
  const rolls = events.some((event) => dig(event, 'aAppend') !== undefined);
  let last: RawCue | undefined;
  for (const event of events) {
    const start = count(dig(event, 'tStartMs'));
    const line = textOf(event);
    if (start === undefined || line.trim() === '') continue;
    const cue = { start, end: start + (count(dig(event, 'dDurationMs')) ?? 0), text: line };
    if (last !== undefined) yield rolls && last.start < start ? { ...last, end: Math.min(last.end, start) } : last;
    last = cue;
  }
  if (last !== undefined) yield last;
}

function textOf(event: unknown): string {
  const parts = list(dig(event, 'segs')).map((part) => dig(part, 'utf8'));
  return parts.filter((part) => typeof part === 'string').join('');
}
