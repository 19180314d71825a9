import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig, settings } from '../src/config.ts';
import { errorCatalogue } from '../src/contract/errors.ts';

/** The content of a manifest. Only some members are checked, so its type is loose. */
type Tree = { readonly [name: string]: Tree } & readonly Tree[] & string;

const deploy = new URL('../deploy/', import.meta.url);
const textOf = (file: string) => readFileSync(new URL(file, deploy), 'utf8');
const compose = parse(textOf('compose.yaml'), { merge: true }) as Tree;
const dockerfile = textOf('Dockerfile');
const nginx = textOf('nginx.conf');
const objects = ['millrace.yaml', 'secret.example.yaml'].flatMap((file) =>
  parseAllDocuments(textOf(`kubernetes/${file}`)).map((document) => document.toJS() as Tree),
);
const object = (kind: string, name: string): Tree => {
  const match = objects.find((one) => one.kind === kind && one.metadata?.name === name);
  if (match === undefined) throw new Error(`there is no ${kind} ${name}`);
  return match;
};
const podOf = (name: string) => object('Deployment', name).spec?.template?.spec as Tree;
const rules = (parse(textOf('prometheus/alerts.yml')) as Tree).groups?.[0]?.rules as unknown as readonly {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly runbook_url: string };
}[];

/** Returns the environment of a service in the compose file, with defaults in place of variables. */
function composeEnvironment(service: 'api' | 'worker'): Record<string, string> {
  const environment = Object.entries(compose.services?.[service]?.environment ?? {});
  return Object.fromEntries(
    environment.map(([name, value]) => [name, String(value).replace(/\$\{\w+:-([^}]*)\}/g, '$1')]),
  );
}

/** Returns the environment of a pod: shared settings, secrets, and the pod's own settings. */
function podEnvironment(name: string): Record<string, string> {
  const own = (podOf(name).containers?.[0]?.env as unknown as { name: string; value: string }[]) ?? [];
  const shared = [object('ConfigMap', 'millrace').data, object('Secret', 'millrace').stringData];
  const environment: Record<string, string> = Object.fromEntries([
    ...shared.flatMap((values) => Object.entries(values ?? {})),
    ...own.map((one) => [one.name, one.value]),
  ]);
  // The secrets in the example file are too short, so that they are not used by mistake.
  return { ...environment, SIGNING_SECRETS: 'a-secret-of-sixteen' };
}

const dockerEnvironment = Object.fromEntries(
  [...dockerfile.matchAll(/^ENV (.*)$/gm)].flatMap(([, line = '']) =>
    line.split(' ').map((pair) => pair.split('=', 2) as [string, string]),
  ),
);

const environments: readonly [string, Record<string, string>][] = [
  ['compose: api', composeEnvironment('api')],
  ['compose: worker', composeEnvironment('worker')],
  ['kubernetes: api', podEnvironment('millrace-api')],
  ['kubernetes: worker', podEnvironment('millrace-worker')],
  ['the image', dockerEnvironment],
];

describe('every setting', () => {
  test.each(environments)('of %s exists and has a valid value', (_name, environment) => {
    const ofOthers = /^(?:AWS_|NODE_ENV$|PATH$)/;
    const names = Object.keys(environment).filter((name) => !ofOthers.test(name));
    expect(names.length).toBeGreaterThan(2);
    expect(names.map((name) => name.replace(/_FILE$/, '')).filter((name) => !(name in settings))).toEqual([]);
    const values = Object.entries(environment).filter(([name]) => !name.endsWith('_FILE'));
    expect(() => readConfig(Object.fromEntries(values), '/nonexistent/.env')).not.toThrow();
  });
});

test('make-secrets.sh creates exactly the secrets that the compose file names', () => {
  const secretNames = [...textOf('make-secrets.sh').matchAll(/^make (\w+) /gm)].map(([, name]) => name);
  const files = Object.values(compose.secrets ?? {}).map((secret) => (secret as Tree).file);
  expect(files.map(String).toSorted()).toEqual(secretNames.map((name) => `secrets/${name}`).toSorted());
});

test('every image has a fixed tag', () => {
  const pods = [podOf('millrace-api'), podOf('millrace-worker')].map((pod) => pod.containers?.[0]?.image);
  const services = Object.values(compose.services ?? {}).map((service) => (service as Tree).image);
  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  for (const image of [...pods, ...services, ...bases]) expect(image).toMatch(/:(?!latest)\S*\d/);
});

