/** Thrown if a stored file is missing, or its size differs from when it was stored. */
export class LostFileError extends Error {
  override readonly name = 'LostFileError';
  /** `missing` can also mean that the whole store is missing, such as a disk that is not mounted. */
  readonly fault: 'missing' | 'damaged';

  constructor(fault: LostFileError['fault'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.fault = fault;
  }
}

/** Returns the error for a missing file. */
export function missingFile(key: string, cause?: unknown): LostFileError {
  return new LostFileError('missing', `the file ${key} is missing from the store`, cause);
}

/** Returns the error for a file with `actual` bytes instead of the `size` that it was stored with. */
export function wrongSize(key: string, actual: string, size: number, cause?: unknown): LostFileError {
  return new LostFileError('damaged', `the file ${key} has ${actual} bytes in the store instead of ${size}`, cause);
}
