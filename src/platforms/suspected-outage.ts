import { MillraceError } from '../contract/errors.ts';

/**
 * A failure that looks as if the site were down or blocked us, but that callers can cause with the items that they
 * choose. It must not pause the platform for others.
 */
export class SuspectedOutageError extends MillraceError {}
