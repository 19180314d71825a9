import { join } from 'node:path';
import type { Job } from '../../../contract/job.ts';
import { type AddedSubtitles, additionLimits } from '../../../contract/output-additions.ts';
import type { NoteCode, OutputNote } from '../../../contract/output-notes.ts';
import { openForWriting } from '../../../files/open-file.ts';
import { removeFile } from '../../../files/remove-tree.ts';
import { createTaskGroup } from '../task-group.ts';
import { AdditionUnavailable } from './addition-unavailable.ts';
import { type AdditionContext, type AdditionTarget, fetchAddition } from './fetch-addition.ts';

/** Maximum number of additions fetched concurrently. */
const MAX_CONCURRENT = 8;

/** Subtitles that a job adds, in a file. */
export interface FetchedSubtitles extends Omit<AddedSubtitles, 'source'> {
  readonly path: string;
  /** Index among the job's `output.subtitles`. */
  readonly addition: number;
}

/** The files that a job adds to its result, as far as their sources sent them. */
export interface FetchedAdditions {
  readonly cover?: { readonly path: string };
  /** In the order of the job. */
  readonly subtitles: readonly FetchedSubtitles[];
  /** Notes about those that are left out. */
  readonly notes: readonly OutputNote[];
  /** Number of bytes that were fetched. */
  readonly bytes: number;
}

/** An addition to fetch. */
interface Task {
  readonly code: NoteCode;
  /** The beginning of its note. */
  readonly leftOut: string;
  /** Stores it, and returns the number of bytes that were fetched. */
  readonly fetch: (signal: AbortSignal) => Promise<number>;
}

/** Whether a job adds files to its result. */
export function hasAddedFiles({ output: { cover, subtitles = [] } }: Job): boolean {
  return cover !== undefined || subtitles.length > 0;
}

/**
 * Fetches the cover image and the subtitles that a job adds to its result into a folder. Those that are not
 * available are left out, with a note.
 *
 * @throws The signal's reason; an error of the file system.
 */
export async function fetchAdditions(
  { output, inputSize }: Job,
  { directory, ...context }: AdditionContext & { readonly directory: string },
): Promise<FetchedAdditions> {
  const { cover, subtitles = [] } = output;
  const coverTarget = target('The cover image', join(directory, 'added-cover'), additionLimits.coverBytes);
  const files = subtitles.map(({ source, ...described }, addition) => {
    const path = join(directory, `added-subtitles-${addition + 1}.${described.format}`);
    return { source, fetched: { ...described, path, addition } };
  });

  function target(name: string, path: string, limit: number): AdditionTarget {
    return { name, path, maxBytes: Math.min(limit, inputSize.total) };
  }

  const tasks: Task[] = [
    ...(cover === undefined
      ? []
      : [
          {
            code: 'cover_left_out' as const,
            leftOut: 'The cover image was left out',
            fetch: (signal: AbortSignal) => fetchAddition(cover, coverTarget, { ...context, signal }),
          },
        ]),
    ...files.map(({ source, fetched: { path, addition } }): Task => {
      const name = `Subtitles ${addition + 1}`;
      return {
        code: 'subtitles_left_out',
        leftOut: `${name} were left out`,
        fetch: (signal) => {
          if ('content' in source) return writeContent(path, source.content);
          return fetchAddition(source, target(name, path, additionLimits.subtitleBytes), { ...context, signal });
        },
      };
    }),
  ];
  const outcomes = await fetchAll(tasks, context.signal);
  const isFetched = (at: number) => typeof outcomes[at] === 'number';
  const firstSubtitles = tasks.length - files.length;
  return {
    ...(cover !== undefined && isFetched(0) ? { cover: { path: coverTarget.path } } : {}),
    subtitles: files.map(({ fetched }) => fetched).filter((_, at) => isFetched(firstSubtitles + at)),
    notes: outcomes.filter((outcome) => typeof outcome !== 'number'),
    bytes: outcomes.filter((outcome) => typeof outcome === 'number').reduce((sum, bytes) => sum + bytes, 0),
  };
}

/** Returns the bytes that were fetched of each addition, or the note about it. */
async function fetchAll(tasks: readonly Task[], signal: AbortSignal): Promise<(number | OutputNote)[]> {
  const group = createTaskGroup(signal);
  const outcomes: (number | OutputNote)[] = [];
  const queue = [...tasks.entries()];
  const runWorker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [at, { code, leftOut, fetch }] = next;
      outcomes[at] = await fetch(group.signal).catch((error: unknown): OutputNote => {
        if (!(error instanceof AdditionUnavailable)) throw error;
        return { code, message: `${leftOut}: ${error.message}.` };
      });
    }
  };
  for (let worker = 0; worker < Math.min(MAX_CONCURRENT, tasks.length); worker += 1) group.run(runWorker);
  await group.wait();
  return outcomes;
}

/** Writes subtitles that are part of the job. Nothing is fetched for them. */
async function writeContent(path: string, content: string): Promise<number> {
  await removeFile(path);
  const file = await openForWriting(path, { keep: false });
  try {
    await file.writeFile(content);
    return 0;
  } finally {
    await file.close();
  }
}
