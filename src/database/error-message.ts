/** Returns the message of an error. */
export function errorMessage(error: unknown): string {
  // Node reports a refused connection as one error for each address, without an overall message.
  if (error instanceof AggregateError) return error.errors.map(errorMessage).join('; ');
  return error instanceof Error ? error.message : String(error);
}
