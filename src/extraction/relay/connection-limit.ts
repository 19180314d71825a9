import { MillraceError } from '../../contract/errors.ts';

/** Counts the open connections of each account. */
export interface ConnectionLimit {
  /**
   * Counts one in, and returns what counts it out again.
   *
   * @throws MillraceError `rate_limited` where the account has too many.
   */
  take(owner: string): () => void;
}

/** Lets each account have so many connections at once. */
export function createConnectionLimit(most: number): ConnectionLimit {
  const open = new Map<string, number>();
  return {
    take(owner) {
      const count = open.get(owner) ?? 0;
      if (count >= most) {
        const message = `Your key has ${most} relay connections open, which is as many as it may have. Close some.`;
        throw new MillraceError('rate_limited', message);
      }
      open.set(owner, count + 1);
      return () => {
        const left = (open.get(owner) ?? 1) - 1;
        if (left === 0) open.delete(owner);
        else open.set(owner, left);
      };
    },
  };
}
