import { type Client, createClient } from '../../client/client.ts';
import type { Call } from '../command.ts';
import { UsageError } from '../usage-error.ts';
import { askForKey, type Credentials, findCredentials, type NeededKey } from './credentials.ts';
import { type OwnService, startOwnService } from './in-process.ts';
import type { serviceOptions } from './options.ts';

/** A service to ask, for as long as a command runs. */
export interface Session {
  readonly client: Client;
  /** Its address; undefined where it runs inside this process and ends with it. */
  readonly service: string | undefined;
  /** Whether its renders are still there for the next command. */
  readonly lasting: boolean;
  /** Where it listens. */
  readonly origin: string;
  /** Whether there is a key for jobs of one's own. */
  readonly mayRender: boolean;
  /** Stops what was started for it. */
  close(): Promise<void>;
}

type ServiceCall = Pick<Call<typeof serviceOptions>, 'values' | 'terminal' | 'signal' | 'environment'>;

/**
 * Opens the service that a command's words or environment name, or starts one inside this process.
 *
 * @param starting Is called before one is started here, which takes a second or two.
 * @throws UsageError, ConfigError; the signal's reason.
 */
export async function openSession(call: ServiceCall, needs: NeededKey, starting?: () => void): Promise<Session> {
  const { values, signal, environment } = call;
  const address = serviceAddress(call);
  if (address !== undefined) return remote(address, await credentialsFor(call, address, needs), signal);
  starting?.();
  const folder = values.data ?? (environment.MILLRACE_DATA || undefined);
  const own = await startOwnService(environment, folder, values.verbose === true);
  if (!signal.aborted) return local(own, folder !== undefined, signal);
  await own.close();
  throw signal.reason;
}

/**
 * The address of the service that is meant, if any.
 *
 * @throws UsageError
 */
export function serviceAddress({
  values,
  environment,
}: Pick<ServiceCall, 'values' | 'environment'>): string | undefined {
  const address = values.service ?? environment.MILLRACE_URL;
  if (address === undefined || address === '') return undefined;
  if (/^https?:\/\/[^/]/i.test(address) && URL.canParse(address)) return address;
  throw new UsageError(`The address of the service must be an http or https address, not ${address}.`);
}

async function credentialsFor(call: ServiceCall, address: string, needs: NeededKey): Promise<Credentials> {
  const { values, terminal, signal, environment } = call;
  const found = await findCredentials(needs, values['key-file'], environment);
  if (needs === 'extraction' && found.key === undefined) {
    return { ...found, key: await askForKey(terminal, 'extraction API', address, signal) };
  }
  if (needs === 'render' && found.renderKey === undefined) {
    return { ...found, renderKey: await askForKey(terminal, 'direct job API', address, signal) };
  }
  return found;
}

function remote(url: string, credentials: Credentials, signal: AbortSignal): Session {
  return {
    client: createClient({ url, ...credentials, signal }),
    service: url,
    lasting: true,
    origin: new URL(url).origin,
    mayRender: credentials.renderKey !== undefined,
    close: async () => undefined,
  };
}

function local(own: OwnService, lasting: boolean, signal: AbortSignal): Session {
  const { url, key, renderKey } = own;
  return {
    client: createClient({ url, key, renderKey, signal }),
    service: undefined,
    lasting,
    origin: new URL(url).origin,
    mayRender: true,
    close: () => own.close(),
  };
}
