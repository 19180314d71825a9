const accountBase = '/api/v1';

/** The prefix of the paths about render jobs. */
export const renderBase = `${accountBase}/render`;

/**
 * Method and path of every operation of the render API, by operation ID. `{name}` is a path parameter. This file
 * imports nothing and contains no schemas, so the client library and the page can load it.
 */
export const renderPaths = {
  startJob: { method: 'POST', path: `${renderBase}/execute` },
  startSealedJob: { method: 'GET', path: `${renderBase}/execute` },
  cancelSealedJob: { method: 'DELETE', path: `${renderBase}/execute` },
  storeJob: { method: 'POST', path: `${renderBase}/cache` },
  startStoredJob: { method: 'GET', path: `${renderBase}/execute/{cacheId}` },
  cancelStoredJob: { method: 'DELETE', path: `${renderBase}/execute/{cacheId}` },
  watchJob: { method: 'GET', path: `${renderBase}/status/{jobId}` },
  watchJobEvents: { method: 'GET', path: `${renderBase}/status/sse/{jobId}` },
  getJob: { method: 'GET', path: `${renderBase}/jobs/{jobId}` },
  cancelJob: { method: 'DELETE', path: `${renderBase}/jobs/{jobId}` },
  startJobs: { method: 'POST', path: `${renderBase}/batch` },
  readDeliveries: { method: 'GET', path: `${renderBase}/jobs/{jobId}/deliveries` },
  listJobs: { method: 'GET', path: `${renderBase}/jobs` },
  retryJob: { method: 'POST', path: `${renderBase}/jobs/{jobId}/retry` },
  redeliver: { method: 'POST', path: `${renderBase}/jobs/{jobId}/deliveries/{deliveryId}/redeliver` },
  listWebhooks: { method: 'GET', path: `${accountBase}/webhooks` },
  createWebhook: { method: 'POST', path: `${accountBase}/webhooks` },
  deleteWebhook: { method: 'DELETE', path: `${accountBase}/webhooks/{webhookId}` },
  testWebhook: { method: 'POST', path: `${accountBase}/webhooks/test` },
  readUsage: { method: 'GET', path: `${accountBase}/usage` },
} as const;

/** Method and path of the links that responses contain, and of the keys that their signatures are verified with. */
export const linkPaths = {
  relayMedia: { method: 'GET', path: '/relay/{link}/{name}' },
  downloadFile: { method: 'GET', path: '/files/{link}/{name}' },
  downloadReceipt: { method: 'GET', path: '/files/{link}/{name}.receipt' },
  readReceiptKeys: { method: 'GET', path: '/.well-known/millrace-receipt-keys.json' },
} as const;

/** The parameters of a path by name: `jobId` of `/jobs/{jobId}`. */
export type PathParameters<Path extends string> = { readonly [Name in ParameterOf<Path>]: string };

/** The parameter names of a path. */
type ParameterOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterOf<Rest>
  : never;

/** Returns the path of a request with its parameters filled in. */
export function pathOf<Path extends string>(route: { readonly path: Path }, parameters: PathParameters<Path>): string {
  const values: Readonly<Record<string, string>> = parameters;
  return route.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}
