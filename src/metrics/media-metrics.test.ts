import { expect, test } from 'vitest';
import { serviceCaller } from '../contract/caller.ts';
import { createMetrics } from './metrics.ts';

test('media fetches are counted by profile, exit, consumer and outcome, with the bytes until a refusal', async () => {
  const { registry, mediaFetch } = createMetrics();
  const origin = { platform: 'p1', endpoint: '/video/details', parameters: { videoId: 'a' }, content: 0 };
  const fetch = { consumer: 'relay', caller: serviceCaller, exit: 'fr-1', country: 'FR' } as const;
  mediaFetch({ ...fetch, origin: { ...origin, profile: 'visionos' }, outcome: 'arrived', bytes: 5_000_000 }, 'arrived');
  mediaFetch(
    { ...fetch, origin: { ...origin, profile: 'visionos' }, outcome: 'cut', status: 403, bytes: 1_048_576 },
    'cut',
  );
  mediaFetch(
    { consumer: 'render', caller: serviceCaller, origin, exit: 'direct', outcome: 'failed', bytes: 0 },
    'failed',
  );
  const lines = (await registry.metrics()).split('\n').filter((line) => line.startsWith('millrace_media_'));
  const place = 'platform="p1",profile="visionos",exit="fr-1",country="FR",consumer="relay"';
  expect(lines).toEqual(
    expect.arrayContaining([
      `millrace_media_fetches_total{${place},outcome="arrived"} 1`,
      `millrace_media_fetches_total{${place},outcome="cut"} 1`,
      'millrace_media_fetches_total{platform="p1",profile="default",exit="direct",country="",consumer="render",outcome="failed"} 1',
      'millrace_media_refused_after_bytes_bucket{le="786432",platform="p1",profile="visionos"} 0',
      'millrace_media_refused_after_bytes_bucket{le="1572864",platform="p1",profile="visionos"} 1',
    ]),
  );
});
