import { validUrl } from '../../../src/contract/parse-url.ts';
import { type AccountCalls, createAccountCalls } from './account.ts';
import { type Collections, createCollections } from './collections/collection.ts';
import { createExtraction, type Extraction } from './extraction.ts';
import { createTransport, type OnResponse } from './http/transport.ts';
import { createMethods, type PlatformMethods } from './platform-methods.ts';
import { createRenders, type Renders } from './renders/renders.ts';
import { createUtilities, type Utilities } from './utilities.ts';

/** Options of a client: the service, its keys, and how calls are made. */
export interface ClientOptions {
  /** Address of the extraction API, such as `http://127.0.0.1:8080`. In a page it may be relative. */
  readonly url: string;
  /** Key of the extraction API. Leave it out if a proxy adds it. */
  readonly key?: string | undefined;
  /** Host name of the API on its marketplace. Default: the host of `url`. */
  readonly host?: string | undefined;
  /** Key of the direct job API, for your own jobs. */
  readonly renderKey?: string | undefined;
  /** Address of the direct job API and of status by ID. Default: `url`. */
  readonly apiUrl?: string | undefined;
  /** Replaces the global fetch. */
  readonly fetch?: typeof fetch | undefined;
  /** Called with each response, including those that are retried; for logs. It must not throw. */
  readonly onResponse?: OnResponse | undefined;
  /** Cancels everything that the client does. */
  readonly signal?: AbortSignal | undefined;
  /** Timeout of one attempt of a call, in milliseconds. Default: 60 seconds; the service itself times out earlier. */
  readonly timeout?: number | undefined;
  /** Maximum retries of a call after 429, 503 or a connection failure. Default: 2; 0 turns them off. */
  readonly retries?: number | undefined;
}

/** A client of a Millrace service. */
export interface Client extends PlatformMethods, Extraction, Collections, Utilities, AccountCalls {
  /** Starts, follows and cancels renders, and downloads their files. */
  readonly renders: Renders;
}

const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_RETRIES = 2;

/**
 * Creates a client of a service.
 *
 * @throws TypeError for an invalid address.
 */
export function createClient(options: ClientOptions): Client {
  const { key, renderKey, signal, timeout = DEFAULT_TIMEOUT_MS, retries = DEFAULT_RETRIES } = options;
  const base = toBaseUrl(options.url);
  // The global fetch is looked up at each call, because it may be replaced. It must not be called as a method.
  const fetchFn = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  const transport = createTransport({ fetch: fetchFn, onResponse: options.onResponse, signal, timeout, retries });
  const headers: Record<string, string> =
    key === undefined ? {} : { 'x-marketplace-key': key, 'x-marketplace-host': options.host ?? base.host };
  const extraction = createExtraction(base, headers, transport);
  const apiUrl = options.apiUrl === undefined ? base : toBaseUrl(options.apiUrl);
  const credentials = renderKey === undefined ? headers : { authorization: `Bearer ${renderKey}` };
  return {
    // The cast is safe: each method's own type declares its parameters.
    ...createMethods((...args) => extraction.extract(...(args as Parameters<Extraction['extract']>))),
    ...extraction,
    ...createCollections(extraction),
    ...createUtilities(base, transport),
    ...createAccountCalls(apiUrl, credentials, transport),
    renders: createRenders(apiUrl, credentials, transport),
  };
}

/** Returns an address to which paths can be appended. */
function toBaseUrl(address: string): URL {
  const { location } = globalThis as { readonly location?: { readonly href: string } };
  const url = validUrl(address, location?.href);
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  url.search = '';
  url.hash = '';
  return url;
}
