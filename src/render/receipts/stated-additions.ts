import { createHash } from 'node:crypto';
import type { Job } from '../../contract/job.ts';
import type { AdditionSource } from '../../contract/output-additions.ts';
import { validUrl } from '../../contract/parse-url.ts';
import type { ReceiptStatement } from '../../contract/receipt.ts';
import type { AddedFiles } from './result-evidence.ts';

type StatedAdditions = NonNullable<ReceiptStatement['additions']>;

/**
 * Returns what a job added to its result, as its receipt states it; undefined if it added nothing.
 *
 * @param namesHosts Whether the caller named the sources. Those of an item may show where the exit is.
 */
export function statedAdditions(
  { output: { metadata, chapters, cover, subtitles = [] } }: Pick<Job, 'output'>,
  { cover: coverFile, subtitles: subtitleFiles }: AddedFiles = { subtitles: [] },
  namesHosts: boolean,
): StatedAdditions | undefined {
  const hostOf = (source: AdditionSource | { readonly content: string }) =>
    namesHosts && 'url' in source ? validUrl(source.url).hostname : null;
  const statedSubtitles = subtitleFiles.flatMap(({ addition, ...file }) => {
    const added = subtitles[addition];
    if (added === undefined) return [];
    const { source, ...described } = added;
    return [{ ...described, host: hostOf(source), ...file }];
  });
  const stated: StatedAdditions = {
    ...(metadata === undefined ? {} : { metadata: statedMetadata(metadata) }),
    ...(chapters === undefined ? {} : { chapters: { count: chapters.length, sha256: digestOf(chapters) } }),
    ...(cover === undefined || coverFile === undefined ? {} : { cover: { host: hostOf(cover), ...coverFile } }),
    ...(statedSubtitles.length === 0 ? {} : { subtitles: statedSubtitles }),
  };
  return Object.keys(stated).length === 0 ? undefined : stated;
}

function statedMetadata(metadata: NonNullable<Job['output']['metadata']>): NonNullable<StatedAdditions['metadata']> {
  return { tags: Object.keys(metadata).toSorted(), sha256: digestOf(metadata) };
}

/** Returns the hash of a value as canonical JSON (RFC 8785), which sorts the members of objects. */
function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value, sortMembers)).digest('hex');
}

function sortMembers(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
