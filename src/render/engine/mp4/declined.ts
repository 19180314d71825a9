/**
 * A file that the fast road does not take, with the reason in words for the log. It says nothing against the file: the
 * engine, which knows far more, has to look at it. Never reaches a caller of `remux.ts`.
 */
export class Declined extends Error {
  override readonly name = 'Declined';
}

/** Gives the file up. */
export function decline(reason: string): never {
  throw new Declined(reason);
}

/** Names the input for which a reason to decline holds. */
export function about<Result>(name: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof Declined ? new Declined(`${name}: ${error.message}`) : error;
  }
}
