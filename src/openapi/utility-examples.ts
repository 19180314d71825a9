import type { About } from '../contract/about.ts';
import type { ServiceVersion } from '../contract/service-version.ts';
import type { Status } from '../extraction/source-health/status.ts';

const figures = {
  requests: 240,
  successes: 231,
  refusals: { not_found: 8 },
  failures: { operation_timeout: 1 },
  faults: {},
  failureRate: 0.0042,
  latency: { p50: 410, p90: 905, p99: 2_100 },
};
const health = { state: 'ok', last15Minutes: figures, last24Hours: figures } as const;

/** An example of the body of `/health`, `/health/ready` and `/health/live`. */
export const healthExample = { status: 'ok' } as const;

/** An example of the body of `/version`. */
export const versionExample: ServiceVersion = { version: '1.0.0', extractionApi: 'v3', renderApi: 'v1' };

/** An example of the body of `/status`. */
export const statusExample: Status = {
  at: '2026-11-22T10:00:00.000Z',
  since: '2026-11-21T10:00:00.000Z',
  platforms: [
    {
      id: 'p1',
      ...health,
      endpoints: [{ path: '/p1/v3/video/details', ...health }],
      breakers: [{ exit: 'direct', state: 'closed', since: '2026-11-21T10:00:00.000Z' }],
      media: [],
    },
  ],
};

/** An example of the body of `/about`. */
export const aboutExample: About = {
  operator: { name: 'Example Ltd', contact: 'mailto:support@millrace.example' },
  terms: { url: 'https://millrace.example/terms' },
  retention: [{ data: 'Finished files', description: 'They are kept until their job expires.', maxSeconds: 86_400 }],
};
