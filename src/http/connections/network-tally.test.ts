import { expect, test } from 'vitest';
import type { ClientNetworks } from './client-network.ts';
import { createNetworkTally } from './network-tally.ts';

test('what a client can use depends on the fullest of its networks', () => {
  const tally = createNetworkTally(10);
  const [one, two, other]: ClientNetworks[] = [['1', 'middle', 'wide'], ['2', 'middle', 'wide'], ['3']];
  if (one === undefined || two === undefined || other === undefined) throw new Error('no clients');
  tally.add(one, 7);
  expect([one, two, other].map((client) => tally.spare(client))).toEqual([3, 10, 10]);
  expect([one, two].map((client) => tally.spare(client, 1 / 2))).toEqual([-2, 5]);
  tally.add(two, 30);
  expect([one, two].map((client) => tally.spare(client))).toEqual([3, -20]);
  tally.add(['4', 'middle', 'wide'], 5);
  expect(tally.spare(['5', 'middle', 'wide'])).toBe(-2);
});

test('a network that uses nothing is forgotten', () => {
  const tally = createNetworkTally(10);
  tally.add(['1', 'middle', 'wide'], 7);
  tally.add(['2', 'middle', 'wide'], 1);
  expect(tally.size).toBe(4);
  tally.add(['1', 'middle', 'wide'], -7);
  tally.add(['2', 'middle', 'wide'], -1);
  expect(tally.size).toBe(0);
});
