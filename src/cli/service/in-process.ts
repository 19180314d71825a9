import type { Credentials } from './credentials.ts';
import { keptPlace, temporaryPlace } from './place.ts';

/** A service that runs inside this process, for it alone. */
export interface OwnService extends Credentials {
  readonly url: string;
  /** Stops it, and deletes what is not to be kept. */
  close(): Promise<void>;
}

/** Settings that say where the operator's own service is and what it keeps; this one has nothing to do with it. */
const notMeantForThis = [
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
 * Starts the whole service in this process, on a free port of loopback. How it reaches the outside is set as for any
 * service (`EGRESS_PROXIES` and so on).
 *
 * @param folder Where it keeps its data; absent: in a temporary folder, which is deleted with it.
 * @throws ConfigError for a setting that cannot be used; FolderInUseError where another command uses the folder.
 */
export async function startOwnService(
  environment: NodeJS.ProcessEnv,
  folder: string | undefined,
  verbose: boolean,
): Promise<OwnService> {
  // Loaded here, since commands that ask a service elsewhere need nothing of it.
  const [{ pino }, { collectBuffersLessOften }, { readConfig }, { startService }] = await Promise.all([
    import('pino'),
    import('../../collect-buffers.ts'),
    import('../../config.ts'),
    import('../../service.ts'),
  ]);
  collectBuffersLessOften();
  const { path, key, renderKey, close } = folder === undefined ? temporaryPlace() : await keptPlace(folder);
  try {
    const config = readConfig({
      ...withoutOperators(environment),
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: path,
      EXTRACTION_KEYS: `MEGA:${key}`,
      RENDER_KEYS: renderKey,
    });
    const log = pino({ level: verbose ? config.LOG_LEVEL : 'silent' }, pino.destination({ dest: 2, sync: true }));
    const service = await startService(config, log);
    // Nobody waits for what is still under way when its command is over.
    const stop = () => service.close(AbortSignal.abort()).finally(close);
    return { url: service.addresses.base, key, renderKey, close: stop };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The environment without what is the operator's; empty values also put away what a `.env` file says. */
function withoutOperators(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const files = [...notMeantForThis, 'EXTRACTION_KEYS', 'RENDER_KEYS'].map((name) => [`${name}_FILE`, '']);
  return {
    ...environment,
    ...Object.fromEntries(notMeantForThis.map((name) => [name, ''])),
    ...Object.fromEntries(files),
  };
}
