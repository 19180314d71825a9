import { expect, test } from 'vitest';
import { describeWait } from './service-wait.ts';

const NOW = 1_000_000_000;

test.each([
  ['busy', 7, 'busy'],
  ['busy', 599, 'busy'],
  ['busy', 30_000, 'day'],
  ['offline', 5, 'offline'],
] as const)('a wait because the service or the device is %s for %d s is shown as %s', (reason, seconds, shown) => {
  const until = NOW + seconds * 1_000;
  expect(describeWait({ reason, until, error: new Error('No.') }, NOW)).toEqual({ until, reason: shown });
});