describe('ports', () => {
  test('for callers are the same in all files', () => {
    const { PORT: port } = dockerEnvironment;
    expect(dockerfile).toMatch(new RegExp(`^EXPOSE ${port}$`, 'm'));
    expect(nginx).toContain(`server api:${port} resolve`);
    for (const name of ['millrace-api', 'millrace-worker']) {
      expect(podOf(name).containers?.[0]?.ports).toContainEqual({ name: 'http', containerPort: Number(port) });
    }
    expect(object('Service', 'millrace').spec?.ports?.[0]?.targetPort).toBe('http');
    const [, published] = /listen (\d+);/.exec(nginx) ?? [];
    expect(compose.services?.proxy?.ports).toEqual([`8080:${published}`]);
  });

  test('for metrics are the same in all files', () => {
    const { ADMIN_PORT: port, ADMIN_HOST: host } = composeEnvironment('api');
    expect(host).toBe('0.0.0.0');
    const [scrape] = (parse(textOf('prometheus/prometheus.yml')) as Tree).scrape_configs as unknown as Tree[];
    expect(scrape?.dns_sd_configs).toMatchObject([{ names: ['api', 'worker'], port: Number(port) }]);
    expect(object('ConfigMap', 'millrace').data).toMatchObject({ ADMIN_HOST: host, ADMIN_PORT: port });
    for (const name of ['millrace-api', 'millrace-worker']) {
      expect(podOf(name).containers?.[0]?.ports).toContainEqual({ name: 'admin', containerPort: Number(port) });
      const template = object('Deployment', name).spec?.template;
      expect(template?.metadata?.annotations).toMatchObject({ 'prometheus.io/port': port });
    }
  });
});

test('the scaler counts as many jobs for each worker as a worker runs concurrently', () => {
  const { WORKER_CONCURRENCY } = podEnvironment('millrace-worker');
  const trigger = object('ScaledObject', 'millrace-worker').spec?.triggers?.[0];
  expect(trigger?.metadata?.targetQueryValue).toBe(WORKER_CONCURRENCY);
});

describe('alerts', () => {
  test('each link to their own section of docs/how-to/respond-to-alerts.md', () => {
    const headings = [
      ...readFileSync(new URL('../docs/how-to/respond-to-alerts.md', deploy), 'utf8').matchAll(/^### (Millrace\w+)$/gm),
    ];
    expect(headings.map(([, heading]) => heading)).toEqual(rules.map(({ alert }) => alert));
    for (const { alert, annotations } of rules) {
      expect(annotations.runbook_url).toMatch(new RegExp(`docs/how-to/respond-to-alerts\\.md#${alert.toLowerCase()}$`));
    }
  });

  test('name only existing error codes', () => {
    const knownCodes = ['ok', 'lost', 'handed_back', ...Object.keys(errorCatalogue)];
    const named = rules.flatMap(({ expr }) => [...expr.matchAll(/code[=!]~"([^"]*)"/g)].map(([, codes = '']) => codes));
    expect(named.length).toBeGreaterThan(3);
    for (const codes of named) expect(codes.split('|').filter((code) => !knownCodes.includes(code))).toEqual([]);
  });

  test('count the same codes as source failures as /status does', () => {
    const failures = Object.entries(errorCatalogue)
      .filter(([, { origin, retryable }]) => origin === 'source' && retryable)
      .map(([code]) => code);
    expect(rules.find(({ alert }) => alert === 'MillraceSourceFails')?.expr).toContain(`code=~"${failures.join('|')}"`);
  });
});

test('no file in the image imports a file that the image leaves out', () => {
  const root = new URL('../', import.meta.url);
  const ignored = new Set(globSync(['{src,packages}/**/*.test.ts', '{src,packages}/**/testing/**'], { cwd: root }));
  const copiedFiles = globSync('{src,packages/*/src}/**/*.ts', { cwd: root }).filter((file) => !ignored.has(file));
  const usesTests = copiedFiles.filter((file) =>
    /from '[^']*testing\//.test(readFileSync(new URL(file, root), 'utf8')),
  );
  expect(usesTests).toEqual([]);
});

test('.dockerignore allows everything that the image copies', () => {
  const lines = readFileSync(new URL('../.dockerignore', deploy), 'utf8').split('\n');
  const allowed = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, sources = '']) =>
    sources.split(' '),
  );
  expect(copied).toContain('src');
  const isAllowed = (source: string) => allowed.some((path) => source === path || source.startsWith(`${path}/`));
  expect(copied.filter((source) => !isAllowed(source))).toEqual([]);
});
