import { readFileSync } from 'node:fs';
import { accountSettings } from './accounts/settings.ts';
import { adminSettings } from './admin/settings.ts';
import { databaseSettings } from './database/settings.ts';
import { egressSettings } from './egress/settings.ts';
import { extractionSettings } from './extraction/settings.ts';
import type { EnvFile } from './files/env-file.ts';
import { fileSettings } from './files/settings.ts';
import { httpSettings } from './http/settings.ts';
import { labSettings } from './lab/settings.ts';
import { linkHealingSettings } from './link-healing/settings.ts';
import { platformSettings } from './platforms/index.ts';
import { relaySettings } from './relay/settings.ts';
import { renderSettings } from './render/settings.ts';
import { sealingSettings } from './sealing/settings.ts';
import { ConfigError } from './settings/config-error.ts';
import { processSettings } from './settings/process-settings.ts';
import type { SettingValues } from './settings/setting.ts';
import { storageSettings } from './storage/settings.ts';
import { tracingSettings } from './tracing/settings.ts';
import { webSettings } from './web/settings.ts';

/** Every setting, by the name of its environment variable, in the order of docs/reference/settings.md. */
export const settings = {
  ...httpSettings,
  ...adminSettings,
  ...processSettings,
  ...fileSettings,
  ...databaseSettings,
  ...storageSettings,
  ...sealingSettings,
  ...renderSettings,
  ...accountSettings,
  ...egressSettings,
  ...extractionSettings,
  ...linkHealingSettings,
  ...relaySettings,
  ...platformSettings,
  ...webSettings,
  ...labSettings,
  ...tracingSettings,
};

/** The validated settings of a process. */
export type Config = SettingValues<typeof settings>;

/**
 * Reads every setting once: from the environment, otherwise from a file. For secrets that are provided as files,
 * `NAME_FILE` in the environment names a file with the value of `NAME`.
 *
 * @param file Only a file that the operator has chosen: the service's own `.env`, or the one that `--settings` of a command
 *   names. Its author decides where requests and tokens go.
 * @throws ConfigError
 */
export function readConfig(environment: NodeJS.ProcessEnv = process.env, file?: EnvFile): Config {
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, { read, fallback }] of Object.entries(settings)) {
    try {
      const text = (secretFile(environment, name) ?? environment[name] ?? file?.values[name] ?? '').trim();
      values[name] = text === '' ? fallback() : read(text);
    } catch (error) {
      faults.push(`${name} ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (faults.length > 0) throw new ConfigError(`These settings are invalid:\n  ${faults.join('\n  ')}`);
  // The loop above gave each name in the table the value that its own setting reads.
  return values as Config;
}

/** Returns the names of the settings whose values {@link readConfig} takes from a file. */
export function settingsFrom({ values }: EnvFile, environment: NodeJS.ProcessEnv = process.env): readonly string[] {
  return Object.keys(settings).filter(
    (name) => values[name] && environment[name] === undefined && !environment[`${name}_FILE`],
  );
}

function secretFile(environment: NodeJS.ProcessEnv, name: string): string | undefined {
  const path = environment[`${name}_FILE`];
  if (path === undefined || path === '') return undefined;
  if (environment[name]) throw new Error(`must be set only once: directly, or as a file by ${name}_FILE`);
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`must be readable at ${path}, the file in ${name}_FILE`, { cause: error });
  }
}
