/** A reason that keeps the service from starting and that its operator can remove. The message alone is shown to them. */
export class StartError extends Error {
  override readonly name: string = 'StartError';
}

/** Words for the errors of the file system that operators meet, by code. */
const reasons: Readonly<Record<string, string>> = {
  EACCES: 'the service may not access it',
  EPERM: 'the service may not change it',
  EROFS: 'its file system is read-only',
  ENOSPC: 'its disk is full',
  EDQUOT: 'its disk quota is used up',
  EIO: 'its disk reports an error',
  EMFILE: 'this process has too many open files (ulimit -n)',
  ENFILE: 'this machine has too many open files',
  ENOTDIR: 'a part of the path is not a folder',
  EEXIST: 'a file is in its place',
  EISDIR: 'it is a folder',
  ELOOP: 'its symbolic links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
};

/** Why the file system refuses something, in words; undefined for errors that no operator can remove. */
export function fileSystemReason(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return undefined;
  return reasons[error.code];
}
