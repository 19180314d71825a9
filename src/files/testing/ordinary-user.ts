import { execFileSync } from 'node:child_process';

/** The user of programs that {@link runAsOrdinaryUser} starts: nobody (65534) if tests run as root. */
export const ordinaryUser = process.geteuid?.() === 0 ? 65_534 : process.geteuid?.();

/**
 * Runs a module as a user without privileges and returns the JSON that it prints. Undefined if that is not possible: the
 * tests run as root, and `setpriv` is missing or that user cannot read this folder.
 */
export function runAsOrdinaryUser<T>(module: string): T | undefined {
  const node = [process.execPath, '--input-type=module', '--eval', module];
  const [file = '', ...args] = process.geteuid?.() === 0 ? [...asNobody, ...node] : node;
  if (!mayRun()) return undefined;
  return JSON.parse(execFileSync(file, args, { encoding: 'utf8', cwd: '/', env: {}, timeout: 30_000 })) as T;
}

const asNobody = ['setpriv', `--reuid=${ordinaryUser}`, `--regid=${ordinaryUser}`, '--clear-groups'];

function mayRun(): boolean {
  if (process.geteuid?.() !== 0) return true;
  try {
    const [file = '', ...args] = [...asNobody, 'test', '-r', import.meta.filename];
    execFileSync(file, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
