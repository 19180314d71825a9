/** A segment of a transcript with its time. */
export interface Segment {
  readonly startMs: number;
  readonly durationMs: number;
  readonly text: string;
}

/** A part of the media, in seconds. Without an end, it lasts until the end of the media. */
interface Part {
  readonly start: number;
  readonly end?: number;
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

/** Cuts the segments of a transcript to a part of its media, in seconds, and counts their times from its start. */
export function cutSegments(segments: readonly Segment[], { start, end }: Part): readonly Segment[] {
  const [startMs, endMs] = [start * 1000, (end ?? Number.POSITIVE_INFINITY) * 1000];
  return segments.flatMap((segment) => {
    const from = Math.max(segment.startMs, startMs);
    const to = Math.min(segment.startMs + segment.durationMs, endMs);
    return from < to ? [{ ...segment, startMs: from - startMs, durationMs: to - from }] : [];
  });
}

function cueTiming({ startMs, durationMs }: Segment, separator: ',' | '.'): string {
  return `${cueTime(startMs, separator)} --> ${cueTime(startMs + durationMs, separator)}`;
}

/** Formats milliseconds as subtitles do: `00:01:02,345`, with `separator` before the milliseconds. */
function cueTime(milliseconds: number, separator: ',' | '.'): string {
  const whole = Math.max(0, Math.round(milliseconds));
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const seconds = `${two(whole / 3_600_000)}:${two((whole / 60_000) % 60)}:${two((whole / 1000) % 60)}`;
  return `${seconds}${separator}${String(whole % 1000).padStart(3, '0')}`;
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
