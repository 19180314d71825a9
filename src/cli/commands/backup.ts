import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Config } from '../../config.ts';
import { sizeText } from '../../contract/size-text.ts';
import { ifMissing } from '../../files/if-missing.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { defineCommand, type Invocation } from '../command-line/command.ts';
import { CommandError } from '../errors/command-errors.ts';
import { openAdminClient } from '../service/admin-client.ts';
import { readSettings, settingsOption } from '../service/command-settings.ts';

/** `millrace backup`. */
export const backupCommand = defineCommand({
  name: 'backup',
  summary: 'Write a backup of the embedded database to a file.',
  usage: ['<file>'],
  arity: [1, 1],
  options: settingsOption,
  details: `This command needs the settings of the service (--settings). If the service is running, the command requests the backup
from it, through ADMIN_PORT and ADMIN_TOKEN. Otherwise the command reads DATA_DIR. Keep the backup private: it contains
the secret that seals links. It does not contain the files of finished jobs.

  millrace backup /backups/millrace-$(date +%F).tgz`,
  async run(invocation: Invocation<typeof settingsOption>) {
    const {
      positionals: [name = ''],
      terminal,
      signal,
    } = invocation;
    const config = await readSettings(invocation);
    if (config.DATABASE_URL !== undefined) {
      throw new CommandError('The database is on a PostgreSQL server. Back it up there: pg_dump "$DATABASE_URL".');
    }
    const file = await resolveFile(name);
    const bytes = await replaceFile(file, await openBackup(config, signal));
    await terminal.print(`Wrote the backup to ${file} (${sizeText(bytes)}).\n`);
    return 0;
  },
});

/** Returns the path of the file, in an existing folder. */
async function resolveFile(name: string): Promise<string> {
  const folder = dirname(resolve(name));
  const existing = await realpath(folder).catch(ifMissing);
  if (existing === undefined) throw new CommandError(`The folder ${folder} for the backup does not exist.`);
  return join(existing, basename(name));
}

async function openBackup(config: Config, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
  const [{ backUp }, { inspectDataDirectory }, { FolderInUseError }, { expectDatabaseOwner }] = await Promise.all([
    import('../../database/embedded/backup.ts'),
    import('../../files/data-directory.ts'),
    import('../../files/folder-lock.ts'),
    import('../service/data-owner.ts'),
  ]);
  try {
    await expectDatabaseOwner(config.DATA_DIR);
    return await backUp((await inspectDataDirectory(config.DATA_DIR)).path);
  } catch (error) {
    const ownedByService = error instanceof CommandError && config.ADMIN_PORT !== undefined;
    if (ownedByService || error instanceof FolderInUseError) return await openAdminClient(config).backup(signal);
    throw error;
  }
}
