import type { Restrictions } from './restrictions.ts';

/**
 * Gives up the system calls that media work does not need. Call it before reading any data of a task.
 *
 * @param landlock Version of Landlock that restricts this process, which the launcher appends to the arguments.
 * `undefined` if there was no launcher because `node:ffi` is missing.
 * @throws Error if the kernel supports the restriction but applying it fails.
 */
export async function restrictProcess(landlock: number | undefined): Promise<Restrictions> {
  if (landlock === undefined) return { landlock: 0, systemCalls: false };
  // Needs `node:ffi`.
  const { restrictSystemCalls } = await import('./restrict-system-calls.ts');
  return { landlock, systemCalls: restrictSystemCalls() };
}
