import { decline } from '../binary/fast-path-declined.ts';
import type { Chapter } from './chapter.ts';

/**
 * Reads the chapters in Vorbis comments: `CHAPTER000=00:00:00.000` with `CHAPTER000NAME=Title`
 * (https://wiki.xiph.org/Chapter_Extension; the comments themselves: Vorbis I §5).
 *
 * @throws FastPathDeclined when the comments are truncated.
 */
export function parseChapterComments(comments: Buffer): Chapter[] {
  const byNumber = new Map<number, { start?: number; title?: string }>();
  for (const comment of readComments(comments)) {
    const [, digits = '', name, value = ''] = /^CHAPTER(\d{3})(NAME)?=(.*)$/is.exec(comment) ?? [];
    if (digits === '') continue;
    const start = name === undefined ? parseTime(value) : undefined;
    const fields = name === undefined ? (start === undefined ? {} : { start }) : { title: value };
    byNumber.set(Number(digits), { ...byNumber.get(Number(digits)), ...fields });
  }
  return [...byNumber.values()].flatMap(({ start, title = '' }) => (start === undefined ? [] : [{ start, title }]));
}

/** Returns chapters as Vorbis comments. */
export function chapterComments(chapters: readonly Chapter[]): Record<string, string> {
  const comments = chapters.flatMap(({ start, title }, at) => {
    const key = `CHAPTER${`${at}`.padStart(3, '0')}`;
    return [[key, formatTime(start)] as const, ...(title === '' ? [] : [[`${key}NAME`, title] as const])];
  });
  return Object.fromEntries(comments);
}

/** Maximum length of a parsed comment, in characters. Longer comments are images. */
const maxComment = 4096;

function* readComments(bytes: Buffer): Generator<string> {
  let at = 0;
  const number = () => {
    if (at + 4 > bytes.length) decline('its comments are cut short');
    at += 4;
    return bytes.readUInt32LE(at - 4);
  };
  const text = () => {
    const size = number();
    if (size > bytes.length - at) decline('its comments are cut short');
    at += size;
    return bytes.toString('utf8', at - size, at - size + Math.min(size, maxComment));
  };
  // Skips the name of the program that wrote the comments.
  text();
  for (let remaining = number(); remaining > 0; remaining -= 1) yield text();
}

function parseTime(text: string): number | undefined {
  const [, hours, minutes, seconds] = /^(\d{1,4}):(\d{1,2}):(\d{1,2}(?:\.\d{1,9})?)$/.exec(text.trim()) ?? [];
  return seconds === undefined ? undefined : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

function formatTime(seconds: number): string {
  const milliseconds = Math.round(seconds * 1000);
  const part = (unit: number, of: number, digits: number) => {
    return `${Math.floor(milliseconds / unit) % of}`.padStart(digits, '0');
  };
  return `${part(3_600_000, Number.POSITIVE_INFINITY, 2)}:${part(60_000, 60, 2)}:${part(1000, 60, 2)}.${part(1, 1000, 3)}`;
}
