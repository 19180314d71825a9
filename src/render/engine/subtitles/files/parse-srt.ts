import { linesOf } from './lines-of.ts';
import { parseTiming } from './parse-timing.ts';
import { maxCueLines, type RawCue } from './raw-cue.ts';

/**
 * Reads the cues of a SubRip file. Their text may contain empty lines, so a cue ends only where the next one begins: at
 * its times, and the number before them.
 */
export function* parseSrt(text: string): Generator<RawCue, void> {
  let times: ReturnType<typeof parseTiming>;
  let lines: string[] = [];
  for (const line of linesOf(text)) {
    const next = parseTiming(line);
    if (next === undefined) {
      if (lines.length < maxCueLines) lines.push(line);
      continue;
    }
    if (times !== undefined) yield { ...times, text: withoutNumber(lines).join('\n') };
    [times, lines] = [next, []];
  }
  if (times !== undefined) yield { ...times, text: lines.join('\n') };
}

/** Removes the number of the next cue, which follows an empty line or is the only line. */
function withoutNumber(lines: string[]): readonly string[] {
  const isNumber = /^\s*\d{1,9}\s*$/.test(lines.at(-1) ?? '');
  const isSeparate = lines.length === 1 || lines.at(-2)?.trim() === '';
  return isNumber && isSeparate ? lines.slice(0, -1) : lines;
}
