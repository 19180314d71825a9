import type { Config } from '../../config.ts';

/** A finding of a check. */
export interface Finding {
  /** The name of the check. */
  readonly check: string;
  /** `note`: the checked part works, but not as well as it could. */
  readonly state: 'fine' | 'note' | 'wrong';
  readonly what: string;
  /** What to do about it. */
  readonly mend?: string;
}

/** Checks one requirement of the service, without changing anything. */
export type Check = (config: Config, signal: AbortSignal) => Promise<readonly Finding[]>;

/** Creates the findings of a check. */
export function findingsOf(check: string) {
  return {
    fine: (what: string): Finding => ({ check, state: 'fine', what }),
    note: (what: string, remedy: string): Finding => ({ check, state: 'note', what, mend: remedy }),
    wrong: (what: string, remedy: string): Finding => ({ check, state: 'wrong', what, mend: remedy }),
  };
}

/** Returns the message of an error with its causes. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${messageOf(error.cause)})` : '';
  return `${error.message === '' ? error.name : error.message}${cause}`;
}
