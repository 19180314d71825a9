import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { readConfig } from '../src/config.ts';
import { openTestDatabase } from '../src/database/testing/test-database.ts';
import { type Service, startService } from '../src/service.ts';

const deploy = new URL('../deploy/', import.meta.url);
const textOf = (file: string) => readFileSync(new URL(file, deploy), 'utf8');

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
  service = await startService(readConfig({ PORT: '0', ADMIN_PORT: '0', DATA_DIR: folder }, '/nonexistent/.env'), log);
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
      [...named].filter((name) => !knownMetrics.has(name) && !knownMetrics.has(name.replace(/_bucket$/, ''))),
    ).toEqual([]);
  },
);

test('metrics of the shared database are marked as not summable, and no alert or panel sums them', () => {
  const shared = [...metrics.matchAll(/^# HELP (millrace_\S+) .*take max\(\), not sum\(\)/gm)].map(([, name]) => name);
  expect(shared).toContain('millrace_render_queue_depth');
  for (const file of ['prometheus/alerts.yml', 'grafana/millrace.json']) {
    for (const name of shared) expect(textOf(file)).not.toMatch(new RegExp(`sum(?: by \\([^)]*\\))? ?\\(${name}\\b`));
  }
});

test('the paths of all probes respond', async () => {
  const paths = new Set([...textOf('kubernetes/millrace.yaml').matchAll(/path: (\S+?),/g)].map(([, path]) => path));
  expect([...paths]).toEqual(['/health/live', '/health/ready', '/health']);
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
  const scaled = parseAllDocuments(textOf('kubernetes/millrace.yaml')).find(
    (document) => document.get('kind') === 'ScaledObject',
  );
  const query = String(scaled?.getIn(['spec', 'triggers', 0, 'metadata', 'query']));
  await database.query(
    `insert into render_jobs (id, owner, state, ttl, expires_at)
     select state, 'me', state, 1, now() + interval '1 hour' from unnest(array['queued', 'processing', 'done']) as state`,
  );
  const [row] = await database.query<{ count: unknown }>(query);
  expect(Number(row?.count)).toBe(2);
  await database.close();
});
