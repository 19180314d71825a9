import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { errorCatalogue } from '../src/contract/errors.ts';

/** A rule of Prometheus: an alert, or the record of a series. */
interface Rule {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: { readonly summary: string; readonly runbook_url: string };
}

/** A test of rules, as promtool runs it. */
interface RuleTest {
  readonly input_series: readonly { readonly series: string }[];
  readonly alert_rule_test: readonly { readonly alertname: string; readonly exp_alerts?: readonly unknown[] }[];
}

/** A dashboard of Grafana. */
interface Dashboard {
  readonly uid: string;
  readonly templating: { readonly list: readonly object[] };
  readonly panels: readonly {
    readonly id: number;
    readonly type: string;
    readonly datasource?: { readonly uid: string };
    readonly targets?: readonly { readonly expr: string }[];
  }[];
}

const folder = new URL('../deploy/prometheus/', import.meta.url);
const textOf = (path: string) => readFileSync(new URL(path, folder), 'utf8');
const rules = (parse(textOf('alerts.yml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(({ rules }) => rules);
const alerts = rules.flatMap((rule) => (rule.alert === undefined ? [] : [{ ...rule, alert: rule.alert }]));
const dashboard = JSON.parse(textOf('../grafana/millrace.json')) as Dashboard;
const dashboardQueries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
const { tests } = parse(textOf('alerts.test.yml')) as { tests: RuleTest[] };

const codesWith = (isWanted: (entry: { readonly origin: string; readonly retryable: boolean }) => boolean) =>
  Object.entries(errorCatalogue)
    .filter(([, entry]) => isWanted(entry))
    .map(([code]) => code);

/** Returns the error codes that the expression of a rule selects. */
const codesOf = (rule: Rule | undefined) =>
  /code=~"([^"]*)"/
    .exec(rule?.expr ?? '')?.[1]
    ?.split('|')
    .toSorted();

const errorsOf = (slo: string) =>
  rules.find(({ record, labels }) => record === 'millrace:slo_errors:rate5m' && labels?.slo === slo);

test('each alert links to its own section of docs/how-to/respond-to-alerts.md', () => {
  const headings = [...textOf('../../docs/how-to/respond-to-alerts.md').matchAll(/^### (Millrace\w+)$/gm)];
  expect(headings.map(([, heading]) => heading)).toEqual(alerts.map(({ alert }) => alert));
  for (const { alert, annotations } of alerts) {
    expect(annotations?.runbook_url).toMatch(new RegExp(`docs/how-to/respond-to-alerts\\.md#${alert.toLowerCase()}$`));
  }
});

describe('each rule', () => {
  test('names only existing error codes', () => {
    const known = ['ok', 'lost', 'handed_back', ...Object.keys(errorCatalogue)];
    const named = rules.flatMap(({ expr }) => [...expr.matchAll(/code[=!]~"([^"]*)"/g)].map(([, codes = '']) => codes));
    expect(named.length).toBeGreaterThan(3);
    for (const codes of named) expect(codes.split('|').filter((code) => !known.includes(code))).toEqual([]);
  });

  test('selects only series that another rule records', () => {
    const recorded = new Set(rules.map(({ record }) => record));
    const used = rules.flatMap(({ expr }) => expr.match(/\bmillrace:[\w:]+/g) ?? []);
    expect(used.filter((name) => !recorded.has(name))).toEqual([]);
  });
});

describe('the objectives', () => {
  test('count the faults of the service and unread responses of sites against extraction', () => {
    const own = codesWith(({ origin }) => origin === 'service');
    expect(codesOf(errorsOf('extraction'))).toEqual([...own, 'invalid_response_data'].toSorted());
  });

  test('count the other faults of sites against the sources', () => {
    const faults = codesWith(({ origin, retryable }) => origin === 'source' && retryable);
    expect(codesOf(errorsOf('sources'))).toEqual(faults.filter((code) => code !== 'invalid_response_data').toSorted());
  });

  test('and MillraceJobsFailHere count the same codes of jobs as faults of the service', () => {
    const alert = alerts.find((each) => each.alert === 'MillraceJobsFailHere');
    expect(codesOf(errorsOf('render'))).toEqual(codesOf(alert));
  });

  test('are those that docs/explanation/service-levels.md lists, with the same budgets', () => {
    const budgets = rules
      .filter(({ record }) => record === 'millrace:slo_budget')
      .map(({ expr, labels }) => [labels?.slo, Number(/[\d.]+/.exec(expr)?.[0])]);
    const rows = textOf('../../docs/explanation/service-levels.md').matchAll(/^\| `(\w+)` .* ([\d.]+) % \|$/gm);
    expect([...rows].map(([, slo, percent]) => [slo, Number(percent) / 100])).toEqual(budgets);
  });

  test('measure the time of jobs with an existing bucket', () => {
    const [, limit = ''] = /le="(\d+)"/.exec(errorsOf('render_time')?.expr ?? '') ?? [];
    const [, buckets = ''] = /JOB_BUCKETS = \[(.*?)\]/.exec(textOf('../../src/metrics/run-metrics.ts')) ?? [];
    expect(buckets.replaceAll('_', '').split(', ')).toContain(limit);
  });
});

test('MillraceSourceFails counts the same codes as /status does', () => {
  const faults = codesWith(({ origin, retryable }) => origin === 'source' && retryable);
  expect(codesOf(alerts.find(({ alert }) => alert === 'MillraceSourceFails'))).toEqual(faults.toSorted());
});

describe('the dashboard', () => {
  test('can be provisioned: it has an ID, and takes the data source from a variable', () => {
    expect(dashboard.uid).toBe('millrace');
    expect(dashboard.templating.list).toMatchObject([{ name: 'source', type: 'datasource', query: 'prometheus' }]);
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    const panels = dashboard.panels.filter(({ type }) => type !== 'row');
    expect(panels.every(({ datasource }) => /^\$\{source\}$/.test(datasource?.uid ?? ''))).toBe(true);
  });

  test('reads only recorded series that exist', () => {
    const recorded = new Set(rules.map(({ record }) => record));
    const used = dashboardQueries.flatMap((query) => query.match(/\bmillrace:[\w:]+/g) ?? []);
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((name) => !recorded.has(name))).toEqual([]);
  });
});

describe.each(alerts)('$alert', ({ alert, expr }) => {
  const checks = tests.flatMap(({ input_series, alert_rule_test }) =>
    alert_rule_test.filter(({ alertname }) => alertname === alert).map((check) => ({ ...check, input_series })),
  );
  const isQuiet = ({ exp_alerts = [] }: RuleTest['alert_rule_test'][number]) => exp_alerts.length === 0;

  test('fires in a test', () => {
    expect(checks.filter((check) => !isQuiet(check))).not.toEqual([]);
  });

  test('stays quiet in a test with all of its metrics', () => {
    const metrics = metricsIn(expr);
    expect(metrics.size).toBeGreaterThan(0);
    const quiet = checks.filter(isQuiet).map(({ input_series }) => input_series.map(({ series }) => nameOf(series)));
    expect(quiet.some((names) => [...metrics].every((metric) => names.includes(metric)))).toBe(true);
  });
});

const nameOf = (series: string) => /^\w+/.exec(series)?.[0];

/** Returns the metrics that an expression reads, directly or through recorded series. */
function metricsIn(expr: string): ReadonlySet<string> {
  const names = expr.match(/\b(?:millrace[_:][\w:]+|nodejs_\w+|up(?=\{))/g) ?? [];
  return new Set(
    names.flatMap((name) => {
      const recording = rules.filter(({ record }) => record === name);
      return recording.length === 0 ? [name] : recording.flatMap((rule) => [...metricsIn(rule.expr)]);
    }),
  );
}

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

describe.skipIf(!hasPromtool)("promtool (needs Debian's package prometheus)", () => {
  const promtool = (...words: string[]) => promisify(execFile)('promtool', words, { cwd: fileURLToPath(folder) });

  test('accepts the rules and the configuration', async () => {
    await promtool('check', 'rules', 'alerts.yml');
    await promtool('check', 'config', '--syntax-only', 'prometheus.yml');
  });

  test('accepts the queries of the dashboard', async () => {
    const path = join(await mkdtemp(join(tmpdir(), 'millrace-dashboard-')), 'rules.yml');
    onTestFinished(() => rm(dirname(path), { recursive: true }));
    const asRules = dashboardQueries.map((expr, index) => ({ record: `query:${index}`, expr }));
    await writeFile(path, stringify({ groups: [{ name: 'dashboard', rules: asRules }] }));
    await promtool('check', 'rules', path);
  });

  test('sees each alert fire, and stay quiet, when it should', async () => {
    await promtool('test', 'rules', 'alerts.test.yml');
  });
});
