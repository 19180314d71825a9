import { cueTime } from '../terminal/time-text.ts';

/** A segment of a transcript with its time. */
export interface Segment {
  readonly startMs: number;
  readonly durationMs: number;
  readonly text: string;
}

/** The output formats of a transcript. */
export const transcriptFormats = ['text', 'srt', 'vtt', 'json'] as const;

/** An output format of a transcript. */
export type TranscriptFormat = (typeof transcriptFormats)[number];

/** Formats a transcript as SubRip (`srt`), WebVTT (https://www.w3.org/TR/webvtt1/) or plain lines. */
export function transcriptText(segments: readonly Segment[], format: Exclude<TranscriptFormat, 'json'>): string {
  if (format === 'text') return segments.map(({ text }) => `${oneLine(text)}\n`).join('');
  if (format === 'srt') {
    return segments
      .map((segment, index) => `${index + 1}\n${cueTiming(segment, ',')}\n${withoutBlankLines(segment.text)}\n`)
      .join('\n');
  }
  const cues = segments.map(
    (segment) => `\n${cueTiming(segment, '.')}\n${escapeCueText(withoutBlankLines(segment.text))}\n`,
  );
  return `WEBVTT\n${cues.join('')}`;
}

function cueTiming({ startMs, durationMs }: Segment, separator: ',' | '.'): string {
  return `${cueTime(startMs, separator)} --> ${cueTime(startMs + durationMs, separator)}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Removes blank lines, which would end the cue, and arrows, which would be read as cue timings. */
function withoutBlankLines(text: string): string {
  return text
    .split(/\r\n|\n|\r/)
    .map((line) => line.replaceAll('-->', '->').trim())
    .filter((line) => line !== '')
    .join('\n');
}

function escapeCueText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
