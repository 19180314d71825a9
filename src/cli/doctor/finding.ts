import type { Config } from '../../config.ts';

/** What a check found. */
export interface Finding {
  /** What was looked at, in a word or two. */
  readonly check: string;
  /** `note`: it works, but not as well as it could. */
  readonly state: 'fine' | 'note' | 'wrong';
  readonly what: string;
  /** What can be done about it. */
  readonly mend?: string;
}

/** Looks at one part of what the service needs. It changes nothing. */
export type Check = (config: Config, signal: AbortSignal) => Promise<readonly Finding[]>;

/** Makes the findings of one check. */
export function findingsOf(check: string) {
  return {
    fine: (what: string): Finding => ({ check, state: 'fine', what }),
    note: (what: string, mend: string): Finding => ({ check, state: 'note', what, mend }),
    wrong: (what: string, mend: string): Finding => ({ check, state: 'wrong', what, mend }),
  };
}

/** What an error says, with what led to it; no stack. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${messageOf(error.cause)})` : '';
  return `${error.message === '' ? error.name : error.message}${cause}`;
}
