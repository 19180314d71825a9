import { type Config, readConfig, settingsFrom } from '../config.ts';
import { type EnvFile, readEnvFile } from '../files/env-file.ts';
import { ConfigError } from '../settings/config-error.ts';

/** The settings of a service. */
interface ServiceSettings {
  readonly config: Config;
  /** The file that some of them come from, and the names of those. */
  readonly fromFile: { readonly file: string; readonly settings: readonly string[] } | undefined;
}

/**
 * Reads the settings of a service: from the environment, and from `.env` in its working folder. Only the service reads
 * that file, because its operator chooses the folder. Commands also run in folders that others have written.
 *
 * @throws ConfigError
 */
export async function readServiceSettings(): Promise<ServiceSettings> {
  const file = await readEnvFile('.env').catch(explainUnreadable);
  const names = file === undefined ? [] : settingsFrom(file);
  return {
    config: readConfig(process.env, file),
    fromFile: file === undefined || names.length === 0 ? undefined : { file: file.path, settings: names },
  };
}

function explainUnreadable(cause: unknown): EnvFile | undefined {
  const reason = cause instanceof Error ? cause.message : String(cause);
  throw new ConfigError(`The file .env cannot be read: ${reason}. Make it readable for the service, or move it.`, {
    cause,
  });
}
