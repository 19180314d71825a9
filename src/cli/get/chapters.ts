import type { ExtractionResponse } from '#client/extraction.ts';
import { CommandError } from '../errors/command-errors.ts';

/** A chapter of a video, as a part to fetch. */
export interface Chapter {
  /** Its position, from 1. */
  readonly number: number;
  /** Its title, after its number: `01 Introduction`. */
  readonly name: string;
  /** The value of the parameter `clip`: `0-93.5`, `93.5-`. */
  readonly clip: string;
}

/** Maximum number of chapters. */
const MAX_CHAPTERS = 1_000;

/**
 * Returns the chapters of a video.
 *
 * @throws CommandError if it has none.
 */
export function chaptersOf({ metadata }: Pick<ExtractionResponse, 'metadata'>): readonly Chapter[] {
  const listed = metadata.additionalData?.chapters;
  const all = (Array.isArray(listed) ? listed.slice(0, MAX_CHAPTERS) : []).flatMap(readChapter);
  const sorted = all.toSorted((a, b) => a.startMs - b.startMs);
  const starts = sorted.filter(({ startMs }, index) => startMs !== sorted[index - 1]?.startMs);
  if (starts.length === 0) {
    throw new CommandError('This link has no chapters. Run the command again without --split-chapters.');
  }
  const digits = Math.max(2, String(starts.length).length);
  return starts.map(({ title, startMs }, index) => ({
    number: index + 1,
    name: `${String(index + 1).padStart(digits, '0')} ${title}`.trim(),
    clip: `${startMs / 1000}-${index + 1 < starts.length ? (starts[index + 1]?.startMs ?? 0) / 1000 : ''}`,
  }));
}

function readChapter(value: unknown): { readonly title: string; readonly startMs: number }[] {
  if (typeof value !== 'object' || value === null) return [];
  const { title, startMs } = value as Readonly<Record<string, unknown>>;
  return typeof startMs === 'number' && startMs >= 0
    ? [{ title: typeof title === 'string' ? title : '', startMs }]
    : [];
}
