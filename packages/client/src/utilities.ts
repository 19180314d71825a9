import type { PausedWorker } from '../../../src/contract/worker-pause.ts';
import type { CallOptions, Transport } from './transport.ts';

/** The list of documents of a service. */
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

/** The health of a service that can do its work. */
export interface Health {
  readonly status: 'ok';
  /** Present while the worker of the node takes up no jobs. */
  readonly worker?: PausedWorker;
}

/** What a service tells of itself, without a key. Errors are those of every call. */
export interface Utilities {
  /** Whether it can do its work now; else it throws. */
  health(options?: CallOptions): Promise<Health>;
  /** The OpenAPI document, of all platforms or of one (`p1`). */
  openapi(platform?: string, options?: CallOptions): Promise<Readonly<Record<string, unknown>>>;
  /** The documents that there are, and so the platforms. */
  documents(options?: CallOptions): Promise<DocumentList>;
}

/** Asks what needs no key. */
export function createUtilities(base: URL, transport: Transport): Utilities {
  const get = (path: string, options: CallOptions | undefined) =>
    transport.json({ method: 'GET', url: new URL(path, base), idempotent: true }, options);
  // Shapes are the service's promise; what refuses is thrown before.
  return {
    health: async (options) => (await get('health', options)) as Health,
    openapi: async (platform, options) =>
      (await get(platform === undefined ? 'openapi' : `openapi/${encodeURIComponent(platform)}`, options)) as Readonly<
        Record<string, unknown>
      >,
    documents: async (options) => (await get('openapi/platforms', options)) as DocumentList,
  };
}
