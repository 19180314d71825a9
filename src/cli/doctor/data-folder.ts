import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sizeText } from '../../contract/size-text.ts';
import { exposedDatabaseMessage, inspectDataDirectory } from '../../files/data-directory.ts';
import { freeBytes } from '../../files/free-bytes.ts';
import { type Check, type Finding, findingsOf } from './finding.ts';

/** A job may need its inputs and its result at once: so much is needed for one of ordinary size. */
const LITTLE_BYTES = 2e9;
const FULL_BYTES = 2e8;

const { fine, note, wrong } = findingsOf('data folder');

/** Checks that the data directory is writable, has free space and is closed to other users. */
export const checkData: Check = async ({ DATA_DIR: folder, DATABASE_URL: server }) => {
  const place = await existing(folder);
  const name = place === folder ? folder : `${folder} (not there yet; ${place} is)`;
  const writable = await access(place, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!writable) {
    const mend = 'Give it to the user that the service runs as (chown), or set DATA_DIR to another folder.';
    return [wrong(`${name} cannot be written`, mend)];
  }
  return [await room(place, name), ...(await otherUsers(folder, server === undefined))];
};

async function room(place: string, name: string): Promise<Finding> {
  const free = await freeBytes(place);
  const summary = `${name} is writable, ${sizeText(free)} are free`;
  const mend = 'Make room, or set DATA_DIR to a larger disk: running jobs and finished files lie there.';
  if (free < FULL_BYTES) return wrong(summary, mend);
  return free < LITTLE_BYTES ? note(summary, mend) : fine(summary);
}

/** Finds data that other users of the machine can reach, and whether the next start closes it. */
async function otherUsers(folder: string, embedded: boolean): Promise<readonly Finding[]> {
  const { path, kind, unusedNames: unused, open, openDatabase } = await inspectDataDirectory(folder);
  const own = process.geteuid?.();
  const persistent = own === 0 ? [] : openDatabase.filter(({ uid }) => uid !== own);
  const findings: Finding[] = [];
  if (kind === 'private') findings.push(fine(`${folder} is shared with others, so the data is in ${path}`));
  if (embedded && persistent.length > 0) {
    findings.push(
      wrong(exposedDatabaseMessage(persistent), 'The service does not start with the embedded database until this is fixed.'),
    );
  } else if (open.length > 0) {
    const mend = 'The next start closes files that the service owns. Make it the owner of the others (chown -R).';
    findings.push(note(`other users can access ${open.length} files and folders, including ${open[0]?.path}`, mend));
  }
  if (unused.length > 0) {
    const mend = `Stop the service, move the data that you want to keep to ${path}, and delete the rest.`;
    findings.push(
      note(`${unused.join(', ')} in ${folder}: not used, because the service keeps its data in ${path}`, mend),
    );
  }
  return findings;
}

/** A folder, or the nearest one above it that there is. */
async function existing(folder: string): Promise<string> {
  for (let place = folder; ; place = dirname(place)) {
    const entry = await stat(place).catch(() => undefined);
    if (entry !== undefined || dirname(place) === place) return place;
  }
}
