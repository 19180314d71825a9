import { linesOf } from './lines-of.ts';
import { parseTiming } from './parse-timing.ts';
import { maxCueLines, type RawCue } from './raw-cue.ts';
import { parseTimestampMap, shiftBetween } from './timestamp-map.ts';

/**
 * Reads the cues of a WebVTT file (https://www.w3.org/TR/webvtt1/). Skips its header, comments, style sheets and
 * regions, which are blocks without times, and the settings of cues. An empty line ends a cue. The segments of a file
 * count like its first one, by their maps to the clock of MPEG-TS. That clock tells nothing about files outside its
 * playlist.
 */
export function* parseVtt(text: string): Generator<RawCue, void> {
  let times: ReturnType<typeof parseTiming>;
  let lines: string[] = [];
  let firstMap: number | undefined;
  let shift = 0;
  for (const line of linesOf(text)) {
    const next = parseTiming(line);
    const isBlank = line.trim() === '';
    // A line of spaces ends a cue in careless files, but some captions begin with one.
    if (next === undefined && (!isBlank || (line !== '' && lines.length === 0))) {
      const map = times === undefined ? parseTimestampMap(line) : undefined;
      firstMap ??= map;
      if (map !== undefined) shift = shiftBetween(firstMap ?? map, map);
      if (times !== undefined && !isBlank && lines.length < maxCueLines) lines.push(line);
      continue;
    }
    if (times !== undefined) yield { ...times, text: lines.join('\n') };
    [times, lines] = [shiftTimes(next, shift), []];
  }
  if (times !== undefined) yield { ...times, text: lines.join('\n') };
}

/** Moves the times of a cue; returns undefined if it ends before the beginning. */
function shiftTimes(times: ReturnType<typeof parseTiming>, shift: number): typeof times {
  if (times === undefined || shift === 0) return times;
  const [start, end] = [Math.max(0, times.start + shift), times.end + shift];
  return times.start + shift < 0 && end <= 0 ? undefined : { start, end };
}

const entities = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['nbsp', '\u00a0'],
  ['lrm', '\u200e'],
  ['rlm', '\u200f'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** Decodes the character references of WebVTT. */
export function unescapeVtt(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (reference, decimal, hex, name) => {
    if (name !== undefined) return entities.get(name) ?? reference;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code).toWellFormed() : reference;
  });
}
