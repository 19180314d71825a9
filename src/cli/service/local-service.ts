import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { Credentials } from './credentials.ts';
import { persistentDataFolder, temporaryDataFolder } from './data-folder.ts';
import type { Needs, RunningService } from './running-service.ts';

/** A service that runs inside this process, for it alone. */
export interface LocalService extends Credentials, RunningService {
  /** Whether its jobs and files are still there for the next command. */
  readonly persistent: boolean;
}

/** Settings that say where the operator's own service is and what it keeps; this one has nothing to do with it. */
const operatorSettings = [
  'ADMIN_HOST',
  'ADMIN_PORT',
  'ADMIN_TOKEN',
  'API_URL',
  'BASE_URL',
  'DATABASE_LISTEN_URL',
  'DATABASE_URL',
  'DRAIN_DELAY',
  'MARKETPLACE_HOST',
  'MARKETPLACE_PROXY_SECRET',
  'PLAN_LIMITS',
  'RENDER_URL',
  'ROLES',
  'SIGNING_SECRETS',
  'STORAGE_URL',
  'STORE_DOWNLOADS',
  'WEB_KEY',
];

/**
 * Starts a service in this process, on a free port of loopback. How it reaches the outside is set as for any service
 * (`EGRESS_PROXIES` and so on). It keeps its jobs in memory, and is the whole service with its database only where they are
 * to stay or tell webhooks of their end.
 *
 * @param folder Where jobs and their files stay for the next command; absent: they end with this one.
 * @throws ConfigError for a setting that cannot be used; FolderInUseError where another command uses the folder.
 */
export async function startLocalService(
  environment: NodeJS.ProcessEnv,
  folder: string | undefined,
  needs: Needs,
  verbose: boolean,
): Promise<LocalService> {
  // Loaded here, since commands that ask a service elsewhere need nothing of it.
  const [{ pino }, { collectBuffersLessOften }, { readConfig }] = await Promise.all([
    import('pino'),
    import('../../process/buffer-collection.ts'),
    import('../../config.ts'),
  ]);
  collectBuffersLessOften();
  const persistent = needs.renders && folder !== undefined;
  const { path, key, renderKey, close } = persistent ? await persistentDataFolder(folder) : temporaryDataFolder();
  try {
    const config = readConfig({
      ...withoutOperatorSettings(environment),
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: path,
      EXTRACTION_KEYS: `MEGA:${key}`,
      RENDER_KEYS: renderKey,
    });
    const log = pino({ level: verbose ? config.LOG_LEVEL : 'silent' }, pino.destination({ dest: 2, sync: true }));
    const service = await start(config, log, needs, persistent || needs.webhooks);
    return { ...service, key, renderKey, persistent, close: () => service.close().finally(close) };
  } catch (error) {
    await close();
    throw error;
  }
}

async function start(config: Config, log: Logger, needs: Needs, whole: boolean): Promise<RunningService> {
  if (!whole) {
    const { startInMemory } = await import('./in-memory.ts');
    return await startInMemory(config, log, needs);
  }
  const { startService } = await import('../../service.ts');
  const service = await startService(config, log);
  return {
    url: service.addresses.base,
    ready: async () => undefined,
    // Nobody waits for what is still under way when its command is over.
    close: () => service.close(AbortSignal.abort()),
  };
}

/** The environment without what is the operator's; empty values also put away what a `.env` file says. */
function withoutOperatorSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const files = [...operatorSettings, 'EXTRACTION_KEYS', 'RENDER_KEYS'].map((name) => [`${name}_FILE`, '']);
  return {
    ...environment,
    ...Object.fromEntries(operatorSettings.map((name) => [name, ''])),
    ...Object.fromEntries(files),
  };
}
