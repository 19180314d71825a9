import { Counter, Histogram } from 'prom-client';
import { onlyProfile } from '../contract/media-origin.ts';
import type { MediaHealthMetrics } from '../media-health/metrics-port.ts';
import type { MetricOptionsOf } from './metric-options.ts';

const KIB = 1024;

/** Bytes. Media that needs a token is cut after about 1 MiB. */
const REFUSAL_BUCKETS = [0, 256 * KIB, 768 * KIB, 1_536 * KIB, 4_096 * KIB, 16_384 * KIB, 131_072 * KIB];

/** Creates the metrics of media fetches. */
export function createMediaMetrics(optionsOf: MetricOptionsOf): MediaHealthMetrics {
  const fetches = new Counter(
    optionsOf(
      'media_fetches_total',
      'Fetches of media from platforms, by client profile, exit, consumer (render, relay or preview) and outcome. ' +
        'Further refusals of an item within an hour have the outcome repeated.',
      'platform',
      'profile',
      'exit',
      'country',
      'consumer',
      'outcome',
    ),
  );
  const refusalBytes = new Histogram({
    ...optionsOf(
      'media_refused_after_bytes',
      'Bytes that had arrived when media of a platform was refused.',
      'platform',
      'profile',
    ),
    buckets: REFUSAL_BUCKETS,
  });
  return {
    mediaFetch({ origin, exit, country = '', consumer, bytes }, outcome) {
      const { platform, profile = onlyProfile } = origin;
      fetches.inc({ platform, profile, exit, country, consumer, outcome });
      if (outcome === 'refused' || outcome === 'cut') refusalBytes.observe({ platform, profile }, bytes);
    },
  };
}
