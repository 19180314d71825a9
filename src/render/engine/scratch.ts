import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Makes an empty folder for this process among the system's temporary files, and removes those of the same kind that
 * processes left behind that were killed.
 *
 * @param kind What their names begin with, such as `millrace-engine-`.
 */
export function makeScratch(kind: string): string {
  const parent = resolve(tmpdir());
  for (const name of readdirSync(parent).filter((each) => each.startsWith(kind))) {
    const pid = Number(name.slice(kind.length).split('-', 1)[0]);
    if (Number.isInteger(pid) && pid > 0 && !isAlive(pid)) removeIfOurs(join(parent, name));
  }
  return mkdtempSync(join(parent, `${kind}${process.pid}-`));
}

/** Other users can create folders with such names. A folder that cannot be removed does not prevent the start. */
function removeIfOurs(path: string): void {
  try {
    if (lstatSync(path).uid === process.getuid?.()) rmSync(path, { recursive: true, force: true });
  } catch {
    // It has been removed already, or it stays: nothing is read from it.
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Without permission to signal it, it is there all the same.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
