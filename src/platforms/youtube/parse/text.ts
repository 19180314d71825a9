import { defined, dig, type Fields, fields, isFields, list, text } from '../../../parsing/values.ts';
import { type Link, readLink } from './outbound-links.ts';
import { readThumbnails } from './thumbnails.ts';

/** Maximum number of parts, more than any text of the site has had. */
const MAX_RUNS = 2_000;

/** A part of a text: words with a link, or the image of an emoji. */
export interface TextRun extends Link {
  readonly text: string;
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly strikethrough?: boolean;
  /** Address of the image that represents the text. */
  readonly emojiUrl?: string;
}

/**
 * Returns the text in any of the site's formats: `simpleText`, `runs`, `content`, or a plain string. Returns undefined
 * if it is empty.
 */
export function readText(node: unknown): string | undefined {
  if (typeof node === 'string') return text(node);
  if (!isFields(node)) return undefined;
  if (node.simpleText !== undefined) return text(node.simpleText);
  if (node.content !== undefined) return text(node.content);
  const runs = list(node.runs);
  let words = '';
  for (const run of runs.slice(0, MAX_RUNS)) words += runText(run);
  return text(words);
}

/** Returns the parts of a text with their links. A text without links has one part. */
export function readRuns(node: unknown): readonly TextRun[] {
  const { runs, content } = fields(node);
  if (Array.isArray(runs)) return runs.slice(0, MAX_RUNS).map(readRun);
  if (typeof content === 'string') return splitContent(content, fields(node));
  const words = readText(node);
  return words === undefined ? [] : [{ text: words }];
}

function runText(run: unknown): string {
  const words = dig(run, 'text');
  if (typeof words === 'string') return words;
  return emojiText(dig(run, 'emoji'));
}

/**
 * Returns the text of an emoji. A custom emoji has a shortcut such as `:hand-pink-waving:`; the ID of a standard one is
 * the character itself.
 */
function emojiText(emoji: unknown): string {
  const words = dig(emoji, 'isCustomEmoji') === true ? dig(emoji, 'shortcuts', 0) : dig(emoji, 'emojiId');
  return typeof words === 'string' ? words : '';
}

function readRun(run: unknown): TextRun {
  const { navigationEndpoint, emoji, bold, italics, strikethrough } = fields(run);
  return {
    text: runText(run),
    ...(navigationEndpoint === undefined ? {} : readLink(navigationEndpoint)),
    ...defined({
      bold: bold === true || undefined,
      italic: italics === true || undefined,
      strikethrough: strikethrough === true || undefined,
      emojiUrl: readThumbnails(dig(emoji, 'image'))[0]?.url,
    }),
  };
}

interface MarkedRange {
  readonly from: number;
  readonly to: number;
  readonly marks: Omit<TextRun, 'text'>;
}

/** Splits a `content` at its links, images and styles, whose offsets count UTF-16 units. */
function splitContent(content: string, { commandRuns, attachmentRuns, styleRuns }: Fields): readonly TextRun[] {
  const layers = [
    readLayer(commandRuns, content, (run) => readLink(dig(run, 'onTap', 'innertubeCommand'))),
    readLayer(attachmentRuns, content, pictureOf),
    readLayer(styleRuns, content, styleOf),
  ];
  const places = layers.flat().flatMap(({ from, to }) => [from, to]);
  const cuts = [...new Set([0, ...places, content.length])].sort((a, b) => a - b);
  return cuts.slice(0, -1).map((from, at) => {
    const run = { text: content.slice(from, cuts[at + 1]) };
    for (const ranges of layers) {
      while (ranges[0] !== undefined && ranges[0].to <= from) ranges.shift();
      if (ranges[0] !== undefined && ranges[0].from <= from) Object.assign(run, ranges[0].marks);
    }
    return run;
  });
}

/** Reads the ranges that one list marks, in order. If two of them overlap, the first counts. */
function readLayer(entries: unknown, content: string, marksOf: (run: unknown) => MarkedRange['marks']): MarkedRange[] {
  const ranges = list(entries)
    .slice(0, MAX_RUNS)
    .flatMap((run) => rangeOf(run, content, marksOf(run)))
    .sort((a, b) => a.from - b.from);
  let lastEnd = 0;
  return ranges.filter(({ from, to }) => {
    if (from < lastEnd) return false;
    lastEnd = to;
    return true;
  });
}

function rangeOf(run: unknown, content: string, marks: MarkedRange['marks']): MarkedRange[] {
  const { startIndex = 0, length } = fields(run);
  if (typeof startIndex !== 'number' || typeof length !== 'number') return [];
  const to = startIndex + length;
  const fits = Number.isInteger(startIndex) && Number.isInteger(to) && startIndex >= 0 && to <= content.length;
  return fits && length > 0 && Object.keys(marks).length > 0 ? [{ from: startIndex, to, marks }] : [];
}

/** Returns the marks of a style. Bold text has "medium" weight (comments, 2024-04 to 2026-07). */
function styleOf(run: unknown): MarkedRange['marks'] {
  const { weightLabel, italic, strikethrough } = fields(run);
  return defined({
    bold: weightLabel === 'FONT_WEIGHT_MEDIUM' || weightLabel === 'FONT_WEIGHT_BOLD' || undefined,
    italic: italic === true || undefined,
    strikethrough: strikethrough === 'LINE_STYLE_SINGLE' || undefined,
  });
}

function pictureOf(run: unknown): MarkedRange['marks'] {
  return defined({ emojiUrl: readThumbnails(dig(run, 'element', 'type', 'imageType', 'image'))[0]?.url });
}
