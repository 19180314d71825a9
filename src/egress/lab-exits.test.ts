import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serviceCaller } from '../contract/caller.ts';
import { MillraceError } from '../contract/errors.ts';
import type { Exits } from './exits.ts';
import { fetchBody } from './fetch-body.ts';
import { openLabExits } from './lab-exits.ts';

const hosts: (string | undefined)[] = [];
const lab = createServer((request, response) => {
  hosts.push(request.headers.host);
  if (request.url === '/control') response.writeHead(302, { location: 'http://127.0.0.1/_lab/catalogue' }).end();
  else response.end('the lab');
});
let exits: Exits;

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    lab.listen(0, '127.0.0.1', resolve);
  });
  const origin = new URL(`http://127.0.0.1:${(lab.address() as AddressInfo).port}`);
  const blocked = new MillraceError('blocked', 'Blocked.');
  exits = openLabExits({ origin }, (host) => (host === 'blocked.example' ? blocked : undefined));
});
afterAll(async () => {
  await exits.close();
  lab.close();
});

const codeOf = (url: string) =>
  fetchBody(exits.forJobs, { url, caller: serviceCaller, signal: AbortSignal.timeout(60_000) }, 1_000).then(
    ({ body }) => body.toString(),
    (error: MillraceError) => error.code,
  );

test('lead to the lab for every host name, whatever the scheme and the exit', async () => {
  for (const url of ['http://www.youtube.com/', 'https://cdn.lab.example/file'])
    expect(await codeOf(url)).toBe('the lab');
  expect(hosts.splice(0)).toEqual(['www.youtube.com', 'cdn.lab.example']);
  expect(exits.countries).toEqual([]);
  expect(exits.byId('direct')).toBe(exits.forJobs);
  expect(exits.forCountry()).toEqual([exits.forJobs]);
});

test.each([
  'http://127.0.0.1:9000/_lab/requests',
  'http://localhost/_lab/catalogue',
  'http://localhost./_lab/catalogue',
  'http://[::1]/_lab/catalogue',
  'http://0x7f000001/_lab/catalogue',
  'http://[::ffff:127.0.0.1]/_lab/catalogue',
  'http://any.lab.example/control',
  'http://10.0.0.1/',
  'http://169.254.169.254/',
  'http://8.8.8.8/',
  'https://[2606:4700::1111]/',
])('refuse %s: neither control pages of the lab nor an address outside it', async (url) => {
  hosts.length = 0;
  expect(await codeOf(url)).toBe('address_refused');
  expect(hosts).toEqual(url.endsWith('/control') ? ['any.lab.example'] : []);
});

test('refuse hosts that the operator has blocked', async () => {
  expect(await codeOf('http://blocked.example/')).toBe('blocked');
});
