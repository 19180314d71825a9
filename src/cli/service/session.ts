import { type Client, createClient } from '#client/client.ts';
import type { Call } from '../command-line/command.ts';
import { UsageError } from '../errors/command-errors.ts';
import { type Credentials, findCredentials, type NeededKey, promptForKey } from './credentials.ts';
import { type LocalService, startLocalService } from './local-service.ts';
import type { serviceOptions } from './options.ts';
import type { Needs } from './running-service.ts';

/** A connection to a service while a command runs. */
export interface Session {
  readonly client: Client;
  /** The address of a remote service; undefined for a local one. */
  readonly service: string | undefined;
  /** Whether its renders stay for the next command. */
  readonly persistent: boolean;
  /** Its origin. */
  readonly origin: string;
  /** Whether there is a key for the direct job API. */
  readonly mayRender: boolean;
  /**
   * Settles when jobs can run. Call it before starting one.
   *
   * @throws The error with which a local worker failed to start.
   */
  ready(): Promise<void>;
  /** Stops a local service. */
  close(): Promise<void>;
}

type ServiceCall = Pick<Call<typeof serviceOptions>, 'values' | 'terminal' | 'signal' | 'environment'>;

/** What a command uses of a local service beside extraction. */
interface LocalUse extends Partial<Pick<Needs, 'renders' | 'webhooks'>> {
  /** Called before the start, which takes up to a second, or longer with a database. */
  starting?(): void;
}

/**
 * Connects to the service of the options or the environment, or starts a local one.
 *
 * @param key The key that the command needs.
 * @throws UsageError, ConfigError; the signal's reason.
 */
export async function openSession(call: ServiceCall, key: NeededKey, own: LocalUse = {}): Promise<Session> {
  const { values, signal, environment } = call;
  const address = serviceAddress(call);
  if (address !== undefined) return remote(address, await credentialsFor(call, address, key), signal);
  own.starting?.();
  const folder = values.data ?? (environment.MILLRACE_DATA || undefined);
  const { renders = false, webhooks = false } = own;
  const needs = { extraction: key === 'extraction', renders, webhooks };
  const started = await startLocalService(environment, folder, needs, values.verbose === true);
  if (!signal.aborted) return local(started, signal);
  await started.close();
  throw signal.reason;
}

/**
 * Returns the address of the remote service, if any.
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
  const credentials = await findCredentials(needs, values['key-file'], environment);
  if (needs === 'extraction' && credentials.key === undefined) {
    return { ...credentials, key: await promptForKey(terminal, 'extraction API', address, signal) };
  }
  if (needs === 'render' && credentials.renderKey === undefined) {
    return { ...credentials, renderKey: await promptForKey(terminal, 'direct job API', address, signal) };
  }
  return credentials;
}

function remote(url: string, credentials: Credentials, signal: AbortSignal): Session {
  return {
    client: createClient({ url, ...credentials, signal }),
    service: url,
    persistent: true,
    origin: new URL(url).origin,
    mayRender: credentials.renderKey !== undefined,
    ready: async () => undefined,
    close: async () => undefined,
  };
}

function local({ url, key, renderKey, persistent, ready, close }: LocalService, signal: AbortSignal): Session {
  return {
    client: createClient({ url, key, renderKey, signal }),
    service: undefined,
    persistent,
    origin: new URL(url).origin,
    mayRender: true,
    ready,
    close,
  };
}
