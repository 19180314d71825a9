import { expect, test } from 'vitest';
import type { ExtractionResponse } from '#client/index.ts';
import { liveStateOf } from './live-state.ts';

const stateOf = (additionalData: object) =>
  liveStateOf({ error: null, metadata: { additionalData } } as ExtractionResponse);

test('only streams that are live or upcoming have a state', () => {
  expect(stateOf({ isLive: true, isUpcoming: false })).toEqual({ state: 'live' });
  expect(stateOf({ isLive: false, isUpcoming: false })).toBeUndefined();
  expect(stateOf({ isLive: 'true' })).toBeUndefined();
  expect(stateOf({})).toBeUndefined();
});

test('an upcoming stream has the time at which it starts, if the platform states it', () => {
  expect(stateOf({ isUpcoming: true, live: { scheduledAt: '2026-11-27T12:00:00.000Z' } })).toEqual({
    state: 'upcoming',
    startsAt: new Date('2026-11-27T12:00:00.000Z'),
  });
  expect(stateOf({ isUpcoming: true, live: { scheduledAt: 'soon' } })).toEqual({
    state: 'upcoming',
    startsAt: undefined,
  });
});
