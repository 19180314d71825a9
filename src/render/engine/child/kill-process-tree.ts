import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** What unshare(1) of util-linux 2.38 prints whenever the process inside was killed. */
export const unshareNoise = 'unshare: sigprocmask unblock failed: Invalid argument\n';

/** Milliseconds that the process outside a namespace may take to end after the first one inside was killed. */
const outsideLimit = 5_000;

/**
 * Kills a child and all its processes. A process namespace ends with its first process. The process outside, whose end the
 * service sees, waits until all processes inside have ended.
 */
export function killProcessTree(child: ChildProcess, processNamespace: boolean): void {
  const first = processNamespace && child.pid !== undefined ? firstProcessInside(child.pid) : undefined;
  if (first !== undefined && tryKill(first)) {
    // The process outside then ends by itself, unless it is stopped.
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
    // The group is gone already. What is left is the child itself, below, and that one may be gone too.
  }
  child.kill('SIGKILL');
}

/** The only child of the process that created a namespace; `undefined` before there is one. See proc(5). */
function firstProcessInside(outside: number): number | undefined {
  try {
    const [first] = readFileSync(`/proc/${outside}/task/${outside}/children`, 'utf8').trim().split(' ').filter(Boolean);
    return first === undefined ? undefined : Number(first);
  } catch {
    // It has ended, or the kernel does not list children: its group is killed instead.
    return undefined;
  }
}

function wake(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT');
  } catch {
    // It is gone already.
  }
}

function tryKill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended, or the service may not signal it: its group is killed instead.
    return false;
  }
}
