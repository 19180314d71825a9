/** A condition that prevents the service from starting and that its operator can fix. Only the message is displayed. */
export class StartError extends Error {
  override readonly name: string = 'StartError';
}

/** Descriptions of common file system errors, by code. */
const reasons: Readonly<Record<string, string>> = {
  EACCES: 'the service has no access to it',
  EPERM: 'the service is not permitted to change it',
  EROFS: 'its file system is read-only',
  ENOSPC: 'its disk is full',
  EDQUOT: 'its disk quota is used up',
  EIO: 'its disk reports an error',
  EMFILE: 'this process has too many open files (ulimit -n)',
  ENFILE: 'this machine has too many open files',
  ENOTDIR: 'a part of the path is not a folder',
  EEXIST: 'a file with that name already exists',
  EISDIR: 'it is a folder',
  ELOOP: 'its symbolic links form a loop',
  ENAMETOOLONG: 'its name is too long',
};

/** Returns the description of a file system error; undefined for errors that no operator can fix. */
export function fileSystemReason(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return undefined;
  return reasons[error.code];
}
