/**
 * A handler for `catch`: returns undefined if a file is missing.
 *
 * @throws Any other error.
 */
export function ifMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}
