/** What went wrong, in words. */
export function wordsOf(error: unknown): string {
  // Node tells a refused connection as one error for each address, without a message of its own.
  if (error instanceof AggregateError) return error.errors.map(wordsOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
