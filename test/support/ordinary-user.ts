import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { canRun } from './can-run.ts';

/** Whether the tests run as root. */
export const ROOT = process.geteuid?.() === 0;
/** Nobody: a user of the machine who owns nothing. */
export const NOBODY = 65_534;
const asNobody = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];

/** A user without privileges: nobody if the tests run as root, otherwise the user who runs them. */
export const ordinaryUser = ROOT ? NOBODY : process.geteuid?.();

/** Command prefix that runs a command as the {@link ordinaryUser}. */
export const asOrdinaryUser: readonly string[] = ROOT ? asNobody : [];

/** Whether a program can be run as another user: only root may. */
export function canActAsOther(): boolean {
  return canRun([...asNobody, 'true']);
}

/**
 * Whether the {@link ordinaryUser} can run programs of this checkout. As root, this needs `setpriv` and folders above
 * the checkout that the user can enter.
 */
export function ordinaryUserCanRunCheckout(): boolean {
  return !ROOT || canRun([...asNobody, 'test', '-r', import.meta.filename]);
}

/**
 * Runs a module as the {@link ordinaryUser} and returns the JSON that it prints. Returns undefined if that user cannot
 * run programs of this checkout.
 */
export function runAsOrdinaryUser<T>(module: string): T | undefined {
  if (!ordinaryUserCanRunCheckout()) return undefined;
  const [file = '', ...args] = [...asOrdinaryUser, process.execPath, '--input-type=module', '--eval', module];
  return JSON.parse(execFileSync(file, args, { encoding: 'utf8', cwd: '/', env: {}, timeout: 120_000 })) as T;
}

/** Returns the files below a folder that another user of the machine can read or write. */
export async function reachableByOther(folder: string): Promise<string[]> {
  const search = ['find', folder, '(', '-readable', '-o', '-writable', ')', '-print'];
  const [file = '', ...args] = [...asNobody, ...search];
  // Folders that cannot be opened make the command fail, but are not findings.
  const result = await promisify(execFile)(file, args).catch((error: { stdout?: string }) => error);
  return (result.stdout ?? '').split('\n').filter((line) => line !== '');
}
