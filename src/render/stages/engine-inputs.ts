import { type Job, subtitleExtensions } from '../../contract/job.ts';
import type { FetchedAdditions } from '../download/additions/fetch-additions.ts';
import type { FetchedFile } from '../download/download-inputs.ts';
import type { EngineInput } from '../engine/tasks/task.ts';

/** Maximum size of a result relative to its inputs: when copied, and when re-encoded (AAC grows tenfold as WAV). */
const COPY_ALLOWANCE = 2;
const ENCODE_ALLOWANCE = 16;
const HEADROOM_BYTES = 256 * 1024 * 1024;

/**
 * Returns the maximum size of a result in bytes, for inputs of `bytes` bytes. A result that is padded to a size may have as
 * many bytes as the job allows.
 */
export function outputByteLimit(bytes: number, copyStreams: boolean, maxSize = 0): number {
  return Math.max(maxSize, (copyStreams ? COPY_ALLOWANCE : ENCODE_ALLOWANCE) * bytes + HEADROOM_BYTES);
}

/** Returns the total size of several files in bytes. */
export function totalFileBytes(files: readonly FetchedFile[]): number {
  return files.reduce((sum, file) => sum + file.bytes, 0);
}

/**
 * Returns the engine's inputs: one for each file of the job's inputs, with its parts in order.
 *
 * @param files The files of each input.
 */
export function engineInputs(
  { inputs }: Pick<Job, 'inputs'>,
  files: readonly (readonly Pick<FetchedFile, 'parts' | 'language'>[])[],
): EngineInput[] {
  return files.flatMap((filesOfInput, jobInput) => {
    const { ext, language } = inputs[jobInput] ?? {};
    const format = subtitleExtensions.find((extension) => extension === ext);
    return filesOfInput.map(({ parts: [first, ...others], language: fetchedLanguage = language }): EngineInput => {
      if (first === undefined) throw new Error('an input has no file');
      return {
        ...first,
        jobInput,
        ...(others.length === 0 ? {} : { followedBy: others }),
        ...(fetchedLanguage === undefined ? {} : { language: fetchedLanguage }),
        ...(format === undefined ? {} : { subtitles: { format, default: false } }),
      };
    });
  });
}

/** Returns the engine's inputs for the subtitles that a job adds. They follow those of its inputs. */
export function addedInputs({ subtitles }: Pick<FetchedAdditions, 'subtitles'>): EngineInput[] {
  return subtitles.map(({ path, addition, format, language, title, default: isDefault }) => ({
    path,
    ...(language === undefined ? {} : { language }),
    subtitles: { format, addition, ...(title === undefined ? {} : { title }), default: isDefault },
  }));
}
