import { expect, test } from 'vitest';
import { serviceCaller } from '../../contract/caller.ts';
import type { Exit, Exits } from '../../egress/exits.ts';
import { onFirstRequest } from './on-first-request.ts';

test('the callback runs once, after the first request to any exit', async () => {
  const events: string[] = [];
  const exitCalled = (id: string): Exit => ({
    id,
    async exchange({ url }) {
      events.push(`${id} ${url}`);
      return { status: 200, headers: {}, url };
    },
    close: async () => undefined,
  });
  const exits: Exits = {
    countries: [],
    forCountry: () => [exitCalled('direct')],
    byId: exitCalled,
    forJobs: exitCalled('jobs'),
    checkUrl: async () => undefined,
    close: async () => undefined,
  };
  const watchedExits = onFirstRequest(exits, () => events.push('first'));
  for (const exit of [...watchedExits.forCountry(), watchedExits.byId('fr-1'), watchedExits.forJobs]) {
    await exit.exchange(
      { url: 'https://a.example', caller: serviceCaller, signal: AbortSignal.timeout(60_000) },
      () => undefined,
    );
  }
  expect(events).toEqual(['direct https://a.example', 'first', 'fr-1 https://a.example', 'jobs https://a.example']);
});
