import type { Restrictions } from '../messages.ts';

/** Loads the code of {@link restrictProcess}, which needs `node:ffi`; nothing without a launcher. */
export async function loadRestrictions(landlock: number | undefined) {
  return landlock === undefined ? undefined : await import('./restrict-calls.ts');
}

/**
 * Gives up the system calls that media work does not need. Call it before anything of a task is read.
 *
 * @param landlock Version of Landlock that restricts this process, which the launcher appends to the arguments;
 *   `undefined` without a launcher, which needs `node:ffi`.
 * @throws Error if the kernel supports the restriction but applying it fails.
 */
export async function restrictProcess(landlock: number | undefined): Promise<Restrictions> {
  const loaded = await loadRestrictions(landlock);
  return { landlock: landlock ?? 0, systemCalls: loaded?.restrictCalls() ?? false };
}
