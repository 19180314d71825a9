import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';

/** Nobody: a user of the machine who owns nothing. */
const NOBODY = 65_534;
const asNobody = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];

/** Whether a program can be run as another user: only root may. */
export function canActAsOther(): boolean {
  return succeedsAsOther('true');
}

/** Whether programs of this checkout can be run as another user, who must be able to enter the folders above it. */
export function otherCanRunCheckout(): boolean {
  return succeedsAsOther('test', '-r', import.meta.filename);
}

function succeedsAsOther(...command: readonly string[]): boolean {
  try {
    const [file = '', ...args] = [...asNobody, ...command];
    execFileSync(file, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** What another user of the machine gets to see below a folder: the files that can be read or written. */
export async function reachableByOther(folder: string): Promise<string[]> {
  const search = ['find', folder, '(', '-readable', '-o', '-writable', ')', '-print'];
  const [file = '', ...args] = [...asNobody, ...search];
  // What cannot be looked into makes it fail, and is no finding.
  const told = await promisify(execFile)(file, args).catch((error: { stdout?: string }) => error);
  return (told.stdout ?? '').split('\n').filter((line) => line !== '');
}
