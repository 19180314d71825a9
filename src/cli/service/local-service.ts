import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { EnvFile } from '../../files/env-file.ts';
import type { Credentials } from './credentials.ts';
import { createTemporaryDataFolder, openPersistentDataFolder } from './local-data-folder.ts';
import type { RunningService, ServiceParts } from './running-service.ts';

/** A service that runs within this process and serves only this process. */
export interface LocalService extends Credentials, RunningService {
  /** Whether its jobs and files stay for the next command. */
  readonly persistent: boolean;
}

/** Where a local service gets its settings. */
interface LocalSettings {
  readonly environment: NodeJS.ProcessEnv;
  /** The file that `--settings` names. */
  readonly file: EnvFile | undefined;
}

/** Settings of the operator's own service that a local service ignores, or sets itself. */
export const ignoredSettings = [
  'ADMIN_HOST',
  'ADMIN_PORT',
  'ADMIN_TOKEN',
  'API_URL',
  'BASE_URL',
  'DATABASE_LISTEN_URL',
  'DATABASE_URL',
  'DATA_DIR',
  'DRAIN_DELAY',
  'EXTRACTION_KEYS',
  'HOST',
  'MARKETPLACE_HOST',
  'MARKETPLACE_PROXY_SECRET',
  'PLAN_LIMITS',
  'PORT',
  'RENDER_KEYS',
  'RENDER_URL',
  'ROLES',
  'SIGNING_SECRETS',
  'STORAGE_URL',
  'STORE_DOWNLOADS',
  'WEB_KEY',
];

/**
 * Starts a service within this process, on a free loopback port. It uses the operator's settings for outgoing requests
 * (`EGRESS_PROXIES` and so on). Its jobs are in memory, unless they are persistent or have webhooks: in that case, it
 * is the complete service with its database.
 *
 * @param folder Folder that keeps jobs and files for the next command. Default: they are deleted when this command
 * ends.
 * @throws ConfigError for an invalid setting; FolderInUseError if another command uses the folder.
 */
export async function startLocalService(
  { environment, file }: LocalSettings,
  folder: string | undefined,
  parts: ServiceParts,
  verbose: boolean,
): Promise<LocalService> {
  // Loaded on demand: commands with a remote service do not need it.
  const [{ createLog }, { collectBuffersLessOften }, { readConfig }] = await Promise.all([
    import('../../process/create-log.ts'),
    import('../../process/buffer-collection.ts'),
    import('../../config.ts'),
  ]);
  collectBuffersLessOften();
  const persistent = parts.renders && folder !== undefined;
  const { path, key, renderKey, close } = persistent
    ? await openPersistentDataFolder(folder)
    : createTemporaryDataFolder();
  try {
    const own = {
      ...withoutOperatorSettings(environment),
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: path,
      EXTRACTION_KEYS: `MEGA:${key}`,
      RENDER_KEYS: renderKey,
    };
    const config = readConfig(own, file);
    const level = verbose ? config.LOG_LEVEL : 'silent';
    const log = await createLog({ level, format: config.LOG_FORMAT, descriptor: 2 });
    const service = await start(config, log, parts, persistent || parts.webhooks);
    return { ...service, key, renderKey, persistent, close: () => service.close().finally(close) };
  } catch (error) {
    await close();
    throw error;
  }
}

async function start(config: Config, log: Logger, parts: ServiceParts, whole: boolean): Promise<RunningService> {
  if (!whole) {
    const { startInMemory } = await import('./in-memory-service.ts');
    return await startInMemory(config, log, parts);
  }
  const { startService } = await import('../../service.ts');
  const service = await startService(config, log);
  return {
    url: service.addresses.base,
    ready: async () => undefined,
    // Aborts all running work when the command ends.
    close: () => service.close(AbortSignal.abort()),
  };
}

/** Returns the environment without settings of the operator's service. Empty values override those of a file. */
function withoutOperatorSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const files = ignoredSettings.map((name) => [`${name}_FILE`, '']);
  return {
    ...environment,
    ...Object.fromEntries(ignoredSettings.map((name) => [name, ''])),
    ...Object.fromEntries(files),
  };
}
