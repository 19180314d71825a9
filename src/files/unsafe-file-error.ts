/**
 * Thrown if a path does not lead to the file or folder that the service put there, but to a link, a FIFO, a device or a
 * file of another size. The target was neither read nor written.
 */
export class UnsafeFileError extends Error {
  override readonly name = 'UnsafeFileError';

  /** `fault` follows the path in the message: "is a symbolic link". */
  constructor(path: string, fault: string, cause?: unknown) {
    super(`${path} ${fault}`, cause === undefined ? undefined : { cause });
  }
}

/** Errors of `open` with the flags used here and of `rename`, and their meanings. */
const faults: Readonly<Record<string, string>> = {
  // open(2): O_NOFOLLOW and a symbolic link. FreeBSD says EMLINK.
  ELOOP: 'is a symbolic link',
  EMLINK: 'is a symbolic link',
  // open(2): O_DIRECTORY and anything but a folder, including a link to one.
  ENOTDIR: 'is not a folder, or a link to one',
  // open(2): a socket, or O_NONBLOCK and a FIFO without a reader.
  ENXIO: 'is not a regular file',
  // rename(2): a folder at the new path.
  EISDIR: 'is not a regular file',
};

/**
 * Rethrows an error of `open` or `rename`, as an {@link UnsafeFileError} if the error shows what is at the path. For
 * use with `catch`.
 */
export function throwUnsafe(path: string): (error: unknown) => never {
  return (error) => {
    const fault = error instanceof Error && 'code' in error ? faults[String(error.code)] : undefined;
    throw fault === undefined ? error : new UnsafeFileError(path, fault, error);
  };
}
