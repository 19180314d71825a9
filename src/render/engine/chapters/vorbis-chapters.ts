import type { ByteSource } from '../binary/byte-source.ts';
import { readOggComments } from '../tags/ogg-comments.ts';
import { type Comment, readComments } from '../tags/vorbis-comments.ts';
import type { Chapter } from './chapter.ts';

/** Maximum length of a parsed comment, in bytes. */
const maxComment = 4096;

/**
 * Reads the chapters in Vorbis comments: `CHAPTER000=00:00:00.000` with `CHAPTER000NAME=Title`
 * (https://wiki.xiph.org/Chapter_Extension; the comments themselves: Vorbis I §5).
 *
 * @throws FastPathDeclined when the comments are truncated.
 */
export function parseChapterComments(comments: Buffer): Chapter[] {
  const byNumber = new Map<number, { start?: number; title?: string }>();
  for (const [key, bytes] of readComments(comments)) {
    const [, digits = '', name] = /^CHAPTER(\d{3})(NAME)?$/.exec(key) ?? [];
    if (digits === '') continue;
    const value = bytes.toString('utf8', 0, maxComment);
    const start = name === undefined ? parseTime(value) : undefined;
    const fields = name === undefined ? (start === undefined ? {} : { start }) : { title: value };
    byNumber.set(Number(digits), { ...byNumber.get(Number(digits)), ...fields });
  }
  return [...byNumber.values()].flatMap(({ start, title = '' }) => (start === undefined ? [] : [{ start, title }]));
}

/** Returns chapters as Vorbis comments. */
export function chapterComments(chapters: readonly Chapter[]): Comment[] {
  return chapters.flatMap(({ start, title }, at): Comment[] => {
    const key = `CHAPTER${`${at}`.padStart(3, '0')}`;
    return [[key, formatTime(start)], ...(title === '' ? [] : [[`${key}NAME`, title] as const])];
  });
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

/** Returns the chapters of an Ogg file: those of the first stream with chapters. */
export function readOggChapters(source: ByteSource): Chapter[] {
  for (const comments of readOggComments(source)) {
    const chapters = parseChapterComments(comments);
    if (chapters.length > 0) return chapters;
  }
  return [];
}
