import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** What unshare(1) of util-linux 2.38 prints whenever the process inside is killed. */
export const unshareNoise = 'unshare: sigprocmask unblock failed: Invalid argument\n';

/** Milliseconds within which the process outside a namespace must end once the first process inside has been killed. */
const outsideLimit = 5_000;

/**
 * Kills a child and all its processes. Killing the first process in a process namespace ends all others in it. The
 * service sees only the process outside the namespace, which ends after all processes inside.
 */
export function killProcessTree(child: ChildProcess, processNamespace: boolean): void {
  const first = processNamespace && child.pid !== undefined ? firstProcessInside(child.pid) : undefined;
  if (first !== undefined && tryKill(first)) {
    // The process outside then ends by itself, but not while it is suspended.
    if (child.pid !== undefined) wake(child.pid);
    const late = setTimeout(() => killGroup(child), outsideLimit);
    child.once('exit', () => clearTimeout(late));
    return;
  }
  killGroup(child);
}

function killGroup(child: ChildProcess): void {
  try {
    if (process.platform !== 'win32' && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group no longer exists. Only the child itself may remain; it is killed below.
  }
  child.kill('SIGKILL');
}

/**
 * Returns the only child of the process that created a namespace; `undefined` if that child does not exist yet. See
 * proc(5).
 */
function firstProcessInside(outside: number): number | undefined {
  try {
    const [first] = readFileSync(`/proc/${outside}/task/${outside}/children`, 'utf8').trim().split(' ').filter(Boolean);
    return first === undefined ? undefined : Number(first);
  } catch {
    // The process has ended, or the kernel does not list children. In both cases its group is killed instead.
    return undefined;
  }
}

function wake(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT');
  } catch {
    // The process has already ended.
  }
}

function tryKill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    // The process has ended, or the service may not signal it. In both cases its group is killed instead.
    return false;
  }
}
