/**
 * The layers of the source, from bottom to top, each with the layers that it imports from. A layer is a folder or a
 * file below `src/`, or a package. A layer inside another one, such as `render/engine`, is a separate layer. The list
 * of a layer names only layers, or parts of layers, that come before it. Type-only imports count. `npm run
 * check:layers` also fails if a list names more than the layer imports, or if the folders inside any folder import each
 * other in a cycle.
 */
export const layers: Layers = {
  // Wire formats, limits, errors, plans, and rules that the service shares with its callers.
  contract: [],
  // Pauses and time limits.
  waiting: [],
  // The form of a setting, and readers that several parts use.
  settings: ['contract'],
  // Files on disk, opened so that no link can lead out of a folder.
  files: ['contract', 'settings'],
  // The lab as a process beside the service.
  lab: ['contract', 'waiting', 'settings', 'files'],
  // Traces: their interface, which features report to, and its implementation on OpenTelemetry.
  tracing: ['contract', 'settings', 'files'],
  // Readers of numbers, strings and JSON values in the pages of sites.
  parsing: ['contract/parse-url.ts', 'contract/trim-trailing.ts'],
  // HLS playlists.
  hls: ['contract', 'waiting'],
  // DASH manifests.
  dash: ['contract', 'hls', 'parsing'],
  // Requests to each site, and readers of its responses. Platforms reach sites only through their context.
  platforms: ['contract', 'waiting', 'settings', 'parsing', 'hls', 'dash'],
  // Recorded requests to sites and their responses, without secrets.
  recording: ['platforms/platform.ts', 'platforms/unread.ts'],
  // The client library. It runs anywhere, and uses only the contract and the links of platforms.
  'packages/client': ['contract', 'platforms/link-target.ts', 'platforms/links.ts'],
  // Selection of the streams that a render is made from.
  renderables: ['contract', 'parsing', 'platforms/platform.ts'],
  // All network access: address guard, proxies, rate limits and circuit breaker.
  egress: ['contract', 'waiting', 'settings'],
  // Finished files, in a folder or an S3-compatible store.
  storage: ['contract', 'waiting', 'settings', 'files'],
  // The embedded database and PostgreSQL.
  database: ['contract', 'waiting', 'settings', 'files'],
  // Sealed links, and the secrets that seal them.
  sealing: ['settings'],
  // Changes that operators made.
  audit: ['contract', 'database', 'sealing'],
  // Signed receipts of finished files: their keys, signatures and verification.
  receipts: ['contract', 'database'],
  // The HTTP server: connections, request heads, CORS and health.
  http: ['contract', 'waiting', 'settings'],
  // Callers: their keys, plans and credits. Accounts do not depend on the content of requests.
  accounts: ['contract', 'waiting', 'settings', 'database', 'audit', 'sealing', 'http/connections/client-network.ts'],
  // What the operator does not serve.
  blocks: ['contract', 'waiting', 'database'],
  // The running processes of the service, which administrators list and drain.
  nodes: ['contract', 'waiting', 'database'],
  // Counts of events in time windows.
  counting: [],
  // How well the media of each client profile of a platform arrives.
  'media-health': ['contract', 'waiting', 'counting', 'database'],
  // Replacement of media links that no longer work.
  'link-healing': ['contract', 'waiting', 'settings', 'database', 'accounts'],
  // Media links through the service.
  relay: [
    'contract',
    'waiting',
    'settings',
    'files',
    'hls',
    'egress',
    'sealing',
    'http',
    'accounts',
    'blocks',
    'link-healing',
  ],
  // The media engine. It has access to files and the contract, and no network.
  'render/engine': ['contract', 'waiting', 'files', 'parsing'],
  // Render jobs: their queue, workers, status, results and webhooks. They do not depend on platforms.
  render: [
    'contract',
    'waiting',
    'settings',
    'files',
    'parsing',
    'hls',
    'egress',
    'storage',
    'database',
    'audit',
    'sealing',
    'receipts',
    'http',
    'accounts',
    'blocks',
    'link-healing',
    'render/engine',
    'tracing',
  ],
  // The extraction API. It passes renders on as execution URLs, and stores only orders that are too long for a URL.
  extraction: [
    'contract',
    'waiting',
    'settings',
    'platforms',
    'recording',
    'renderables',
    'egress',
    'sealing',
    'http',
    'accounts',
    'blocks',
    'counting',
    'media-health',
    'link-healing',
    'relay',
    'render/jobs/execution-url.ts',
    'tracing',
  ],
  // Wrappers of parts that report spans.
  'tracing/instrument': ['contract', 'tracing', 'egress', 'render', 'extraction'],
  // The OpenAPI documents.
  openapi: ['contract', 'http', 'platforms/platform.ts', 'extraction/source-health'],
  // Prometheus metrics. They implement the interfaces that each part declares in its metrics-port.ts.
  metrics: [
    'contract',
    'waiting',
    'egress',
    'storage',
    'database',
    'http',
    'accounts',
    'nodes',
    'media-health',
    'link-healing',
    'relay',
    'render',
    'extraction',
  ],
  // The admin API.
  admin: [
    'contract',
    'settings',
    'recording',
    'database',
    'audit',
    'sealing',
    'http',
    'accounts',
    'blocks',
    'nodes',
    'render/http/list-cursor.ts',
    'render/jobs',
    'openapi',
  ],
  // The page. It runs in browsers, and uses only the client library, the links of platforms, and parts of other layers
  // that have no dependencies.
  'web/page': [
    'contract/clip-time.ts',
    'contract/country-codes.ts',
    'contract/language-tag.ts',
    'files/safe-name.ts',
    'platforms/links.ts',
    'packages/client',
  ],
  // The server of the page.
  web: [
    'contract',
    'waiting',
    'settings',
    'files',
    'storage',
    'http',
    'accounts',
    'web/page/artwork.ts',
    'web/page/app/worker/shell.ts',
  ],
  // All settings.
  'config.ts': [
    'settings',
    'files',
    'lab',
    'platforms',
    'egress',
    'storage',
    'database',
    'sealing',
    'http',
    'accounts',
    'link-healing',
    'relay',
    'render/settings.ts',
    'extraction/settings.ts',
    'admin',
    'web',
    'tracing/settings.ts',
  ],
  // Requests that tell whether the platforms still read their sites.
  probe: [
    'contract',
    'waiting',
    'parsing',
    'recording',
    'hls',
    'platforms',
    'egress',
    'sealing',
    'render/download/source-request.ts',
    'extraction',
    'config.ts',
  ],
  // The tools for AI assistants. They call the API through the client library.
  mcp: ['contract', 'waiting', 'platforms', 'parsing', 'packages/client', 'http', 'accounts'],
  // The roles of a process: api, render and worker.
  roles: [
    'contract',
    'files',
    'lab',
    'platforms',
    'recording',
    'egress',
    'storage',
    'database',
    'sealing',
    'receipts',
    'audit',
    'accounts',
    'blocks',
    'nodes',
    'media-health',
    'link-healing',
    'relay',
    'render/engine',
    'render',
    'extraction',
    'openapi',
    'metrics',
    'tracing',
    'tracing/instrument',
    'web',
    'mcp',
    'config.ts',
  ],
  // Start and stop of a service with its roles.
  'service.ts': [
    'contract',
    'waiting',
    'files',
    'platforms/index.ts',
    'platforms/subjects.ts',
    'recording',
    'egress',
    'storage',
    'database',
    'sealing',
    'receipts',
    'http',
    'audit',
    'accounts',
    'blocks',
    'nodes',
    'render',
    'metrics',
    'tracing',
    'tracing/instrument',
    'admin',
    'config.ts',
    'roles',
  ],
  // The service as a process: signals, memory and exit codes.
  process: ['contract', 'waiting', 'settings', 'files', 'storage', 'config.ts', 'service.ts'],
  // The program of the service.
  'main.ts': ['process'],
  // The command line.
  cli: [
    'contract',
    'waiting',
    'parsing',
    'platforms/index.ts',
    'platforms/links.ts',
    'packages/client',
    'renderables',
    'files',
    'egress',
    'storage',
    'database',
    'sealing',
    'receipts',
    'http',
    'accounts',
    'blocks',
    'relay',
    'render/engine',
    'render',
    'metrics',
    'tracing',
    'config.ts',
    'probe',
    'mcp',
    'roles',
    'service.ts',
    'process',
    'main.ts',
  ],
};

/** Layers from bottom to top, each with the layers that it imports from. */
export type Layers = Readonly<Record<string, readonly string[]>>;
