import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig, settings } from '../../src/config.ts';
import { canRun } from '../../test/support/can-run.ts';
import { renderKustomization, type Tree } from './render-kustomization.ts';

const kubernetes = new URL('../../deploy/kubernetes/', import.meta.url);
const variants = ['all-in-one', 'cluster'] as const;
type Variant = (typeof variants)[number];
const rendered = Object.fromEntries(
  variants.map((variant) => [variant, renderKustomization(new URL(`${variant}/`, kubernetes))]),
) as unknown as Record<Variant, readonly Tree[]>;
const dockerfile = readFileSync(new URL('../Dockerfile', kubernetes), 'utf8');

/** Whether this machine has kubectl, which contains kustomize. */
const hasKubectl = canRun(['kubectl', 'version', '--client']);

const items = (tree: Tree | undefined) => (tree ?? []) as readonly Tree[];
const named = (trees: Tree | undefined) => new Set(items(trees).map(({ name }) => String(name)));
const ofKind = (variant: Variant, ...kinds: string[]) =>
  rendered[variant].filter(({ kind }) => kinds.includes(String(kind)));
const workloads = variants.flatMap((variant) =>
  ofKind(variant, 'Deployment', 'StatefulSet').map(
    (workload) => [`${variant}: ${workload.metadata?.name}`, workload, variant] as const,
  ),
);
const podOf = (workload: Tree) => workload.spec?.template?.spec as Tree;
const containerOf = (workload: Tree) => items(podOf(workload).containers)[0] as Tree;
const labelsOf = (workload: Tree) => Object.entries(workload.spec?.template?.metadata?.labels ?? {});

/** Whether a selector matches the pods of a workload. An empty selector matches all of them. */
function selects(selector: Tree | undefined, workload: Tree): boolean {
  const labels = new Map(labelsOf(workload).map(([name, value]) => [name, String(value)]));
  return Object.entries(selector ?? {}).every(([name, value]) => labels.get(name) === String(value));
}

/** Returns the environment of a container: the example of the Secret, the ConfigMap, and its own variables. */
function environmentOf(workload: Tree, variant: Variant): Record<string, string> {
  const secret = parse(readFileSync(new URL(`${variant}/secret.example.yaml`, kubernetes), 'utf8')) as Tree;
  const [map] = ofKind(variant, 'ConfigMap');
  const own = items(containerOf(workload).env).map(({ name, value }) => [String(name), value] as const);
  const values = [...Object.entries(secret.stringData ?? {}), ...Object.entries(map?.data ?? {}), ...own];
  const environment = Object.fromEntries(values.map(([name, value]) => [name, String(value)]));
  // The secret in the example file is too short, so that it is not used by mistake.
  return 'SIGNING_SECRETS' in environment ? { ...environment, SIGNING_SECRETS: 'a-secret-of-sixteen' } : environment;
}

describe.runIf(hasKubectl)('kubectl kustomize (skipped where it is not installed)', () => {
  test.each(variants)('renders %s as the renderer of these tests does', (variant) => {
    const folder = fileURLToPath(new URL(variant, kubernetes));
    const output = execFileSync('kubectl', ['kustomize', folder], { encoding: 'utf8', timeout: 60_000 });
    // The hash of the settings, of ten characters.
    const text = output.replaceAll(/(name: millrace)-[a-z0-9]{10}$/gm, '$1');
    const byName = (one: Tree, other: Tree) => (keyOf(one) < keyOf(other) ? -1 : 1);
    const expected = parseAllDocuments(text).map((document) => document.toJS() as Tree);
    expect(rendered[variant].toSorted(byName)).toEqual(expected.toSorted(byName));
    expect(output).not.toBe(text);
  });
});
const keyOf = ({ kind, metadata }: Tree) => `${kind}/${metadata?.name}`;

test('the variants contain the expected objects', () => {
  const shared = ['ConfigMap', 'Ingress', 'NetworkPolicy', 'PodMonitor', 'Service'];
  const kinds = (variant: Variant) => [...new Set(rendered[variant].map(({ kind }) => String(kind)))].toSorted();
  expect(kinds('all-in-one')).toEqual([...shared, 'StatefulSet'].toSorted());
  const scaling = ['HorizontalPodAutoscaler', 'PodDisruptionBudget', 'ScaledObject', 'TriggerAuthentication'];
  expect(kinds('cluster')).toEqual([...shared, ...scaling, 'Deployment'].toSorted());
});

