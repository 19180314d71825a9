import ipaddr from 'ipaddr.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEgress } from '../../egress/create-egress.ts';
import { certificate, trustCertificate } from '../../egress/testing/certificate.ts';
import { type Visit, visitServers } from '../../testing/visit-servers.ts';
import { callReceiver } from './call-receiver.ts';

const egress = createEgress({ EGRESS_ALLOW: [ipaddr.parseCIDR('127.0.0.1/32')], EGRESS_CONNECT_TO: [] });
beforeAll(trustCertificate);
afterAll(() => egress.close());

/** Posts an event to the receiver until the outcome is final. Returns the outcome. */
async function post({ random, server }: Visit): Promise<string> {
  const event = JSON.stringify({ job_id: 'job', text: 'é'.repeat(Math.floor(random() ** 2 * 100_000)) });
  const call = { egress, owner: 'me', id: 'id', event, signal: AbortSignal.timeout(60_000) };
  let last = '';
  for (let attempts = 0; attempts < 6; attempts += 1) {
    const callsBefore = server.requests.length;
    const { verdict, status, error } = await callReceiver({ url: server.url, secret: 'a secret' }, call);
    const received = server.requests.slice(callsBefore);
    for (const { body } of received) if (body !== undefined) expect(body.toString()).toBe(event);
    if (status !== null) expect(received.map((request) => request.status)).toContain(status);
    expect(error === null).toBe(verdict === 'delivered');
    if (verdict === 'delivered') expect(received.some(({ accepted }) => accepted)).toBe(true);
    if (status === null) expect(error).toMatch(/127\.0\.0\.1/);
    last = verdict === 'failed' ? `failed ${status}` : verdict;
    if (verdict !== 'failed') break;
  }
  return last;
}

test('an event that counts as delivered was accepted by its receiver, whatever it does', async () => {
  const servers = 90;
  const outcomes = await visitServers(
    { servers, server: (random) => (random() < 0.2 ? { secure: certificate } : {}) },
    post,
  );
  expect(outcomes.delivered).toBeGreaterThan(servers / 9);
});
