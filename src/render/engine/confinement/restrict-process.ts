import type { Restrictions } from '../messages.ts';

/**
 * Gives up the system calls that media work does not need. To be called when all code is loaded, before anything of a
 * task is read.
 *
 * @param landlock Version of Landlock that holds this process, as the launcher appends it to the arguments; `undefined`
 *   without a launcher, where there is no `node:ffi`.
 * @throws Error when the kernel refuses what it has.
 */
export async function restrictProcess(landlock: number | undefined): Promise<Restrictions> {
  if (landlock === undefined) return { landlock: 0, systemCalls: false };
  const { restrictCalls } = await import('./restrict-calls.ts');
  return { landlock, systemCalls: restrictCalls() };
}
