import type { Config } from '../../config.ts';
import { type EnvFile, readEnvFile } from '../../files/env-file.ts';
import type { Invocation, Options } from '../command-line/command.ts';
import { UsageError } from '../errors/command-errors.ts';
import { sanitiseLine } from '../terminal/sanitise.ts';

/** The option of every command that reads settings of the service. */
export const settingsOption = {
  settings: {
    type: 'string',
    value: '<path>',
    description: 'File with settings of the service, such as its .env. The environment takes precedence.',
  },
} as const satisfies Options;

type SettingsInvocation = Pick<Invocation<typeof settingsOption>, 'values' | 'environment' | 'terminal'>;

/**
 * Reads the settings of the service for a command: from the environment, and from the file that `--settings` names.
 *
 * @throws ConfigError; UsageError for a file that cannot be read.
 */
export async function readSettings(invocation: SettingsInvocation): Promise<Config> {
  // Loaded on demand, because the settings module loads the configuration of all platforms.
  const { readConfig } = await import('../../config.ts');
  return readConfig(invocation.environment, await findSettingsFile(invocation));
}

/**
 * Returns the file that `--settings` names. A command never reads the `.env` of its working folder by itself: the
 * author of the folder, such as that of an archive, would decide where its requests and tokens go. It names the settings
 * there that it leaves out.
 *
 * @param unused Settings that the command does not use.
 * @throws UsageError for a file that cannot be read.
 */
export async function findSettingsFile(
  { values, environment, terminal }: SettingsInvocation,
  unused: readonly string[] = [],
): Promise<EnvFile | undefined> {
  if (values.settings !== undefined) return await readNamedFile(values.settings);
  // It is not needed, so one that cannot be read does not matter.
  const file = await readEnvFile('.env').catch(() => undefined);
  if (file === undefined) return undefined;
  const { settingsFrom } = await import('../../config.ts');
  const names = settingsFrom(file, environment).filter((name) => !unused.includes(name));
  if (names.length > 0) {
    const path = sanitiseLine(file.path);
    terminal.say(`Not used: ${names.join(', ')} in ${path}. If you trust this file, add --settings .env.`, 'yellow');
  }
  return undefined;
}

async function readNamedFile(path: string): Promise<EnvFile> {
  const explain = (cause: unknown) => {
    throw new UsageError(`The file ${path} of --settings cannot be read. Check its path and its permissions.`, {
      cause,
    });
  };
  const file = await readEnvFile(path).catch(explain);
  if (file === undefined) throw new UsageError(`The file ${path} of --settings does not exist. Check its path.`);
  return file;
}
