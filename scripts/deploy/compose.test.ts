import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Tree } from './render-kustomization.ts';

const deploy = new URL('../../deploy/', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, deploy), 'utf8');
const compose = parse(read('compose.yaml'), { merge: true }) as Tree;
const services = Object.entries(compose.services ?? {}).map(([name, service]) => [name, service as Tree] as const);
const service = (name: string): Tree => (compose.services as Tree)[name] as Tree;
const strings = (tree: Tree | undefined) => ((tree ?? []) as readonly Tree[]).map(String);
const monitoring = services.filter(([, { profiles }]) => strings(profiles).includes('monitoring'));

describe.each(services)('service %s', (_name, one) => {
  test('uses only secrets, networks and volumes that the file declares, and files that exist', () => {
    expect(Object.keys(compose.secrets ?? {})).toEqual(expect.arrayContaining(strings(one.secrets)));
    expect(Object.keys(compose.networks ?? {})).toEqual(expect.arrayContaining(strings(one.networks)));
    for (const [source = '', target] of strings(one.volumes).map((volume) => volume.split(':'))) {
      if (source.startsWith('./')) expect(existsSync(new URL(source, deploy)), source).toBe(true);
      else if (target !== undefined) expect(Object.keys(compose.volumes ?? {})).toContain(source);
    }
  });

  test('depends only on services that exist, and waits only for health checks that exist', () => {
    const dependencies = one.depends_on ?? ({} as Tree);
    const names = Array.isArray(dependencies) ? strings(dependencies) : Object.keys(dependencies);
    for (const name of names) {
      expect(service(name)).toBeDefined();
      const condition = (dependencies[name] as Tree | undefined)?.condition;
      if (String(condition) === 'service_healthy') expect(service(name).healthcheck).toBeDefined();
    }
  });

  test('belongs to a network, so that none is in the default network by mistake', () => {
    expect(strings(one.networks).length).toBeGreaterThan(0);
  });

  test('has no capability, gains no privileges, writes to no part of its image, and has a limit of processes', () => {
    expect(strings(one.cap_drop)).toEqual(['ALL']);
    expect(one).not.toHaveProperty('cap_add');
    expect(one).not.toHaveProperty('privileged');
    expect(strings(one.security_opt)).toEqual(['no-new-privileges:true']);
    expect(one.read_only).toBe(true);
    expect(Number(one.pids_limit)).toBeGreaterThan(0);
  });

  test('does not start as root, and owns the tmpfs folders that other users may not write to', () => {
    const user = one.build === undefined ? String(one.user) : /^USER (\d+)$/m.exec(read('Dockerfile'))?.[1];
    expect(user).toMatch(/^[1-9]\d*(?::\d+)?$/);
    const [uid] = user?.split(':') ?? [];
    for (const folder of strings(one.tmpfs).filter((path) => !/^\/tmp(?:$|:)/.test(path)))
      expect(folder).toContain(`:uid=${uid},`);
  });

  test('keeps its logs within a limit', () => {
    expect(one.logging).toMatchObject({ options: { 'max-size': expect.any(String), 'max-file': expect.any(String) } });
  });
});

describe('networks', () => {
  const members = (network: string) =>
    services.filter(([, one]) => strings(one.networks).includes(network)).map(([name]) => name);

  test('let only nodes connect to the store and the database', () => {
    expect(members('nodes')).toEqual(['api', 'worker', 'database', 'store']);
  });

  test('let the proxy connect only to the API nodes', () => {
    expect(members('edge')).toEqual(['api', 'proxy']);
  });

  test('make no address a trusted proxy that is outside the network of the proxy', () => {
    const subnet = String(compose.networks?.edge?.ipam?.config?.[0]?.subnet);
    expect(subnet).toMatch(/^\$\{EDGE_SUBNET:-10(?:\.\d+){3}\/24\}$/);
    for (const node of ['api', 'worker']) expect(service(node).environment?.TRUSTED_PROXIES).toBe(subnet);
  });

  test('let the monitoring connect to all nodes', () => {
    expect(members('monitoring')).toEqual(['api', 'worker', ...monitoring.map(([name]) => name)]);
  });
});

describe('the store', () => {
  const options = new Map(
    strings(service('store').command)
      .filter((part) => part.startsWith('-'))
      .map((part) => part.slice(1).split('=', 2) as [string, string]),
  );
  const settings = service('api').environment as Tree;

  test('creates the bucket that the nodes use, and its health check looks for it', () => {
    const [, bucket] = /^s3:\/\/([^/]+)\//.exec(String(settings.STORAGE_URL)) ?? [];
    expect(options.get('bucket')).toBe(bucket);
    const check = strings(service('store').healthcheck?.test).join(' ');
    expect(check).toContain(`/buckets/${bucket}/`);
    expect(check).toContain(`${new URL(String(settings.AWS_ENDPOINT_URL_S3)).port}/healthz`);
  });

  test('has the name that the nodes connect to', () => {
    expect(new URL(String(settings.AWS_ENDPOINT_URL_S3)).hostname).toBe('store');
    expect(options.get('ip')).toBe('store');
  });

  test('requires a key, and reads it from a secret', () => {
    expect(options.get('s3.config')).toBe('/run/secrets/store_config');
    expect(strings(service('store').secrets)).toEqual(['store_config']);
  });

  test('reports nothing to its developers', () => {
    expect(options.get('master.telemetry')).toBe('false');
  });
});

