import type { SubtitleFormat } from '../../../../contract/output-additions.ts';
import { decodeText } from './decode-text.ts';
import { type FileCue, SubtitlesUnreadable, subtitleLimits } from './file-cue.ts';
import { parseCueText, type TextFormat } from './parse-cue-text.ts';
import { parseJson3 } from './parse-json3.ts';
import { parseSrt } from './parse-srt.ts';
import { parseVtt, unescapeVtt } from './parse-vtt.ts';
import type { RawCue } from './raw-cue.ts';
import { withoutRepeatedLines } from './rolling-captions.ts';

/** How long a cue without an end is shown at most, in milliseconds. */
const openCueLimit = 5000;

/** The cues of a subtitle file. */
export interface ParsedSubtitles {
  /** Ordered by start. There is at least one, and each ends after its start. */
  readonly cues: readonly FileCue[];
  /** Number of cues whose text was longer than the limit. */
  readonly shortened: number;
}

interface FormatReader extends TextFormat {
  readonly readCues: (text: string) => Iterable<RawCue>;
}

const readers: Readonly<Record<SubtitleFormat, FormatReader>> = {
  srt: { readCues: parseSrt },
  vtt: { readCues: (text) => withoutRepeatedLines([...parseVtt(text)]), decode: unescapeVtt },
  json3: { readCues: parseJson3, isPlain: true },
};

/**
 * Parses a subtitle file, which may contain anything.
 *
 * @throws SubtitlesUnreadable if it has no cues, or more than the limits allow.
 */
export function parseSubtitles(bytes: Buffer, format: SubtitleFormat): ParsedSubtitles {
  if (bytes.length > subtitleLimits.fileBytes) {
    throw new SubtitlesUnreadable(`they are larger than ${subtitleLimits.fileBytes / 1_000_000} MB`);
  }
  const { readCues, ...textFormat } = readers[format];
  const cues: FileCue[] = [];
  let shortened = 0;
  for (const { start, end, text: source } of readCues(decodeText(bytes))) {
    if (start >= subtitleLimits.time * 1000) continue;
    const { text, isShortened } = parseCueText(source, textFormat);
    if (text.length === 0) continue;
    if (cues.length === subtitleLimits.cues) {
      throw new SubtitlesUnreadable(`they have more than ${subtitleLimits.cues.toLocaleString('en')} cues`);
    }
    if (isShortened) shortened += 1;
    cues.push({ start: Math.round(start), end: Math.round(Math.min(end, subtitleLimits.time * 1000)), text });
  }
  if (cues.length === 0) throw new SubtitlesUnreadable(`they contain no ${format} cues`);
  return { cues: withEnds(cues.toSorted((a, b) => a.start - b.start)), shortened };
}

/** Ends cues without an end when the next one begins. */
function withEnds(cues: readonly FileCue[]): readonly FileCue[] {
  let next = Number.POSITIVE_INFINITY;
  let start = Number.POSITIVE_INFINITY;
  return cues
    .toReversed()
    .map((cue) => {
      if (cue.start < start) [next, start] = [start, cue.start];
      return cue.end > cue.start ? cue : { ...cue, end: Math.min(next, cue.start + openCueLimit) };
    })
    .toReversed();
}
