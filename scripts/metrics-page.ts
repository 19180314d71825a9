import { addBreakerMetrics } from '../src/metrics/breaker-metrics.ts';
import { addConnectionGauges } from '../src/metrics/connection-metrics.ts';
import { createMetrics } from '../src/metrics/metrics.ts';
import { addNodeMetrics } from '../src/metrics/node-metrics.ts';
import { addRenderMetrics } from '../src/metrics/render-metrics.ts';
import { addEngineMetrics, addWorkerMetrics } from '../src/metrics/worker-metrics.ts';

/** A metric of the service. */
interface DocumentedMetric {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly labels: readonly string[];
}

/** Stands for what gauges read, which they do only when metrics are collected. */
const unread = {} as never;

/** Returns all metrics whose name begins with `millrace_`, by name. */
export function documentedMetrics(): readonly DocumentedMetric[] {
  const metrics = createMetrics();
  metrics.resultCache(() => unread);
  addNodeMetrics(metrics, unread, '');
  addRenderMetrics(metrics, unread, 0);
  addBreakerMetrics(metrics, [], () => []);
  addConnectionGauges(metrics, unread, 0);
  addEngineMetrics(metrics, unread, unread);
  addWorkerMetrics(metrics, unread, unread);
  return metrics.registry
    .getMetricsAsArray()
    .map((metric) => ({
      name: metric.name,
      type: metric.constructor.name.toLowerCase(),
      help: metric.help,
      labels: 'labelNames' in metric && Array.isArray(metric.labelNames) ? metric.labelNames.map(String) : [],
    }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

/** Returns the page that lists every metric, made from the metrics themselves. */
export function metricsPage(): string {
  const rows = documentedMetrics().map(({ name, type, labels, help }) => {
    const cells = [`\`${name}\``, type, labels.map((label) => `\`${label}\``).join(', '), help];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  return `<!-- Made by "npm run docs" from src/metrics/. -->

# Metrics

Every node serves its metrics in the Prometheus format at \`/metrics\` of its admin port (\`ADMIN_PORT\`). The table lists
those of Millrace. Those of the process and of Node (\`process_*\`, \`nodejs_*\`) have the names that
[prom-client](https://github.com/siimon/prom-client) gives them. [Respond to alerts](../how-to/respond-to-alerts.md)
describes the dashboard and the alerts.

With \`LAB=on\`, \`/metrics/test\` has the metrics of [test keys](../how-to/manage-keys.md#create-a-test-key): their
requests, extractions, cache, relay and requests to the lab. \`/metrics\` does not count these. Metrics of the node, its
HTTP server, its jobs and its files are only at \`/metrics\`, for live keys and test keys together.

Labels have few values, which are names in the code, platforms, endpoints, error codes or exits. They never contain a
key, an account, a URL or an ID. [Series per node](../explanation/service-levels.md#series-per-node) states how many
series to expect.

| Metric | Type | Labels | Meaning |
|---|---|---|---|
${rows.join('\n')}
`;
}
