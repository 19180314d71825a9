import { imageExtensions, subtitleExtensions } from '../../../contract/job.ts';
import { removeFile } from '../../../files/remove-tree.ts';
import { SourceChanged } from '../source-request.ts';
import { clipOutOfRange, type TimedExcerpt } from './clip-range.ts';
import { type ExcerptDownload, withExcerptPlan } from './fetch-excerpt.ts';
import { ExcerptDeclined } from './media-index.ts';

/** Maximum number of restarts if a file changes while it is downloaded. */
const maxRestarts = 2;
/** Extensions of inputs that do not play over time. */
const stillExtensions: ReadonlySet<string> = new Set([...imageExtensions, ...subtitleExtensions]);
/** Extensions of formats without an index. */
const unindexedExtensions: ReadonlySet<string> = new Set(['mp3', 'aac', 'ogg', 'opus', 'wav', 'flac', 'ts']);

/** The excerpt of an input, or the reason why the whole input must be fetched. */
type ExcerptOutcome =
  | {
      readonly kind: 'excerpt';
      /** Size of its file. */
      readonly bytes: number;
      readonly sourceBytes: number;
      readonly timing: TimedExcerpt;
      /** Duration of the source in seconds, if the clip starts after its end. */
      readonly endsBefore?: number;
    }
  | { readonly kind: 'declined'; readonly reason: string };

/** Whether a clip applies to an input: images and subtitles are always fetched whole. */
export function playsOverTime({ ext }: { readonly ext: string }): boolean {
  return !stillExtensions.has(ext);
}

/** Whether the format of an input can have an index. */
export function hasIndex({ ext }: { readonly ext: string }): boolean {
  return !unindexedExtensions.has(ext);
}

/**
 * Fetches the part of an input that a clip needs.
 *
 * @param ext - the extension in the job.
 * @throws MillraceError as in `fetch-part.ts`, `input_too_large`, or `clip_out_of_range` for the only input of a job.
 */
export async function downloadExcerpt(ext: string, path: string, download: ExcerptDownload): Promise<ExcerptOutcome> {
  if (!hasIndex({ ext })) return { kind: 'declined', reason: `${ext} files have no index` };
  for (let restarts = 0; ; restarts += 1) {
    try {
      return await fetchOnce(path, download);
    } catch (error) {
      if (error instanceof SourceChanged && restarts < maxRestarts) continue;
      if (!(error instanceof ExcerptDeclined || error instanceof SourceChanged)) throw error;
      await removeFile(path);
      // A server whose backends have different tags sends all of its bytes in one response.
      const reason = error instanceof SourceChanged ? 'its server sends different versions of it' : error.message;
      return { kind: 'declined', reason };
    }
  }
}

async function fetchOnce(path: string, download: ExcerptDownload): Promise<ExcerptOutcome> {
  const { clip, hasOtherInputs } = download;
  return await withExcerptPlan(download, async ({ index, sourceBytes, fetchTo }) => {
    const { duration } = index;
    const isPast = duration !== undefined && clip.start >= duration;
    if (isPast && !hasOtherInputs) throw clipOutOfRange(clip, duration, download.source.name);
    const { bytes, start } = await fetchTo(path);
    const timing = { sourceStart: index.start, start };
    return { kind: 'excerpt', bytes, sourceBytes, timing, ...(isPast ? { endsBefore: duration } : {}) };
  });
}
