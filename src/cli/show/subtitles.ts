import { cueTime } from '../terminal/time-text.ts';

/** A piece of a transcript, with the time at which it is said. */
export interface Segment {
  readonly startMs: number;
  readonly durationMs: number;
  readonly text: string;
}

/** The forms that a transcript can be written in. */
export const transcriptForms = ['text', 'srt', 'vtt', 'json'] as const;

/** A form of a transcript. */
export type TranscriptForm = (typeof transcriptForms)[number];

/** A transcript as SubRip (`srt`), WebVTT (https://www.w3.org/TR/webvtt1/) or plain lines. */
export function transcriptText(segments: readonly Segment[], form: Exclude<TranscriptForm, 'json'>): string {
  if (form === 'text') return segments.map(({ text }) => `${oneLine(text)}\n`).join('');
  if (form === 'srt') {
    return segments
      .map((segment, index) => `${index + 1}\n${spanOf(segment, ',')}\n${withoutBlankLines(segment.text)}\n`)
      .join('\n');
  }
  const cues = segments.map((segment) => `\n${spanOf(segment, '.')}\n${escaped(withoutBlankLines(segment.text))}\n`);
  return `WEBVTT\n${cues.join('')}`;
}

function spanOf({ startMs, durationMs }: Segment, mark: ',' | '.'): string {
  return `${cueTime(startMs, mark)} --> ${cueTime(startMs + durationMs, mark)}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** A blank line would end the cue, and an arrow would be taken for its time. */
function withoutBlankLines(text: string): string {
  return text
    .split(/\r\n|\n|\r/)
    .map((line) => line.replaceAll('-->', '->').trim())
    .filter((line) => line !== '')
    .join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