test.each(variants)('every object of %s has a namespace and its own name', (variant) => {
  const keys = rendered[variant].map(keyOf);
  expect(new Set(keys).size).toBe(keys.length);
  for (const { metadata } of rendered[variant]) expect(metadata?.namespace).toBe('millrace');
});

describe.each(workloads)('%s', (_name, workload, variant) => {
  const container = containerOf(workload);

  test('has only settings that exist, with valid values', () => {
    const environment = environmentOf(workload, variant);
    const names = Object.keys(environment).filter((name) => !name.startsWith('AWS_'));
    expect(names.filter((name) => !(name in settings))).toEqual([]);
    expect(() => readConfig(environment)).not.toThrow();
  });

  test('selects its own pods', () => {
    expect(selects(workload.spec?.selector?.matchLabels, workload)).toBe(true);
    for (const { labelSelector } of items(podOf(workload).topologySpreadConstraints)) {
      expect(selects(labelSelector?.matchLabels, workload)).toBe(true);
    }
  });

  test('mounts only volumes that exist, and uses each of them', () => {
    const claims = items(workload.spec?.volumeClaimTemplates).map(({ metadata }) => String(metadata?.name));
    expect(named(container.volumeMounts)).toEqual(new Set([...named(podOf(workload).volumes), ...claims]));
  });

  test('writes only to its volumes, without privileges', () => {
    expect(container.securityContext).toMatchObject({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    });
    const [, user] = /^USER (\d+)$/m.exec(dockerfile) ?? [];
    expect(podOf(workload).securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: Number(user) });
  });

  test('has the ports of the image and of the admin server', () => {
    const environment = environmentOf(workload, variant);
    const [, exposed] = /^EXPOSE (\d+)$/m.exec(dockerfile) ?? [];
    expect(container.ports).toEqual([
      { name: 'http', containerPort: Number(exposed) },
      { name: 'admin', containerPort: Number(environment.ADMIN_PORT) },
    ]);
    for (const probe of [container.startupProbe, container.readinessProbe, container.livenessProbe]) {
      expect(named(container.ports)).toContain(probe?.httpGet?.port);
    }
  });

  test('stops later than the service itself does', () => {
    const { DRAIN_TIMEOUT } = readConfig(environmentOf(workload, variant));
    expect(Number(podOf(workload).terminationGracePeriodSeconds)).toBeGreaterThan(DRAIN_TIMEOUT + 10);
  });

  test('has a pinned image and limits', () => {
    const version = (JSON.parse(readFileSync(new URL('../../package.json', kubernetes), 'utf8')) as Tree).version;
    expect(container.image).toMatch(new RegExp(`:${version}(?:@sha256:[0-9a-f]{64})?$`));
    expect(container.resources).toMatchObject({
      requests: { cpu: expect.any(String), memory: expect.any(String) },
      limits: { memory: expect.any(String) },
    });
  });
});

describe.each(variants)('in %s', (variant) => {
  const pods = ofKind(variant, 'Deployment', 'StatefulSet');
  const servesCallers = (workload: Tree) => !environmentOf(workload, variant).ROLES?.includes('worker');

  test('the Service selects the pods that serve callers, and the Ingress leads to it', () => {
    const [service] = ofKind(variant, 'Service');
    const selected = pods.filter((pod) => selects(service?.spec?.selector, pod));
    expect(selected).toEqual(pods.filter(servesCallers));
    expect(selected).toHaveLength(1);
    const [ingress] = ofKind(variant, 'Ingress');
    const { host, http } = items(ingress?.spec?.rules)[0] as Tree;
    const backend = items(http?.paths)[0]?.backend?.service;
    expect(backend).toEqual({ name: service?.metadata?.name, port: { name: items(service?.spec?.ports)[0]?.name } });
    const environment = environmentOf(selected[0] as Tree, variant);
    for (const name of ['BASE_URL', 'API_URL', 'RENDER_URL']) expect(environment[name]).toBe(`https://${host}`);
  });

  test('the PodMonitor selects all pods, and names their job as the alert rules do', () => {
    const [monitor] = ofKind(variant, 'PodMonitor');
    for (const pod of pods) {
      expect(selects(monitor?.spec?.selector?.matchLabels, pod)).toBe(true);
      const job = new Map(labelsOf(pod)).get(String(monitor?.spec?.jobLabel));
      const scraped = parse(readFileSync(new URL('../prometheus/prometheus.yml', kubernetes), 'utf8')) as Tree;
      expect(job).toBe(items(scraped.scrape_configs)[0]?.job_name);
      expect(named(containerOf(pod).ports)).toContain(items(monitor?.spec?.podMetricsEndpoints)[0]?.port);
    }
  });

  test('network policies select pods that exist, and name ports that exist', () => {
    for (const policy of ofKind(variant, 'NetworkPolicy')) {
      const selected = pods.filter((pod) => selects(policy.spec?.podSelector?.matchLabels, pod));
      expect(selected.length).toBeGreaterThan(0);
      const ports = items(policy.spec?.ingress).flatMap(({ ports: allowed }) => items(allowed).map(({ port }) => port));
      for (const pod of selected) for (const port of ports) expect(named(containerOf(pod).ports)).toContain(port);
    }
  });

  test('every pod is behind a policy in both directions, and callers reach only the Service', () => {
    for (const pod of pods) {
      const policies = ofKind(variant, 'NetworkPolicy').filter((policy) =>
        selects(policy.spec?.podSelector?.matchLabels, pod),
      );
      const types = policies.flatMap((policy) => items(policy.spec?.policyTypes).map(String));
      expect(types).toEqual(expect.arrayContaining(['Ingress', 'Egress']));
      const open = policies.flatMap((policy) => items(policy.spec?.ingress)).flatMap(({ ports }) => items(ports));
      expect(open.some(({ port }) => String(port) === 'http')).toBe(servesCallers(pod));
    }
  });
});

