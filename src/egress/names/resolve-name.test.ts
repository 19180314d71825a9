import { type LookupAddress, setServers } from 'node:dns';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { createUrlCheck } from '../create-egress.ts';
import { createNameResolver, type Resolve, type ResolverOptions } from './resolve-name.ts';
import { type NameServer, openNameServer, type Question, type Reply } from './testing/name-server.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const each of open.splice(0)) await each.close();
});

// No lookup of this file may reach a name server of the machine.
setServers(['127.0.0.53:9']);

/** Limits that no test reaches, except those that set shorter ones. */
const patient: ResolverOptions = {
  hostsFile: '/dev/null',
  resolverFile: '/dev/null',
  responseTimeout: 60_000,
  lookupTimeout: 60_000,
  failureLifetime: 60_000,
  hasIpv6: () => false,
};

type Answer = (question: Question) => Reply | Promise<Reply>;

async function openResolver(answer: Answer, options: ResolverOptions = {}): Promise<{ resolve: Resolve } & NameServer> {
  const server = await openNameServer(answer, open);
  const resolve = createNameResolver({ ...patient, servers: [server.address], ...options });
  return { ...server, resolve };
}

/** Looks a name up. Returns its addresses, or the code of the error. */
async function lookUp(resolve: Resolve, name: string, order?: 'ipv4first'): Promise<readonly string[] | string> {
  const { promise, resolve: settle } = Promise.withResolvers<readonly string[] | string>();
  resolve(name, { all: true, order }, (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => {
    for (const { address, family } of addresses) expect(family).toBe(address.includes(':') ? 6 : 4);
    settle(error === null ? addresses.map(({ address }) => address) : (error.code ?? error.message));
  });
  return await promise;
}

/** An answer that arrives when `send` is called. */
function heldAnswers() {
  const held = Promise.withResolvers<void>();
  return { until: held.promise, send: held.resolve };
}

const both = ['192.0.2.1', '2001:db8::1', '192.0.2.2'];
const many = Array.from({ length: 200 }, (_, index) => `192.0.2.${index}`);

test.for<[string, Answer, readonly string[] | string]>([
  ['addresses of both families', () => both, ['192.0.2.1', '192.0.2.2', '2001:db8::1']],
  ['IPv4 addresses only', () => ['192.0.2.1'], ['192.0.2.1']],
  ['IPv6 addresses only', () => ['2001:db8::1'], ['2001:db8::1']],
  ['no address', () => [], 'ENOTFOUND'],
  ['no such name', () => 'notFound', 'ENOTFOUND'],
  ['a failure', () => 'failed', 'EAI_AGAIN'],
  ['a refusal', () => 'refused', 'EAI_AGAIN'],
  ['garbage', () => 'garbage', 'EAI_AGAIN'],
  ['garbage over TCP', ({ transport }) => (transport === 'udp' ? 'truncated' : 'garbage'), 'EAI_AGAIN'],
  ['silence', () => 'silence', 'EAI_AGAIN'],
  ['silence about IPv6', ({ type }) => (type === 'A' ? ['192.0.2.1'] : 'silence'), ['192.0.2.1']],
  ['silence about IPv4, no IPv6', ({ type }) => (type === 'A' ? 'silence' : []), 'EAI_AGAIN'],
  ['more addresses than UDP carries', ({ transport }) => (transport === 'udp' ? 'truncated' : many), many],
  [
    'more addresses than are checked',
    ({ transport }) => (transport === 'udp' ? 'truncated' : [...many, ...many]),
    'EAI_AGAIN',
  ],
])('%s', async ([what, answer, expected]) => {
  // On a busy machine, a response in time may need longer than the short limits.
  const limits = /silence|garbage/.test(what) ? { responseTimeout: 250, lookupTimeout: 2_000 } : {};
  const { resolve } = await openResolver(answer, limits);
  expect(await lookUp(resolve, 'media.example')).toEqual(expected);
});

test('a name with an invalid form does not exist', async () => {
  const { resolve, questions } = await openResolver(() => both);
  expect(await lookUp(resolve, `${'a'.repeat(64)}.example`)).toBe('ENOTFOUND');
  expect(questions).toEqual([]);
});

test('a lookup ends after its time limit, however long each response may take', async () => {
  const { resolve } = await openResolver(() => 'silence', { lookupTimeout: 50 });
  expect(await lookUp(resolve, 'media.example')).toBe('EAI_AGAIN');
});

test('IPv6 addresses are first only if this machine has a public one', async () => {
  let hasIpv6 = false;
  const { resolve } = await openResolver(() => both, { hasIpv6: () => hasIpv6 });
  const ipv4First = ['192.0.2.1', '192.0.2.2', '2001:db8::1'];
  expect(await lookUp(resolve, 'media.example')).toEqual(ipv4First);
  hasIpv6 = true;
  expect(await lookUp(resolve, 'media.example')).toEqual(['2001:db8::1', '192.0.2.1', '192.0.2.2']);
  expect(await lookUp(resolve, 'media.example', 'ipv4first')).toEqual(ipv4First);
});

test('names of a site whose name servers do not answer delay no other lookup', async () => {
  const held = heldAnswers();
  const allAsked = Promise.withResolvers<void>();
  const slow = new Set<string>();
  const { resolve, questions } = await openResolver(async ({ name }) => {
    if (!name.endsWith('evil.example')) return ['192.0.2.1'];
    slow.add(name);
    if (slow.size === 8) allAsked.resolve();
    await held.until;
    return ['192.0.2.2'];
  });
  const lookups = Array.from({ length: 40 }, (_, index) => lookUp(resolve, `n${index}.evil.example`));
  await allAsked.promise;
  expect(await lookUp(resolve, 'media.example')).toEqual(['192.0.2.1']);
  // Only eight lookups of the site are in progress; the others follow once those have ended.
  expect(slow.size).toBe(8);
  held.send();
  expect(await Promise.all(lookups)).toEqual(lookups.map(() => ['192.0.2.2']));
  expect(questions.filter(({ name }) => name === 'n39.evil.example')).toHaveLength(2);
});

test('lookups of the same name at the same time share one', async () => {
  const held = heldAnswers();
  const { resolve, questions } = await openResolver(async () => {
    await held.until;
    return ['192.0.2.1'];
  });
  const lookups = ['media.example', 'MEDIA.example', 'media.example'].map((name) => lookUp(resolve, name));
  held.send();
  expect(await Promise.all(lookups)).toEqual([['192.0.2.1'], ['192.0.2.1'], ['192.0.2.1']]);
  expect(questions).toHaveLength(2);
  // Addresses are not kept.
  await lookUp(resolve, 'media.example');
  expect(questions).toHaveLength(4);
});

test('a temporary failure is kept for a while, and then looked up again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  let reply: Reply = 'failed';
  const { resolve, questions } = await openResolver(() => reply, { failureLifetime: 2_000 });
  expect(await lookUp(resolve, 'media.example')).toBe('EAI_AGAIN');
  const asked = questions.length;
  reply = ['192.0.2.1'];
  expect(await lookUp(resolve, 'media.example')).toBe('EAI_AGAIN');
  expect(questions).toHaveLength(asked);
  vi.advanceTimersByTime(2_000);
  expect(await lookUp(resolve, 'media.example')).toEqual(['192.0.2.1']);
});

