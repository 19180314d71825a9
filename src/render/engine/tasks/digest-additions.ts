import type { Cover } from '../tags/cover.ts';
import { digestOf, digestTags } from '../tags/tags.ts';
import type { Additions } from './additions.ts';
import type { ProcessReport } from './report.ts';

/** Tags and a cover, or the bytes of one. */
interface DigestedAdditions extends Pick<Additions, 'tags'> {
  readonly cover?: Cover | Buffer;
}

/** Returns what the report states about the additions to a result. */
export function digestAdditions(
  { tags, cover }: DigestedAdditions,
  chapters: number,
): Pick<ProcessReport, 'chapters' | 'tags' | 'cover'> {
  return {
    chapters,
    ...(Object.keys(tags).length === 0 ? {} : { tags: digestTags(tags) }),
    ...(cover === undefined ? {} : { cover: digestOf(Buffer.isBuffer(cover) ? cover : cover.bytes) }),
  };
}
