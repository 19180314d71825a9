import { Gauge } from 'prom-client';
import type { MetricOptionsOf } from './metric-options.ts';

/** What a process runs. */
interface Build {
  /** Version of the software. */
  readonly version: string;
  readonly roles: readonly string[];
}

/**
 * Creates the metric `build_info`. Alerts count nodes by it, because it does not depend on the names that Prometheus
 * gives to its targets.
 */
export function createBuildInfo(optionsOf: MetricOptionsOf) {
  const info = new Gauge(
    optionsOf(
      'build_info',
      'Always 1. The labels state the versions of Millrace and Node, and the roles of the node, separated by commas.',
      'version',
      'node',
      'roles',
    ),
  );
  return {
    /** States what the process runs. */
    buildInfo({ version, roles }: Build): void {
      info.set({ version, node: process.versions.node, roles: roles.toSorted().join(',') }, 1);
    },
  };
}
