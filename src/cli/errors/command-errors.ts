/** The command line is invalid. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** An expected failure of a command, which the message explains completely. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
