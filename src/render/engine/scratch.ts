import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Makes an empty folder for this process among the system's temporary files, and removes those of the same kind that
 * processes left behind that were killed.
 *
 * @param kind What their names begin with, such as `millrace-engine-`.
 */
export function makeScratch(kind: string): string {
  for (const name of readdirSync(tmpdir()).filter((each) => each.startsWith(kind))) {
    const pid = Number(name.slice(kind.length).split('-', 1)[0]);
    if (Number.isInteger(pid) && pid > 0 && !isAlive(pid))
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
  return mkdtempSync(join(tmpdir(), `${kind}${process.pid}-`));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Without permission to signal it, it is there all the same.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
