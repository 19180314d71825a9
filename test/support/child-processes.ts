import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const GONE_TIMEOUT_MS = 60_000;

/** Returns every descendant of a process on Linux; none elsewhere. */
export async function childrenOf(pid: number | undefined): Promise<number[]> {
  const parents = await parentsOfAll();
  const below = (parent: number): number[] =>
    [...parents].filter(([, of]) => of === parent).flatMap(([child]) => [child, ...below(child)]);
  return pid === undefined ? [] : below(pid);
}

/**
 * Returns the direct children of a process on Linux; none elsewhere. Each child of a service is a media engine child.
 */
export async function directChildrenOf(pid: number | undefined): Promise<number[]> {
  const parents = await parentsOfAll();
  return [...parents].filter(([, of]) => of === pid).map(([child]) => child);
}

/** Waits until processes have ended, and throws if they remain. */
export async function waitForExit(pids: readonly number[]): Promise<void> {
  const deadline = Date.now() + GONE_TIMEOUT_MS;
  for (;;) {
    const parents = await parentsOfAll();
    const remaining = pids.filter((pid) => parents.has(pid));
    if (remaining.length === 0) return;
    if (Date.now() > deadline) throw new Error(`these processes were left behind: ${remaining.join(', ')}`);
    await delay(50);
  }
}

/** Returns the living processes and their parents, without zombies. */
async function parentsOfAll(): Promise<Map<number, number>> {
  const parents = new Map<number, number>();
  if (process.platform !== 'linux') return parents;
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // A process may end between the two reads.
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const [, state, parent] = /^\d+ \(.*\) (\S) (\d+)/s.exec(stat) ?? [];
    if (parent !== undefined && state !== 'Z') parents.set(Number(name), Number(parent));
  }
  return parents;
}
