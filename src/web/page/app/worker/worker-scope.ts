import type { Shell } from './shell.ts';

/** An event of a service worker that lasts until its work is done. */
interface WorkEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

/** A request of a page. Without a call of `respondWith`, the browser sends it as if there were no worker. */
interface RequestEvent extends WorkEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

/**
 * The members of `ServiceWorkerGlobalScope` that the worker uses. TypeScript declares them in a library that cannot be
 * combined with that of pages.
 */
export interface WorkerScope {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: { claim(): Promise<void> };
  addEventListener(type: 'install' | 'activate', listener: (event: WorkEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: RequestEvent) => void): void;
}

declare global {
  /** The version that the service has written at the beginning of the worker's script. */
  const shell: Shell;
}
