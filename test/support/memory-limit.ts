import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A control group that limits the memory of all its processes together. */
interface MemoryLimit {
  /** Returns a program and its arguments for `spawn` that run within the limit. */
  within(program: string, args: readonly string[]): [string, string[]];
  /** Returns the number of processes that were killed for lack of memory. */
  kills(): number;
  /** Removes the group, whose processes must have ended. */
  remove(): void;
}

const CGROUPS = '/sys/fs/cgroup';

/** File names of a control group, by version. */
interface Version {
  readonly limit: string;
  readonly events: string;
}
const one: Version = { limit: 'memory.limit_in_bytes', events: 'memory.oom_control' };
const two: Version = { limit: 'memory.max', events: 'memory.events' };

/**
 * Limits memory with a control group below this process's own. This needs root, and a writable file system of control
 * groups, which only privileged containers have. Returns undefined if memory cannot be limited.
 */
export function limitMemory(bytes: number): MemoryLimit | undefined {
  if (process.platform !== 'linux') return undefined;
  const groups = readFileSync('/proc/self/cgroup', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const own = groups.find(([, controllers]) => controllers?.split(',').includes('memory'))?.[2];
  if (own !== undefined) return makeGroup(join(CGROUPS, 'memory', own), one, bytes);
  const unifiedGroup = groups.find(([id, controllers]) => id === '0' && controllers === '')?.[2];
  if (unifiedGroup === undefined) return undefined;
  // A group with processes cannot delegate memory to children, except the root group.
  return makeGroup(join(CGROUPS, unifiedGroup), two, bytes) ?? makeGroup(CGROUPS, two, bytes);
}

function makeGroup(parent: string, { limit, events }: Version, bytes: number): MemoryLimit | undefined {
  const group = join(parent, `millrace-test-${randomUUID()}`);
  try {
    mkdirSync(group);
  } catch {
    return undefined;
  }
  const remove = () => rmdirSync(group);
  try {
    if (!existsSync(join(group, limit))) writeFileSync(join(parent, 'cgroup.subtree_control'), '+memory');
    writeFileSync(join(group, limit), String(bytes));
  } catch {
    remove();
    return undefined;
  }
  return {
    // The shell moves itself into the group, and stays in it when it becomes the program.
    within: (program, args) => [
      'sh',
      ['-c', 'echo $$ > "$0" && exec "$@"', join(group, 'cgroup.procs'), program, ...args],
    ],
    kills: () => Number(/^oom_kill (\d+)$/m.exec(readFileSync(join(group, events), 'utf8'))?.[1] ?? 0),
    remove,
  };
}