describe('egress to public addresses', () => {
  const [policy] = rendered.cluster.filter(({ metadata }) => String(metadata?.name) === 'millrace-out');
  const blocks = items(items(policy?.spec?.egress)[1]?.to).map(({ ipBlock }) => ipBlock as Tree);

  test.each(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', '168.63.129.16/32', '127.0.0.0/8'])(
    'excludes %s',
    (range) => {
      expect(items(blocks[0]?.except)).toContain(range);
    },
  );

  test('allows global unicast addresses only over IPv6', () => {
    expect(blocks[1]?.cidr).toBe('2000::/3');
  });
});

describe('scaling', () => {
  const scalers = ofKind('cluster', 'HorizontalPodAutoscaler', 'ScaledObject');
  const replicasOf = (name: string) =>
    ofKind('cluster', 'Deployment').find(({ metadata }) => String(metadata?.name) === name)?.spec;

  test('has one scaler for each Deployment, which states no replicas itself', () => {
    const targets = scalers.map(({ spec }) => String(spec?.scaleTargetRef?.name));
    expect(targets.toSorted()).toEqual(ofKind('cluster', 'Deployment').map(({ metadata }) => String(metadata?.name)));
    for (const target of targets) expect(replicasOf(target)).not.toHaveProperty('replicas');
  });

  test('counts as many jobs for each worker as a worker runs concurrently', () => {
    const worker = ofKind('cluster', 'Deployment')[1] as Tree;
    const scaler = scalers.find(({ kind }) => String(kind) === 'ScaledObject');
    const trigger = items(scaler?.spec?.triggers)[0];
    expect(trigger?.metadata?.targetQueryValue).toBe(environmentOf(worker, 'cluster').WORKER_CONCURRENCY);
  });

  test('leaves the disruption budgets a pod to evict', () => {
    for (const { spec } of ofKind('cluster', 'PodDisruptionBudget')) {
      const selected = ofKind('cluster', 'Deployment').filter((pod) => selects(spec?.selector?.matchLabels, pod));
      expect(selected).toHaveLength(1);
      const scaler = scalers.find(
        (one) => String(one.spec?.scaleTargetRef?.name) === String(selected[0]?.metadata?.name),
      );
      const atLeast = Number(scaler?.spec?.minReplicas ?? scaler?.spec?.minReplicaCount);
      expect(atLeast).toBeGreaterThan(Number(spec?.minAvailable ?? 0));
    }
  });
});

test('the Ingress states the limits of nginx.conf', () => {
  const nginx = readFileSync(new URL('../nginx.conf', kubernetes), 'utf8');
  const [ingress] = ofKind('cluster', 'Ingress');
  const annotations = Object.entries(ingress?.metadata?.annotations ?? {});
  const repeated = annotations.filter(([, value]) => /^\d/.test(String(value)));
  expect(repeated).toHaveLength(4);
  for (const [name, value] of repeated) {
    expect(nginx).toContain(`${name.replace('nginx.org/', '').replaceAll('-', '_')} ${value};`);
  }
});
