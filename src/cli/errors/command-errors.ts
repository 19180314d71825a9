/** The command line is invalid. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** An expected failure of a command: the message says everything. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
