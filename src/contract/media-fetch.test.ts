import { expect, test } from 'vitest';
import { refusalOutcome } from './media-fetch.ts';

const MIB = 1024 * 1024;
const now = 10_000_000;

test.each([
  [403, 0, {}, 'refused'],
  [410, 0, { expiresAt: now + 1 }, 'refused'],
  [403, 0, { expiresAt: now }, 'expired'],
  [403, 50 * MIB, { expiresAt: now }, 'expired'],
  [403, 0, { issuedAt: now - 3_599_999 }, 'refused'],
  [403, 0, { issuedAt: now - 3_600_000 }, 'expired'],
  [403, 0, { issuedAt: 0, expiresAt: now + 1 }, 'refused'],
  [403, 1, undefined, 'cut'],
  [404, 2 * MIB, {}, 'cut'],
  [403, 2 * MIB + 1, {}, 'died'],
  // One minute of 8 Mbit/s.
  [401, 60_000_000, { bitrate: 8_000_000 }, 'cut'],
  [401, 80_000_000, { bitrate: 8_000_000 }, 'died'],
  [500, 1, {}, 'failed'],
  [undefined, 1, {}, 'failed'],
] as const)(
  'status %s after %i bytes of a link with %j is the outcome %s',
  (status, bytes, representation, outcome) => {
    expect(refusalOutcome(status, { bytes, representation }, now)).toBe(outcome);
  },
);
