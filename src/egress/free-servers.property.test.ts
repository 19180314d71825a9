import ipaddr from 'ipaddr.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Version } from '../../lab/freedom/answer.ts';
import { type Fault, plainCharacter } from '../../lab/freedom/character.ts';
import { startFreeServer } from '../../lab/freedom/server.ts';
import { serviceCaller } from '../contract/caller.ts';
import { MillraceError } from '../contract/errors.ts';
import { type Visit, visitServers } from '../testing/visit-servers.ts';
import { createEgress } from './create-egress.ts';
import { fetchBody } from './fetch-body.ts';
import { certificate, trustCertificate } from './testing/certificate.ts';

const egress = createEgress({ EGRESS_ALLOW: [ipaddr.parseCIDR('127.0.0.1/32')], EGRESS_CONNECT_TO: [] });
beforeAll(trustCertificate);
afterAll(() => egress.close());

/** Chooses chunks without a space before their extensions, which undici refuses (undici 8.12.4). */
const plainRandom = () => 0.25;

/** The clients of the egress, by how they are selected. */
const clients = [{}, { allowBufferReuse: true }] as const;

const requestFor = (url: string) => ({
  url,
  caller: serviceCaller,
  signal: AbortSignal.timeout(60_000),
  headTimeout: 20_000,
  idleTimeout: 20_000,
});

/** Fetches a file several times, with either client. Returns the outcomes. */
async function fetchFrom({ random, server, isExact }: Visit): Promise<string> {
  const outcomes: string[] = [];
  for (let request = 0; request < 4; request += 1) {
    const client = random() < 0.5 ? clients[0] : clients[1];
    try {
      const { status, body } = await fetchBody(egress, { ...requestFor(server.url), ...client }, 1_000_000);
      if (status === 200 && !isExact(body) && !isEmptyFault(server, body)) throw new Error('wrong bytes');
      outcomes.push(status === 200 ? 'exact' : String(status));
    } catch (error) {
      if (!(error instanceof MillraceError)) throw error;
      outcomes.push(error.code);
    }
  }
  return outcomes.includes('exact') ? 'exact' : outcomes.join(' ');
}

/** Whether the server sent an empty body with status 200 in place of the file. */
function isEmptyFault({ character }: Visit['server'], body: Buffer): boolean {
  return body.length === 0 && character.faults.some((fault) => fault.kind === 'status' && fault.status === 200);
}

test('a body from any server is whole, or the exchange fails', async () => {
  const servers = 240;
  const outcomes = await visitServers(
    { servers, maxBytes: 300_000, server: (random) => (random() < 0.2 ? { secure: certificate } : {}) },
    fetchFrom,
  );
  expect(outcomes.exact).toBeGreaterThan(servers / 4);
});

test.each(clients)('an exchange fails if a response has a transfer coding besides chunks (%o)', async (client) => {
  const versions = ['whole', 'other'].map((text, at) => ({ bytes: Buffer.from(text), number: at + 1 }));
  const habits = { ...plainCharacter, framing: 'coded' } as const;
  const server = await startFreeServer(plainRandom, versions as [Version, Version], { habits });
  await expect(fetchBody(egress, { ...requestFor(server.url), ...client }, 1000)).rejects.toMatchObject({
    code: 'connection_error',
    message: expect.stringContaining('the transfer coding "gzip, chunked"'),
  });
  await server.close();
});

const endings = (['end', 'reset'] as const).flatMap((kind) =>
  (['length', 'chunks', 'close'] as const).flatMap((framing) => clients.map((client) => ({ kind, framing, client }))),
);

test.each(endings)(
  'an exchange fails if the connection has an "$kind" at any byte of a response ($framing)',
  async (ending) => {
    const { kind, framing, client } = ending;
    const file = Buffer.from('0123456789');
    const versions = [file, Buffer.from('other')].map((bytes, at) => ({ bytes, number: at + 1 })) as [Version, Version];
    const faults: Fault[] = [];
    const habits = { ...plainCharacter, framing, faults };
    const server = await startFreeServer(plainRandom, versions, { habits });
    const fetch = () => fetchBody(egress, { ...requestFor(server.url), ...client }, 1000);
    for (const part of ['head', 'body'] as const) {
      // No head is longer.
      const steps = part === 'head' ? 160 : 30;
      for (let step = 0; step < steps; step += 1) {
        faults[server.requests.length] = { kind, part, at: step / steps };
        await expect(fetch()).rejects.toBeInstanceOf(MillraceError);
      }
    }
    expect((await fetch()).body).toEqual(file);
    await server.close();
  },
);
