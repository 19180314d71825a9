import type { RawCue } from './raw-cue.ts';

/** The tags of a line, among them the times at which its words appear. */
const tags = /<[^<>\n]{0,500}>/g;
const wordTime = /<\d[\d:.]{2,20}>/;
/** Maximum duration in milliseconds of a cue that only moves a line. YouTube writes 10. */
const moveMs = 20;

/**
 * Shows each line of rolling captions once. The WebVTT files that YouTube makes of speech recognition repeat each line
 * in the next cue, above the line that is being spoken, and move it by a cue of 10 ms.
 */
export function withoutRepeatedLines(cues: readonly RawCue[]): readonly RawCue[] {
  const moves = cues.some(({ start, end }) => end > start && end - start <= moveMs);
  if (!moves || !cues.some(({ text }) => wordTime.test(text))) return cues;
  let [last, lastEnd] = ['', 0];
  return cues.flatMap((cue) => {
    // The repeated line stays on the screen. After a pause, the same words are spoken again.
    if (cue.start > lastEnd + moveMs) last = '';
    lastEnd = cue.end;
    const lines = cue.text.split('\n').filter((line) => plain(line) !== '');
    const [first = '', ...others] = lines;
    const fresh = plain(first) === last ? others : lines;
    last = plain(lines.at(-1) ?? '');
    return fresh.length === 0 ? [] : [{ ...cue, text: fresh.join('\n') }];
  });
}

function plain(line: string): string {
  return line.replaceAll(tags, '').trim();
}