describe('the monitoring', () => {
  const prometheus = parse(read('prometheus/prometheus.yml')) as Tree;
  const datasource = (parse(read('grafana/provisioning/datasources/prometheus.yaml')) as Tree).datasources?.[0] as Tree;
  const provider = (parse(read('grafana/provisioning/dashboards/millrace.yaml')) as Tree).providers?.[0] as Tree;

  test('is open only to this machine', () => {
    const ports = monitoring.flatMap(([, { ports: published }]) => strings(published));
    expect(ports).toHaveLength(3);
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:(\d+):\1$/);
  });

  test('sends alerts to the Alertmanager of the file', () => {
    expect(prometheus.alerting).toEqual({
      alertmanagers: [{ static_configs: [{ targets: [portOf('alertmanager')] }] }],
    });
    const { receivers, route } = parse(read('alertmanager/alertmanager.yml')) as Tree;
    expect(((receivers ?? []) as readonly Tree[]).map(({ name }) => name)).toContain(route?.receiver);
  });

  test('inhibits consequences only of alerts that exist', () => {
    const rules = read('prometheus/alerts.yml');
    const names = read('alertmanager/alertmanager.yml').match(/Millrace\w+/g) ?? [];
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(rules).toContain(`alert: ${name}\n`);
  });

  test('finds all rule files', () => {
    for (const file of strings(prometheus.rule_files))
      expect(existsSync(new URL(`prometheus/${file}`, deploy))).toBe(true);
  });

  test('lets Grafana read Prometheus and the dashboard', () => {
    expect(datasource).toMatchObject({ type: 'prometheus', url: `http://${portOf('prometheus')}`, isDefault: true });
    const mounted = strings(service('grafana').volumes).map((volume) => volume.split(':'));
    expect(mounted).toContainEqual(['./grafana/provisioning', '/etc/grafana/provisioning', 'ro']);
    expect(mounted).toContainEqual(['./grafana/millrace.json', `${provider.options?.path}/millrace.json`, 'ro']);
    const dashboard = JSON.parse(read('grafana/millrace.json')) as Tree;
    expect(dashboard.uid).toBe('millrace');
    expect(dashboard.templating?.list?.[0]).toMatchObject({ type: 'datasource', query: datasource.type });
  });

  test('reads the password of Grafana from a secret', () => {
    const environment = service('grafana').environment as Tree;
    const [secret = ''] = strings(service('grafana').secrets);
    expect(environment.GF_SECURITY_ADMIN_PASSWORD__FILE).toBe(`/run/secrets/${secret}`);
    expect(environment).not.toHaveProperty('GF_SECURITY_ADMIN_PASSWORD');
  });
});
const portOf = (name: string) => `${name}:${strings(service(name).ports)[0]?.split(':')[2]}`;

describe('make-secrets.sh', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'millrace-secrets-'));
    await copyFile(new URL('make-secrets.sh', deploy), join(folder, 'make-secrets.sh'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  const run = () => execFileSync('/bin/sh', [join(folder, 'make-secrets.sh')], { timeout: 120_000 });
  const secret = (name: string) => readFileSync(join(folder, 'secrets', name), 'utf8');

  test('gives the nodes and the store the same key', () => {
    run();
    const [identity] = (JSON.parse(secret('store_config')) as Tree).identities as unknown as readonly Tree[];
    const key = identity?.credentials?.[0];
    expect(secret('store_credentials')).toBe(
      `[default]\naws_access_key_id = ${key?.accessKey}\naws_secret_access_key = ${key?.secretKey}\n`,
    );
  });

  test('keeps secrets that exist', () => {
    const before = Object.keys(compose.secrets ?? {}).map(secret);
    run();
    expect(Object.keys(compose.secrets ?? {}).map(secret)).toEqual(before);
  });

  test('lets only its user open the folder of the secrets', () => {
    expect(statSync(join(folder, 'secrets')).mode & 0o777).toBe(0o700);
  });
});

/** Whether this machine has amtool, of Debian's package prometheus-alertmanager. */
const hasAmtool = spawnSync('amtool', ['--version']).error === undefined;

test.runIf(hasAmtool)('amtool accepts alertmanager.yml (skipped where it is not installed)', () => {
  const file = fileURLToPath(new URL('alertmanager/alertmanager.yml', deploy));
  const { status, stderr } = spawnSync('amtool', ['check-config', file], { encoding: 'utf8', timeout: 120_000 });
  expect(status, stderr).toBe(0);
});
