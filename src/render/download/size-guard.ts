import { MillraceError } from '../../contract/errors.ts';
import type { Job } from '../../contract/job.ts';
import { sizeText } from '../../contract/job-status.ts';

/** Watches the announced and received size of one input. */
export interface SizeGuard {
  /** @throws MillraceError `input_too_large` once this input, or all inputs together, exceed the job's limits. */
  check(bytes: number): void;
}

/** Creates a guard for each input with the limits of the job. */
export function createSizeGuards({ inputs, inputSize }: Job): SizeGuard[] {
  const sizes = inputs.map(() => 0);
  return inputs.map((_input, index) => ({
    check(bytes) {
      if (bytes <= (sizes[index] ?? 0)) return;
      sizes[index] = bytes;
      const total = sizes.reduce((sum, size) => sum + size, 0);
      if (bytes > inputSize.total) {
        // The limit of one input never exceeds that of all inputs.
        throw tooLarge(`Input ${index + 1} alone is`, bytes, inputSize.total, 'all inputs together', index);
      }
      if (bytes > inputSize.perInput) {
        throw tooLarge(`Input ${index + 1} is`, bytes, inputSize.perInput, 'one input', index);
      }
      if (total > inputSize.total)
        throw tooLarge('The inputs are', total, inputSize.total, 'all inputs together', null);
    },
  }));
}

/**
 * Divides the guard of an input among what its download writes: each call returns the guard of a segment or of another
 * file. They count together what they have on the disk. The part of a response that is fetched again remains there until
 * its file is complete, so the largest one counts.
 */
export function divideSizeGuard({ check }: SizeGuard): () => SizeGuard {
  let total = 0;
  return () => {
    let size = 0;
    return {
      check(bytes) {
        if (bytes <= size) return;
        total += bytes - size;
        size = bytes;
        check(total);
      },
    };
  };
}

function tooLarge(what: string, bytes: number, limit: number, of: string, input: number | null): MillraceError {
  return new MillraceError(
    'input_too_large',
    `${what} too large: ${sizeText(bytes)} or more, but the limit is ${sizeText(limit)} for ${of}. Use a smaller source or increase limits.inputSize.`,
    { input },
  );
}
