import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig, settings } from '../src/config.ts';

/** The content of a manifest. Only some members are checked, so its type is loose. */
type Tree = { readonly [name: string]: Tree } & readonly Tree[] & string;

const deploy = new URL('../deploy/', import.meta.url);
const textOf = (file: string) => readFileSync(new URL(file, deploy), 'utf8');
const compose = parse(textOf('compose.yaml'), { merge: true }) as Tree;
const dockerfile = textOf('Dockerfile');
const nginx = textOf('nginx.conf');

/** Returns the environment of a service in the compose file, with defaults in place of variables. */
function composeEnvironment(service: 'api' | 'worker'): Record<string, string> {
  const environment = Object.entries(compose.services?.[service]?.environment ?? {});
  return Object.fromEntries(
    environment.map(([name, value]) => [name, String(value).replace(/\$\{\w+:-([^}]*)\}/g, '$1')]),
  );
}

const dockerEnvironment = Object.fromEntries(
  [...dockerfile.matchAll(/^ENV (.*)$/gm)].flatMap(([, line = '']) =>
    line.split(' ').map((pair) => pair.split('=', 2) as [string, string]),
  ),
);

const environments: readonly [string, Record<string, string>][] = [
  ['compose: api', composeEnvironment('api')],
  ['compose: worker', composeEnvironment('worker')],
  ['the image', dockerEnvironment],
];

describe('every setting', () => {
  test.each(environments)('of %s exists and has a valid value', (_name, environment) => {
    const ofOthers = /^(?:AWS_|NODE_ENV$|PATH$)/;
    const names = Object.keys(environment).filter((name) => !ofOthers.test(name));
    expect(names.length).toBeGreaterThan(2);
    expect(names.map((name) => name.replace(/_FILE$/, '')).filter((name) => !(name in settings))).toEqual([]);
    const values = Object.entries(environment).filter(([name]) => !name.endsWith('_FILE'));
    expect(() => readConfig(Object.fromEntries(values))).not.toThrow();
  });
});

test('make-secrets.sh creates exactly the secrets that the compose file names', () => {
  const secretNames = [...textOf('make-secrets.sh').matchAll(/^make (\w+) /gm)].map(([, name]) => name);
  const files = Object.values(compose.secrets ?? {}).map((secret) => (secret as Tree).file);
  expect(files.map(String).toSorted()).toEqual(secretNames.map((name) => `secrets/${name}`).toSorted());
});

test('every image has a fixed tag', () => {
  const services = Object.values(compose.services ?? {}).map((service) => (service as Tree).image);
  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  for (const image of [...services, ...bases]) expect(image).toMatch(/:(?!latest)\S*\d/);
});

describe('ports', () => {
  test('for callers are the same in all files', () => {
    const { PORT: port } = dockerEnvironment;
    expect(dockerfile).toMatch(new RegExp(`^EXPOSE ${port}$`, 'm'));
    expect(nginx).toContain(`server api:${port} resolve`);
    const [, published] = /listen (\d+);/.exec(nginx) ?? [];
    expect(compose.services?.proxy?.ports).toEqual([`8080:${published}`]);
  });

  test('for metrics are the same in all files', () => {
    const { ADMIN_PORT: port, ADMIN_HOST: host } = composeEnvironment('api');
    expect(host).toBe('0.0.0.0');
    const [scrape] = (parse(textOf('prometheus/prometheus.yml')) as Tree).scrape_configs as unknown as Tree[];
    expect(scrape?.dns_sd_configs).toMatchObject([{ names: ['api', 'worker'], port: Number(port) }]);
  });
});

describe('nginx', () => {
  /** Returns the network that the map in the file assigns to an address. */
  function networkOf(address: string): string {
    const [, map = ''] = /map \$remote_addr \$client_network \{([^}]*)\}/.exec(nginx) ?? [];
    for (const [, pattern = '', value = ''] of map.matchAll(/"~(.+)" (\S+);/g)) {
      const { groups } = new RegExp(pattern).exec(address) ?? {};
      if (groups !== undefined) return value.replace('$groups', groups.groups ?? '');
    }
    return address;
  }

  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1'],
    ['2001:db8:1::6', '2001:db8:1'],
    ['2001:db8::1', '2001:db8:0'],
    ['2001:db8:0:1::1', '2001:db8:0'],
    ['2001::db8:0:0:1', '2001:0:0'],
    ['::1', '::1'],
  ])('limits the requests of the /48 network of %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
    expect(nginx).toMatch(/^limit_conn_zone \$client_network zone=networks:/m);
    expect(nginx).toMatch(/^ {2}limit_conn networks \d+;$/m);
  });

  test('repeats no request at another node after a byte of it was sent', () => {
    expect(nginx.match(/proxy_next_upstream.*;/g)).toEqual(['proxy_next_upstream off;']);
    expect(nginx).toMatch(/location @other_node \{\s+if \(\$upstream_bytes_sent != 0\) \{\s+return 502;/);
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
