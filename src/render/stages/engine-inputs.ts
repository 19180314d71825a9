import type { FetchedFile } from '../download/download-inputs.ts';
import type { EngineInput } from '../engine/tasks/task.ts';

/** How many times as large as its inputs a result may be: copied, and re-encoded (AAC into WAV grows tenfold). */
const COPY_ALLOWANCE = 2;
const ENCODE_ALLOWANCE = 16;
const HEADROOM_BYTES = 256 * 1024 * 1024;

/** Bytes that a result may have at most, for inputs of `bytes` bytes. */
export function outputByteLimit(bytes: number, copyStreams: boolean): number {
  return (copyStreams ? COPY_ALLOWANCE : ENCODE_ALLOWANCE) * bytes + HEADROOM_BYTES;
}

/** Bytes of several files together. */
export function totalFileBytes(files: readonly FetchedFile[]): number {
  return files.reduce((sum, file) => sum + file.bytes, 0);
}

/** What the engine works on: one input for each file of the job's inputs, with its parts one after the other. */
export function engineInputs(inputs: readonly (readonly Pick<FetchedFile, 'parts'>[])[]): EngineInput[] {
  return inputs.flatMap((files, jobInput) => {
    return files.map(({ parts: [first, ...others] }): EngineInput => {
      if (first === undefined) throw new Error('an input came without a file');
      return { ...first, jobInput, ...(others.length === 0 ? {} : { followedBy: others }) };
    });
  });
}
