import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Counts the processor time of processes and their descendants. */
export interface ControlGroup {
  /** Adds a process and everything that it starts from then on. */
  add(pid: number): Promise<void>;
  /** Returns the processor time so far in seconds, user and kernel. */
  seconds(): Promise<number>;
  /** Removes the group, which must have no processes left. */
  remove(): Promise<void>;
}

/**
 * Creates a control group (cgroup v2). Adding up /proc/<pid>/stat would miss children of the media engine: the kernel
 * reaps the processes of a killed namespace and counts their time nowhere else.
 *
 * @throws Error if the system has no cgroup v2 that this user may write.
 */
export async function createControlGroup(name: string): Promise<ControlGroup> {
  const mounts = await readFile('/proc/self/mounts', 'utf8');
  const mount = /^\S+ (\S+) cgroup2 /m.exec(mounts)?.[1];
  if (mount === undefined) throw new Error('measuring processor time needs cgroup v2, which is not mounted here');
  const path = join(mount, `${name}-${process.pid}`);
  await mkdir(path);
  return {
    add: (pid) => writeFile(join(path, 'cgroup.procs'), `${pid}`),
    async seconds() {
      const [, microseconds] = /^usage_usec (\d+)$/m.exec(await readFile(join(path, 'cpu.stat'), 'utf8')) ?? [];
      return Number(microseconds) / 1_000_000;
    },
    remove: () => rmdir(path),
  };
}
