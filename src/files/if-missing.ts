/**
 * Returns undefined if a file is missing. For use with `catch`.
 *
 * @throws Any other error.
 */
export function ifMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}
