import type { OutputNote } from '../../../contract/output-notes.ts';
import { normalizeChapters, placeChapters } from '../chapters/chapter.ts';
import { type ContainerFormat, containerFormats, isOutputContainer } from '../formats/container-formats.ts';
import { tagsOfMetadata } from '../tags/tags.ts';
import type { RequestedAdditions } from '../tasks/additions.ts';
import type { ProcessTask, TaskOutput } from '../tasks/task.ts';

/** The part of a task that determines its additions. */
interface AdditionRequest extends Pick<ProcessTask, 'clip'> {
  readonly output: Omit<TaskOutput, 'path'>;
}

/**
 * Returns the tags and chapters that a task adds to its result, as far as the container can store them. Chapters count
 * from the beginning of the media, so those of a clip are shifted by its start.
 */
export function requestedAdditions({ output, clip }: AdditionRequest): RequestedAdditions {
  const { ext, metadata, chapters } = output;
  if (!isOutputContainer(ext)) return { tags: {}, notes: [] };
  const container = containerFormats[ext];
  const tags = tagsOfMetadata(metadata);
  const storesTags = container.additions !== undefined;
  const storesChapters = container.chapters === true;
  const placedChapters =
    chapters === undefined
      ? undefined
      : placeChapters(normalizeChapters(chapters), -(clip?.start ?? 0), Number.POSITIVE_INFINITY);
  return {
    tags: storesTags ? tags : {},
    ...(placedChapters === undefined ? {} : { chapters: storesChapters ? placedChapters : [] }),
    notes: [
      ...(storesTags ? [] : Object.keys(tags).map((name) => tagLeftOut(name, container))),
      ...(storesChapters || placedChapters === undefined || placedChapters.length === 0
        ? []
        : [chaptersLeftOut(container)]),
    ],
  };
}

function tagLeftOut(name: string, { title }: ContainerFormat): OutputNote {
  const message = `The ${name.replace('_', ' ')} tag was left out: ${title} cannot store it.`;
  return { code: 'metadata_left_out', message };
}

function chaptersLeftOut({ title }: ContainerFormat): OutputNote {
  return { code: 'chapters_left_out', message: `The chapters of the job were left out: ${title} cannot store them.` };
}

/** Returns the note about chapters that begin after the end of the result. */
export function chaptersAfterEnd(count: number): OutputNote {
  const chapters = count === 1 ? '1 chapter of the job was' : `${count} chapters of the job were`;
  return { code: 'chapters_left_out', message: `${chapters} left out: the media ends before.` };
}

/** Returns the note about a cover that is not in the result. */
export function coverLeftOut(reason: string): OutputNote {
  return { code: 'cover_left_out', message: `The cover image was left out: ${reason}.` };
}
