/** @module-tag long */

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { openTestDatabase } from '../src/database/testing/test-database.ts';
import { type Service, startService } from '../src/service.ts';
import { renderKustomization } from './deploy/render-kustomization.ts';
import { documentedMetrics } from './metrics-page.ts';

const deploy = new URL('../deploy/', import.meta.url);
const textOf = (file: string) => readFileSync(new URL(file, deploy), 'utf8');

const renderVariant = (variant: string) => renderKustomization(new URL(`kubernetes/${variant}/`, deploy));

let folder: string;
let service: Service;
/** The metrics of a service with all roles. */
let metrics: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-deploy-'));
  let admin = '';
  const log = pino(
    {},
    {
      write(line) {
        admin = (JSON.parse(line) as { admin?: string }).admin ?? admin;
      },
    },
  );
  service = await startService(readConfig({ PORT: '0', ADMIN_PORT: '0', DATA_DIR: folder }), log);
  metrics = await (await fetch(`${admin}/metrics`)).text();
});
afterAll(async () => {
  await service.close(AbortSignal.abort());
  await rm(folder, { recursive: true });
});

test.each(['prometheus/alerts.yml', 'prometheus/alerts.test.yml', 'grafana/millrace.json'])(
  '%s names only metrics that the service has',
  (file) => {
    const knownMetrics = new Set([...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
    const named = new Set(textOf(file).match(/\b(?:millrace|nodejs|process)_[a-z0-9_]+/g));
    expect(named.size).toBeGreaterThan(10);
    expect(
      [...named].filter(
        (name) => !knownMetrics.has(name) && !knownMetrics.has(name.replace(/_(?:bucket|count|sum)$/, '')),
      ),
    ).toEqual([]);
  },
);

test('the service has exactly the metrics that docs/reference/metrics.md lists', () => {
  const names = [...metrics.matchAll(/^# TYPE (millrace_\S+)/gm)].map(([, name]) => name);
  expect(names.toSorted()).toEqual(
    documentedMetrics()
      .map(({ name }) => name)
      .toSorted(),
  );
});

test('a node without traffic exports few series', () => {
  expect(metrics.match(/^[a-z]/gm)?.length).toBeLessThan(300);
});

test('metrics of the shared database are marked as not summable, and no alert or panel sums them', () => {
  const shared = [...metrics.matchAll(/^# HELP (millrace_\S+) .*take max\(\), not sum\(\)/gm)].map(([, name]) => name);
  expect(shared).toContain('millrace_render_queue_depth');
  for (const file of ['prometheus/alerts.yml', 'grafana/millrace.json']) {
    for (const name of shared) expect(textOf(file)).not.toMatch(new RegExp(`sum(?: by \\([^)]*\\))? ?\\(${name}\\b`));
  }
});

test('the metrics state what the node runs', () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', deploy), 'utf8')) as { version: string };
  const [, labels] = /^millrace_build_info\{(.*)\} 1$/m.exec(metrics) ?? [];
  expect(labels).toBe(`version="${version}",node="${process.versions.node}",roles="api,render,worker"`);
});

test('the paths of all probes respond', async () => {
  const paths = new Set(
    ['all-in-one', 'cluster'].flatMap((variant) =>
      [...JSON.stringify(renderVariant(variant)).matchAll(/"httpGet":\{"path":"([^"]+)"/g)].map(([, path]) => path),
    ),
  );
  expect(paths).toEqual(new Set(['/health/live', '/health/ready', '/health']));
  for (const path of paths) expect((await fetch(`${service.addresses.base}${path}`)).status).toBe(200);
});

test("the image's health check passes if the service runs, and fails if not", async () => {
  const [, command = '[]'] = /HEALTHCHECK.*\\\n\s*CMD (\[.*\])/.exec(textOf('Dockerfile')) ?? [];
  const [, ...parameters] = JSON.parse(command) as string[];
  const check = (port: string) => promisify(execFile)(process.execPath, parameters, { env: { PORT: port } });
  await check(new URL(service.addresses.base).port);
  await expect(check('1')).rejects.toMatchObject({ code: 1 });
});

test("the scaler's query counts waiting and running jobs", async () => {
  const database = await openTestDatabase();
  const scaled = renderVariant('cluster').find(({ kind }) => String(kind) === 'ScaledObject');
  const query = String(scaled?.spec?.triggers?.[0]?.metadata?.query);
  await database.query(
    `insert into render_jobs (id, owner, state, ttl, expires_at)
     select state, 'me', state, 1, now() + interval '1 hour' from unnest(array['queued', 'processing', 'done']) as state`,
  );
  const [row] = await database.query<{ count: unknown }>(query);
  expect(Number(row?.count)).toBe(2);
  await database.close();
});
