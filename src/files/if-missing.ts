/**
 * Nothing, where a file is missing: for `catch`.
 *
 * @throws Whatever else the error is.
 */
export function ifMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}
