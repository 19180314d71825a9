import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { databaseFolderOf } from '../../database/embedded/database-folder.ts';
import { PRIVATE_FOLDER } from '../../files/data-directory.ts';
import { ifMissing } from '../../files/if-missing.ts';
import { CommandError } from '../errors/command-errors.ts';

/**
 * Requires that a path belongs to this user: the service could not open files that another user creates.
 *
 * @throws CommandError
 */
export async function expectOwner(path: string): Promise<void> {
  const own = process.geteuid?.();
  if (own === undefined) return;
  const owner = (await stat(path).catch(ifMissing).catch(explainClosed(path)))?.uid;
  if (owner === undefined || owner === own) return;
  throw new CommandError(
    `${path} belongs to user ${owner}. Run this command as that user, which also runs the service.`,
  );
}

function explainClosed(path: string): (cause: unknown) => never {
  return (cause) => {
    throw new CommandError(`${path} cannot be accessed. Run this command as the user that runs the service.`, {
      cause,
    });
  };
}

/**
 * Requires that the embedded database of a `DATA_DIR` belongs to this user. The folder itself may belong to another
 * user, as on mounted volumes.
 *
 * @throws CommandError
 */
export async function expectDatabaseOwner(directory: string): Promise<void> {
  for (const folder of [directory, join(directory, PRIVATE_FOLDER)]) await expectOwner(databaseFolderOf(folder));
}
