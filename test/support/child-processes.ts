import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const GONE_TIMEOUT_MS = 10_000;

/** Every process below one, on Linux; none elsewhere. */
export async function childrenOf(pid: number | undefined): Promise<number[]> {
  const parents = await parentsOfAll();
  const below = (parent: number): number[] =>
    [...parents].filter(([, of]) => of === parent).flatMap(([child]) => [child, ...below(child)]);
  return pid === undefined ? [] : below(pid);
}

/** Processes that one has started itself, on Linux; none elsewhere. Those of a service are one a media engine child. */
export async function directChildrenOf(pid: number | undefined): Promise<number[]> {
  const parents = await parentsOfAll();
  return [...parents].filter(([, of]) => of === pid).map(([child]) => child);
}

/** Waits until processes are gone, and fails when they stay. */
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

/** Living processes and their parents; a zombie is dead. */
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
