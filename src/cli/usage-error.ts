/** A command was not written as it must be. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
