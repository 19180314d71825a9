import { validUrl } from '../../../src/contract/parse-url.ts';
import type { PausedWorker } from '../../../src/contract/worker-pause.ts';
import type { CallOptions, Transport } from './http/transport.ts';

/** The list of a service's OpenAPI documents. */
export interface DocumentList {
  /** Address of the document of all platforms. */
  readonly combined: string;
  readonly platforms: readonly {
    readonly id: string;
    readonly name: string;
    readonly title: string;
    readonly version: string;
    readonly endpoints: number;
    readonly url: string;
  }[];
}

/** The health of a working service. */
export interface Health {
  readonly status: 'ok';
  /** Present while the worker of the node is paused and claims no jobs. */
  readonly worker?: PausedWorker;
}

/** Calls that need no key. They throw the same errors as all other calls. */
export interface Utilities {
  /** Returns the health of the service; throws if the service is unhealthy. */
  health(options?: CallOptions): Promise<Health>;
  /** Returns the OpenAPI document of all platforms, or of one (`p1`). */
  openapi(platform?: string, options?: CallOptions): Promise<Readonly<Record<string, unknown>>>;
  /** Lists the OpenAPI documents, and thereby the platforms. */
  documents(options?: CallOptions): Promise<DocumentList>;
}

/** Creates the calls that need no key. */
export function createUtilities(base: URL, transport: Transport): Utilities {
  const get = (path: string, options: CallOptions | undefined) =>
    transport.json({ method: 'GET', url: validUrl(path, base), idempotent: true }, options);
  // The service guarantees the shapes, and `transport.json` throws an error for every failed request.
  return {
    health: async (options) => (await get('health', options)) as Health,
    openapi: async (platform, options) =>
      (await get(platform === undefined ? 'openapi' : `openapi/${encodeURIComponent(platform)}`, options)) as Readonly<
        Record<string, unknown>
      >,
    documents: async (options) => (await get('openapi/platforms', options)) as DocumentList,
  };
}
