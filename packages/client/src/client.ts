import { createExtraction, type Extraction } from './extraction.ts';
import { createMethods, type PlatformMethods } from './methods.ts';
import { createRenders, type Renders } from './renders.ts';
import { createTransport } from './transport.ts';
import { createUtilities, type Utilities } from './utilities.ts';

/** Where the service is, who asks, and how patiently. */
export interface ClientOptions {
  /** Address of the extraction API, such as `http://127.0.0.1:8080`. In a page it may be relative to it. */
  readonly url: string;
  /** Key of the extraction API. None is needed where something in between adds it. */
  readonly key?: string | undefined;
  /** Name of the API at its marketplace; the host of `url`. */
  readonly host?: string | undefined;
  /** Key of the direct job API, for jobs of one's own. */
  readonly renderKey?: string | undefined;
  /** Address of the direct job API and of status by id; `url`. */
  readonly apiUrl?: string | undefined;
  /** Used in place of the global fetch. */
  readonly fetch?: typeof fetch | undefined;
  /** Ends everything that the client does. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that one attempt of a call may take; 60 seconds. The service itself gives up before. */
  readonly timeout?: number | undefined;
  /** How often a call is tried again that was turned away for the moment, or did not arrive; twice. 0 turns it off. */
  readonly retries?: number | undefined;
}

/** A Millrace service, ready to be asked. */
export interface Client extends PlatformMethods, Extraction, Utilities {
  readonly renders: Renders;
}

const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_RETRIES = 2;

/**
 * Makes a client of a service.
 *
 * @throws TypeError for an address that is none.
 */
export function createClient(options: ClientOptions): Client {
  const { key, renderKey, signal, timeout = DEFAULT_TIMEOUT_MS, retries = DEFAULT_RETRIES } = options;
  const base = baseOf(options.url);
  // Asked for at each call, since it may be replaced; and never as a method of something else.
  const fetchIt = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  const transport = createTransport({ fetch: fetchIt, signal, timeout, retries });
  const headers: Record<string, string> =
    key === undefined ? {} : { 'x-marketplace-key': key, 'x-marketplace-host': options.host ?? base.host };
  const extraction = createExtraction(base, headers, transport);
  return {
    // Each method's own type has said what its endpoint takes.
    ...createMethods((...call) => extraction.ask(...(call as Parameters<Extraction['ask']>))),
    ...extraction,
    ...createUtilities(base, transport),
    renders: createRenders(options.apiUrl === undefined ? base : baseOf(options.apiUrl), renderKey, transport),
  };
}

/** An address as one that paths are appended to. */
function baseOf(address: string): URL {
  const { location } = globalThis as { readonly location?: { readonly href: string } };
  const url = new URL(address, location?.href);
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  url.search = '';
  url.hash = '';
  return url;
}