test('no name server is asked for names of the hosts file, nor for localhost', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'names-'));
  open.push({ close: () => rm(folder, { recursive: true }) });
  const hostsFile = join(folder, 'hosts');
  const { resolve, questions } = await openResolver(() => ['192.0.2.9'], { hostsFile });
  expect(await lookUp(resolve, 'store.example')).toEqual(['192.0.2.9']);
  const asked = questions.length;
  await writeFile(hostsFile, '192.0.2.1 store.example\n2001:db8::1 store.example\n');
  for (const name of ['store.example', 'Store.Example', 'store.example.']) {
    expect(await lookUp(resolve, name)).toEqual(['192.0.2.1', '2001:db8::1']);
  }
  for (const name of ['localhost', 'localhost.', 'a.localhost']) {
    expect(await lookUp(resolve, name)).toEqual(['127.0.0.1', '::1']);
  }
  expect(questions).toHaveLength(asked);
  await rm(hostsFile);
  expect(await lookUp(resolve, 'store.example')).toEqual(['192.0.2.9']);
});

test('short names are completed with the search domains', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'names-'));
  open.push({ close: () => rm(folder, { recursive: true }) });
  const resolverFile = join(folder, 'resolv.conf');
  await writeFile(resolverFile, 'search refused.example failed.example cluster.example\noptions ndots:2\n');
  const addresses: Record<string, readonly string[]> = {
    'store.cluster.example': ['192.0.2.1'],
    'media.example': ['192.0.2.2'],
  };
  const { resolve } = await openResolver(
    ({ name }) => {
      if (name.endsWith('refused.example')) return 'refused';
      return name.endsWith('failed.example') ? 'failed' : (addresses[name] ?? 'notFound');
    },
    { resolverFile },
  );
  expect(await lookUp(resolve, 'store')).toEqual(['192.0.2.1']);
  expect(await lookUp(resolve, 'media.example')).toEqual(['192.0.2.2']);
  expect(await lookUp(resolve, 'media.example.')).toEqual(['192.0.2.2']);
  expect(await lookUp(resolve, 'store.')).toBe('ENOTFOUND');
  // Whether the domains that refused have the name is not known.
  expect(await lookUp(resolve, 'other')).toBe('EAI_AGAIN');
});

test.for<[string, readonly string[]]>([
  ['a private address among public ones', ['8.8.8.8', '10.0.0.1']],
  ['a private address of the other family', ['8.8.8.8', 'fd00::1']],
  ['this machine', ['::ffff:127.0.0.1']],
])('the address guard refuses %s', async ([, addresses]) => {
  const { resolve } = await openResolver(() => addresses);
  const check = createUrlCheck({ EGRESS_ALLOW: [], EGRESS_CONNECT_TO: [] }, { resolve });
  const { signal } = new AbortController();
  await expect(check('https://media.example/', signal)).rejects.toMatchObject({ code: 'address_refused' });
});

test('a name of EGRESS_CONNECT_TO is not looked up', async () => {
  const { resolve, questions } = await openResolver(() => both);
  const redirection = { pattern: '*.example', origin: new URL('http://127.0.0.1:9') };
  const check = createUrlCheck({ EGRESS_ALLOW: [], EGRESS_CONNECT_TO: [redirection] }, { resolve });
  await check('https://media.example/', new AbortController().signal);
  expect(questions).toEqual([]);
});
