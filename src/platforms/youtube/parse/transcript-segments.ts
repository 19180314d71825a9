import { MillraceError } from '../../../contract/errors.ts';
import { count, dig, isFields, list } from '../../../parsing/values.ts';
import { parseSiteJson } from '../../reading.ts';

/** A line of a transcript, in milliseconds from the beginning. */
interface TranscriptSegment {
  readonly startMs: number;
  readonly durationMs: number;
  readonly text: string;
}

/**
 * Parses captions in `json3` format. Skips events that only move lines on the screen (`aAppend`, events without text).
 * Lines of speech recognition stay on the screen while the next one is built up, so each ends when the next begins.
 *
 * @throws MillraceError `non_2xx_response` for a status other than 2xx and for an empty body, which is how YouTube
 * rejects a request; `invalid_response_data` for a body that is not json3.
 */
export function parseTranscript(body: string, status: number, kind: 'manual' | 'auto'): readonly TranscriptSegment[] {
  if (status < 200 || status > 299) {
    throw new MillraceError('non_2xx_response', `YouTube returned status ${status} for the transcript. Try again.`);
  }
  if (body.trim() === '') {
    throw new MillraceError('non_2xx_response', 'YouTube rejected the request for the transcript. Try again later.');
  }
  const response = parseSiteJson(body);
  const events = dig(response, 'events');
  if (!isFields(response) || (events !== undefined && !Array.isArray(events))) {
    throw new MillraceError('invalid_response_data', 'YouTube returned a transcript that cannot be read. Try again.');
  }
  const segments = list(events).flatMap(readEvent);
  return kind === 'auto' ? segments.map((segment, at) => cutAt(segment, segments[at + 1]?.startMs)) : segments;
}

function readEvent(event: unknown): TranscriptSegment[] {
  const startMs = count(dig(event, 'tStartMs'));
  if (startMs === undefined || dig(event, 'aAppend') !== undefined) return [];
  const text = list(dig(event, 'segs'))
    .map((part) => dig(part, 'utf8'))
    .filter((part) => typeof part === 'string')
    .join('')
    .trim();
  return text === '' ? [] : [{ startMs, durationMs: count(dig(event, 'dDurationMs')) ?? 0, text }];
}

function cutAt(segment: TranscriptSegment, next: number | undefined): TranscriptSegment {
  const { startMs, durationMs } = segment;
  if (next === undefined || next < startMs || startMs + durationMs <= next) return segment;
  return { ...segment, durationMs: next - startMs };
}
