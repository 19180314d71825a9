import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Process ids of all children of a process, by what /proc says. */
export function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent);
}

/** Returns what gives the children that this process has started since: some stay, which tests share. */
export function watchChildren(): () => number[] {
  const before = new Set(childrenOf(process.pid));
  return () => childrenOf(process.pid).filter((pid) => !before.has(pid));
}

/** Whether a process exists and is no zombie. */
export function isAlive(pid: number): boolean {
  return parentOf(pid) !== undefined;
}

/** Asks until the answer is yes; fails after twenty seconds, which only a busy machine needs. */
export async function waitUntil(holds: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`still waiting: ${what}`);
    await pause(10);
  }
}

function parentOf(pid: number): number | undefined {
  try {
    // The name in parentheses may hold anything, so fields are counted from its end: state, parent.
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? undefined : Number(parent);
  } catch {
    // It ended while the list was read.
    return undefined;
  }
}
