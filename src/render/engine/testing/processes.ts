import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Returns the process IDs of all children of a process, according to /proc. */
export function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent);
}

/**
 * Returns a function that lists the children that this process has started since this call. Some children are shared
 * between tests and keep running.
 */
export function watchChildren(): () => number[] {
  const before = new Set(childrenOf(process.pid));
  return () => childrenOf(process.pid).filter((pid) => !before.has(pid));
}

/** Returns whether a process exists and is not a zombie. */
export function isAlive(pid: number): boolean {
  return parentOf(pid) !== undefined;
}

/** Polls until the condition is true. Fails after four minutes, which only ends what hangs. */
export async function waitUntil(holds: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + 240_000;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`still waiting: ${what}`);
    await pause(10);
  }
}

function parentOf(pid: number): number | undefined {
  try {
    // The name in parentheses may contain anything, so fields are counted from its end: state, parent.
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? undefined : Number(parent);
  } catch {
    // The process ended while the list was being read.
    return undefined;
  }
}
