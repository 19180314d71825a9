import { type Client, createClient } from '#client/client.ts';
import type { Call } from '../command.ts';
import { UsageError } from '../usage-error.ts';
import { askForKey, type Credentials, findCredentials, type NeededKey } from './credentials.ts';
import { type Needs, type OwnService, startOwnService } from './in-process.ts';
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
  /**
   * Settles when jobs can be carried out. Call it before one is started.
   *
   * @throws what keeps a worker inside this process from starting.
   */
  ready(): Promise<void>;
  /** Stops what was started for it. */
  close(): Promise<void>;
}

type ServiceCall = Pick<Call<typeof serviceOptions>, 'values' | 'terminal' | 'signal' | 'environment'>;

/** What a command does with a service of its own, beside extraction. */
export interface OwnUse extends Partial<Pick<Needs, 'renders' | 'webhooks'>> {
  /** Called before the service starts, which takes up to a second, and longer with a database. */
  starting?(): void;
}

/**
 * Opens the service that a command's words or environment name, or starts one inside this process.
 *
 * @param key The key that the command needs, and so the API.
 * @throws UsageError, ConfigError; the signal's reason.
 */
export async function openSession(call: ServiceCall, key: NeededKey, own: OwnUse = {}): Promise<Session> {
  const { values, signal, environment } = call;
  const address = serviceAddress(call);
  if (address !== undefined) return remote(address, await credentialsFor(call, address, key), signal);
  own.starting?.();
  const folder = values.data ?? (environment.MILLRACE_DATA || undefined);
  const { renders = false, webhooks = false } = own;
  const needs = { extraction: key === 'extraction', renders, webhooks };
  const started = await startOwnService(environment, folder, needs, values.verbose === true);
  if (!signal.aborted) return local(started, signal);
  await started.close();
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
    ready: async () => undefined,
    close: async () => undefined,
  };
}

function local({ url, key, renderKey, lasting, ready, close }: OwnService, signal: AbortSignal): Session {
  return {
    client: createClient({ url, key, renderKey, signal }),
    service: undefined,
    lasting,
    origin: new URL(url).origin,
    mayRender: true,
    ready,
    close,
  };
}
