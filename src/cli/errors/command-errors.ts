/** The command line is invalid. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** An expected failure of a command, which the message explains completely. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  /** Whether the command can succeed later without a change. */
  readonly retryable: boolean;

  constructor(
    message: string,
    { retryable = false, ...options }: ErrorOptions & { readonly retryable?: boolean } = {},
  ) {
    super(message, options);
    this.retryable = retryable;
  }
}
