/**
 * What lies at a path is not the file or folder that the service put there: a link, a FIFO, a device, a file of another
 * size. It was neither read nor written.
 */
export class UnsafeFileError extends Error {
  override readonly name = 'UnsafeFileError';

  /** `fault` goes on after the path: "is a symbolic link". */
  constructor(path: string, fault: string, cause?: unknown) {
    super(`${path} ${fault}`, cause === undefined ? undefined : { cause });
  }
}

/** What the system refuses to open with the flags of this folder, and what that means. */
const faults: Readonly<Record<string, string>> = {
  // open(2): O_NOFOLLOW and a symbolic link. FreeBSD says EMLINK.
  ELOOP: 'is a symbolic link',
  EMLINK: 'is a symbolic link',
  // open(2): O_DIRECTORY and anything but a folder, a link to one included.
  ENOTDIR: 'is not a folder, or a link to one',
  // open(2): a socket, or O_NONBLOCK and a FIFO that nobody reads.
  ENXIO: 'is not a regular file',
  EISDIR: 'is not a regular file',
};

/** Throws an error of `open`, as {@link UnsafeFileError} where it says what lies at the path: for `catch`. */
export function refused(path: string): (error: unknown) => never {
  return (error) => {
    const fault = error instanceof Error && 'code' in error ? faults[String(error.code)] : undefined;
    throw fault === undefined ? error : new UnsafeFileError(path, fault, error);
  };
}
