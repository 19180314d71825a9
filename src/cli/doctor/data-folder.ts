import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sizeText } from '../../contract/size-text.ts';
import { exposedDatabaseMessage, inspectDataDirectory } from '../../files/data-directory.ts';
import { freeBytes } from '../../files/free-bytes.ts';
import { type Check, type Finding, findingsOf } from './finding.ts';

/** A job may need space for its inputs and its result at the same time: this is enough for a job of ordinary size. */
const LOW_BYTES = 2e9;
const MIN_BYTES = 2e8;

const { fine, note, wrong } = findingsOf('data folder');

/** Checks that the data folder is writable, has free space and is closed to other users. */
export const checkData: Check = async ({ DATA_DIR: folder, DATABASE_URL: server }) => {
  const existingFolder = await nearestExistingFolder(folder);
  const name = existingFolder === folder ? folder : `${folder} (does not exist yet; ${existingFolder} does)`;
  const writable = await access(existingFolder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!writable) {
    const remedy = 'Make the user that runs the service its owner (chown), or set DATA_DIR to another folder.';
    return [wrong(`${name} is not writable`, remedy)];
  }
  return [await checkFreeSpace(existingFolder, name), ...(await checkAccess(folder, server === undefined))];
};

async function checkFreeSpace(existingFolder: string, name: string): Promise<Finding> {
  const free = await freeBytes(existingFolder);
  const summary = `${name} is writable, with ${sizeText(free)} free`;
  const remedy = 'Free up space, or set DATA_DIR to a larger disk: it holds running jobs and finished files.';
  if (free < MIN_BYTES) return wrong(summary, remedy);
  return free < LOW_BYTES ? note(summary, remedy) : fine(summary);
}

/**
 * Finds data that other users of the machine can access, and reports whether the next start will restrict the access.
 */
async function checkAccess(folder: string, embedded: boolean): Promise<readonly Finding[]> {
  const { path, kind, unusedNames, open, openDatabase } = await inspectDataDirectory(folder);
  const own = process.geteuid?.();
  const foreignFiles = own === 0 ? [] : openDatabase.filter(({ uid }) => uid !== own);
  const findings: Finding[] = [];
  if (kind === 'private') findings.push(fine(`${folder} is shared with other users, so the data is in ${path}`));
  if (embedded && foreignFiles.length > 0) {
    findings.push(
      wrong(
        exposedDatabaseMessage(foreignFiles),
        'The service does not start with the embedded database until this is fixed.',
      ),
    );
  } else if (open.length > 0) {
    const remedy =
      'The next start restricts access to files that the service owns. Make its user the owner of the other files (chown -R).';
    findings.push(note(`other users can access ${open.length} files and folders, including ${open[0]?.path}`, remedy));
  }
  if (unusedNames.length > 0) {
    const remedy = `Stop the service, move the data that you want to keep to ${path}, and delete the rest.`;
    findings.push(
      note(`${unusedNames.join(', ')} in ${folder}: not used, because the service keeps its data in ${path}`, remedy),
    );
  }
  return findings;
}

/** Returns a folder, or its nearest existing parent. */
async function nearestExistingFolder(folder: string): Promise<string> {
  for (let existingFolder = folder; ; existingFolder = dirname(existingFolder)) {
    const entry = await stat(existingFolder).catch(() => undefined);
    if (entry !== undefined || dirname(existingFolder) === existingFolder) return existingFolder;
  }
}
