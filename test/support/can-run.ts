import { execFileSync } from 'node:child_process';

/** Whether a command runs on this machine and succeeds. */
export function canRun([file = '', ...args]: readonly string[]): boolean {
  try {
    execFileSync(file, args, { stdio: 'ignore', timeout: 120_000 });
    return true;
  } catch {
    return false;
  }
}
