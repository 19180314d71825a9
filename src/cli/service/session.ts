import { type Client, createClient } from '#client/client.ts';
import type { ResponseFacts } from '#client/http/transport.ts';
import { parseUrl, validUrl } from '../../contract/parse-url.ts';
import type { Invocation } from '../command-line/command.ts';
import { UsageError } from '../errors/command-errors.ts';
import { sanitiseLine } from '../terminal/sanitise.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { findSettingsFile } from './command-settings.ts';
import { type Credentials, findCredentials, promptForKey, type RequiredKey } from './credentials.ts';
import { ignoredSettings, type LocalService, startLocalService } from './local-service.ts';
import type { serviceOptions } from './options.ts';
import type { ServiceParts } from './running-service.ts';

/** A connection to a service while a command runs. */
export interface Session {
  readonly client: Client;
  /** The address of a remote service; undefined for a local one. */
  readonly service: string | undefined;
  /** Whether its renders stay for the next command. */
  readonly persistent: boolean;
  /** The origin of the service. */
  readonly origin: string;
  /** Whether there is a key for the direct job API. */
  readonly canRender: boolean;
  /**
   * Settles when jobs can run. Call it before starting one.
   *
   * @throws The error with which a local worker failed to start.
   */
  ready(): Promise<void>;
  /** Stops a local service. */
  close(): Promise<void>;
}

type ServiceInvocation = Pick<Invocation<typeof serviceOptions>, 'values' | 'terminal' | 'signal' | 'environment'>;

/** The parts of a local service that a command needs besides extraction. */
interface LocalServiceOptions extends Partial<Pick<ServiceParts, 'renders' | 'webhooks'>> {
  /** Called before the start, which takes up to a second, or longer with a database. */
  onStart?(): void;
}

/**
 * Connects to the service of the options or the environment, or starts a local one.
 *
 * @param requiredKey The key that the command needs.
 * @throws UsageError, ConfigError; the signal's reason.
 */
export async function openSession(
  invocation: ServiceInvocation,
  requiredKey: RequiredKey,
  localOptions: LocalServiceOptions = {},
): Promise<Session> {
  const { values, signal, environment } = invocation;
  const address = serviceAddress(invocation);
  if (address !== undefined)
    return remoteSession(address, await credentialsFor(invocation, address, requiredKey), invocation);
  localOptions.onStart?.();
  const folder = values.data ?? (environment.MILLRACE_DATA || undefined);
  const { renders = false, webhooks = false } = localOptions;
  const parts = { extraction: requiredKey === 'extraction', renders, webhooks };
  const settings = { environment, file: await findSettingsFile(invocation, ignoredSettings) };
  const localService = await startLocalService(settings, folder, parts, values.verbose === true);
  if (!signal.aborted) return localSession(localService, signal);
  await localService.close();
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
}: Pick<ServiceInvocation, 'values' | 'environment'>): string | undefined {
  const address = values.service ?? environment.MILLRACE_URL;
  if (address === undefined || address === '') return undefined;
  if (/^https?:\/\/[^/]/i.test(address) && parseUrl(address) !== null) return address;
  throw new UsageError(`The address of the service must be an http or https address, not ${address}.`);
}

async function credentialsFor(
  invocation: ServiceInvocation,
  address: string,
  requiredKey: RequiredKey,
): Promise<Credentials> {
  const { values, terminal, signal, environment } = invocation;
  const credentials = await findCredentials(requiredKey, values['key-file'], environment);
  if (requiredKey === 'extraction' && credentials.key === undefined) {
    return { ...credentials, key: await promptForKey(terminal, 'extraction API', address, signal) };
  }
  if (requiredKey === 'render' && credentials.renderKey === undefined) {
    return { ...credentials, renderKey: await promptForKey(terminal, 'direct job API', address, signal) };
  }
  return credentials;
}

function remoteSession(
  url: string,
  credentials: Credentials,
  { values, terminal, signal }: Pick<ServiceInvocation, 'values' | 'terminal' | 'signal'>,
): Session {
  return {
    client: createClient({
      url,
      ...credentials,
      signal,
      ...(values.verbose === true ? { onResponse: (response) => printResponse(response, terminal) } : {}),
    }),
    service: url,
    persistent: true,
    origin: validUrl(url).origin,
    canRender: credentials.renderKey !== undefined,
    ready: async () => undefined,
    close: async () => undefined,
  };
}

/** Prints one line about a response of a remote service. */
function printResponse({ method, url, status, requestId = 'none' }: ResponseFacts, terminal: Terminal): void {
  terminal.say(sanitiseLine(`${method} ${url}: ${status}, request ID ${requestId}`));
}

function localSession({ url, key, renderKey, persistent, ready, close }: LocalService, signal: AbortSignal): Session {
  return {
    client: createClient({ url, key, renderKey, signal }),
    service: undefined,
    persistent,
    origin: validUrl(url).origin,
    canRender: true,
    ready,
    close,
  };
}
