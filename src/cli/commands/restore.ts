import { resolve } from 'node:path';
import { defineCommand, type Invocation } from '../command-line/command.ts';
import { CommandError } from '../errors/command-errors.ts';
import { readSettings, settingsOption } from '../service/command-settings.ts';

/** `millrace restore`. */
export const restoreCommand = defineCommand({
  name: 'restore',
  summary: 'Replace the embedded database with a backup.',
  usage: ['<file>'],
  arity: [1, 1],
  options: settingsOption,
  details: `Stop the service first, and run this command as the service's user. It needs the service's settings (--settings). It
checks the backup before it changes anything, and keeps the former database next to the new one. Jobs, credits and keys
return to their state at the time of the backup.

  millrace restore /backups/millrace-2026-11-23.tgz`,
  async run(invocation: Invocation<typeof settingsOption>) {
    const {
      positionals: [name = ''],
      terminal,
    } = invocation;
    const [{ openDataDirectory }, { restoreBackup }, { expectDatabaseOwner }, { pino }] = await Promise.all([
      import('../../files/data-directory.ts'),
      import('../../database/embedded/backup.ts'),
      import('../service/data-owner.ts'),
      import('pino'),
    ]);
    const config = await readSettings(invocation);
    if (config.DATABASE_URL !== undefined) {
      throw new CommandError('The database is on a PostgreSQL server. Restore it there: pg_restore.');
    }
    await expectDatabaseOwner(config.DATA_DIR);
    const directory = await openDataDirectory(config.DATA_DIR, true, pino({ level: 'silent' }));
    const { formerFolder } = await restoreBackup(directory, resolve(name));
    await terminal.print(`Restored the database in ${directory} from ${resolve(name)}.\n`);
    if (formerFolder !== undefined)
      await terminal.print(`The former database is in ${formerFolder}. Delete it when you no longer need it.\n`);
    return 0;
  },
});
