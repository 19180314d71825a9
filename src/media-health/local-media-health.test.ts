import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { MediaFetch } from '../contract/media-fetch.ts';
import { createLocalMediaHealth } from './local-media-health.ts';
import type { MediaHealthMetrics } from './metrics-port.ts';
import { keyOf, mediaFetch } from './testing/media-fetches.ts';

const start = Date.UTC(2026, 10, 26, 14, 5);
const MINUTE = 60_000;
const MIB = 1024 * 1024;
beforeEach(() => {
  vi.useFakeTimers({ now: start });
});
afterEach(() => {
  vi.useRealTimers();
});

const here = { platform: 'p1', exit: 'fr-1', country: 'FR' };
const elsewhere = { platform: 'p1', exit: 'us-1', country: 'US' };
const profiles = ['first', 'second', 'third'];

function open() {
  const metrics = { mediaFetch: vi.fn<MediaHealthMetrics['mediaFetch']>() };
  const health = createLocalMediaHealth(metrics);
  return {
    health,
    metrics,
    report: (...fetches: readonly MediaFetch[]) => {
      for (const fetch of fetches) health.report(fetch);
    },
    orderOf: (item: string, place = here) => health.order(place, keyOf(item), profiles),
  };
}

/** Fetches of different items with the same outcome. */
const ofItems = (count: number, outcome: 'arrived' | 'refused' | 'cut', more: Parameters<typeof mediaFetch>[1] = {}) =>
  Array.from({ length: count }, (_, index) => mediaFetch(outcome, { item: `${outcome} ${index}`, ...more }));

describe('the order of profiles', () => {
  test('is the preferred one if nothing was fetched', () => {
    expect(open().orderOf('a')).toEqual(profiles);
  });

  test.each(['refused', 'cut'] as const)('places a profile last for an item whose media it %s', (outcome) => {
    const { report, orderOf } = open();
    report(...ofItems(2, 'arrived'), mediaFetch(outcome, { item: 'a' }));
    expect(orderOf('a')).toEqual(['second', 'third', 'first']);
    expect(orderOf('b')).toEqual(profiles);
    expect(orderOf('a', elsewhere)).toEqual(profiles);
  });

  test.each(['expired', 'died', 'failed'] as const)('does not depend on fetches that %s', (outcome) => {
    const { report, orderOf } = open();
    for (const item of ['a', 'b', 'c']) report(mediaFetch(outcome, { item }));
    expect(orderOf('a')).toEqual(profiles);
  });

  test('has the oldest refusal first if all profiles were refused', () => {
    const { report, orderOf } = open();
    for (const profile of ['third', 'first', 'second']) {
      report(mediaFetch('refused', { profile }));
      vi.advanceTimersByTime(1_000);
    }
    expect(orderOf('a')).toEqual(['third', 'first', 'second']);
  });

  test('is the preferred one again an hour after a refusal of the item', () => {
    const { report, orderOf } = open();
    report(mediaFetch('refused'));
    vi.advanceTimersByTime(60 * MINUTE - 1);
    expect(orderOf('a')).toEqual(['second', 'third', 'first']);
    vi.advanceTimersByTime(1);
    expect(orderOf('a')).toEqual(profiles);
  });

  test('is the preferred one again when media of the item has arrived', () => {
    const { report, orderOf } = open();
    report(mediaFetch('refused'), mediaFetch('arrived', { bytes: 1 }));
    expect(orderOf('a')).toEqual(profiles);
  });

  test('is not changed by the start of a file that is cut later', () => {
    const { report, orderOf } = open();
    report(mediaFetch('cut', { bytes: MIB }), mediaFetch('refused'), mediaFetch('arrived', { bytes: MIB }));
    expect(orderOf('a')).toEqual(['second', 'third', 'first']);
    report(mediaFetch('arrived', { bytes: 2 * MIB }));
    expect(orderOf('a')).toEqual(profiles);
  });

  test('places a profile last for all items of the exit if its media is often refused', () => {
    const { report, orderOf } = open();
    report(...ofItems(4, 'refused'));
    expect(orderOf('another')).toEqual(['second', 'third', 'first']);
    expect(orderOf('another', elsewhere)).toEqual(profiles);
  });

  test('is not changed for other items by a few refusals, even if nothing has arrived yet', () => {
    const { report, orderOf } = open();
    report(...ofItems(3, 'refused'));
    expect(orderOf('another')).toEqual(profiles);
  });

  test('is not changed for other items by repeated refusals of one item', () => {
    const { report, orderOf } = open();
    report(...ofItems(2, 'arrived'));
    for (let repetition = 0; repetition < 100; repetition += 1) report(mediaFetch('refused', { item: 'a' }));
    expect(orderOf('another')).toEqual(profiles);
    expect(orderOf('a')).toEqual(['second', 'third', 'first']);
  });

  test('places a profile last if only small fetches arrive and all larger ones are cut', () => {
    const { report, orderOf } = open();
    report(...ofItems(50, 'arrived', { bytes: MIB }), ...ofItems(4, 'cut'));
    expect(orderOf('another')).toEqual(['second', 'third', 'first']);
  });

  test('contains every profile once, whatever was reported', () => {
    const { report, orderOf } = open();
    for (const profile of profiles) report(...ofItems(3, 'refused', {}), mediaFetch('cut', { profile, item: 'x' }));
    expect(orderOf('x').toSorted()).toEqual(profiles.toSorted());
  });
});

describe('a trial of a profile whose media is often refused', () => {
  const trial = profiles;
  const avoided = ['second', 'third', 'first'];

  function refused() {
    const { health, report, orderOf } = open();
    report(...ofItems(4, 'refused'));
    /** The orders of the next two extractions, of which only the first can be a trial. */
    const nextOrders = () => [orderOf('one'), orderOf('another')];
    return { health, report, orderOf, nextOrders };
  }

  test('is a single extraction after a minute, and then after twice the time', () => {
    const { nextOrders } = refused();
    expect(nextOrders()).toEqual([avoided, avoided]);
    for (const minutes of [1, 2, 4, 8, 15, 15]) {
      vi.advanceTimersByTime(minutes * MINUTE - 1);
      expect(nextOrders(), `before ${minutes} minutes`).toEqual([avoided, avoided]);
      vi.advanceTimersByTime(1);
      expect(nextOrders(), `after ${minutes} minutes`).toEqual([trial, avoided]);
    }
  });

  test('is followed by another one at once if media arrives, until the profile is the preferred one again', () => {
    const { report, nextOrders } = refused();
    vi.advanceTimersByTime(MINUTE);
    expect(nextOrders()).toEqual([trial, avoided]);
    for (let arrivals = 1; arrivals <= 5; arrivals += 1) {
      report(...ofItems(1, 'arrived'));
      expect(nextOrders(), `after ${arrivals} arrivals`).toEqual([trial, avoided]);
    }
    report(...ofItems(1, 'arrived'));
    expect(nextOrders()).toEqual([trial, trial]);
  });

  test('uses the profile for no item whose own media was refused', () => {
    const { orderOf } = refused();
    vi.advanceTimersByTime(MINUTE);
    expect(orderOf('refused 1')).toEqual(avoided);
    expect(orderOf('another')).toEqual(trial);
  });

  test('waits for its turn if another profile is tried at the same time', () => {
    const { report, nextOrders } = refused();
    report(...ofItems(4, 'refused', { profile: 'second' }));
    vi.advanceTimersByTime(MINUTE);
    expect(nextOrders()).toEqual([profiles, ['second', 'third', 'first']]);
  });

  test('can be started by the choice of an exit', () => {
    const { health } = refused();
    const isAvoided = () => health.isAvoided(here, keyOf('a'), 'first');
    expect(isAvoided()).toBe(true);
    vi.advanceTimersByTime(MINUTE);
    expect(isAvoided()).toBe(false);
    health.used(here, 'first');
    expect(isAvoided()).toBe(true);
  });
});

describe('refusedAt', () => {
  test('is the time of the last refusal of the item, or of any item if media is often refused', () => {
    const { health, report } = open();
    const refusedAt = (item: string) => health.refusedAt(here, keyOf(item), 'first');
    expect(refusedAt('a')).toBeUndefined();
    report(mediaFetch('refused', { item: 'a' }));
    vi.advanceTimersByTime(1_000);
    report(mediaFetch('refused', { item: 'a' }));
    expect([refusedAt('a'), refusedAt('b')]).toEqual([start + 1_000, undefined]);
    vi.advanceTimersByTime(1_000);
    report(...ofItems(3, 'refused'));
    expect([refusedAt('a'), refusedAt('b')]).toEqual([start + 2_000, start + 2_000]);
    expect(health.refusedAt(here, keyOf('a'), 'second')).toBeUndefined();
  });

  test('does not change in a trial', () => {
    const { health, report } = open();
    report(...ofItems(4, 'refused'));
    vi.advanceTimersByTime(MINUTE);
    expect(health.isAvoided(here, keyOf('a'), 'first')).toBe(false);
    expect(health.refusedAt(here, keyOf('a'), 'first')).toBe(start);
  });
});

describe('the state', () => {
  test('contains the counts, the last refusal, and since when media is often refused', () => {
    const { health, report } = open();
    report(...ofItems(4, 'arrived'));
    vi.advanceTimersByTime(20 * MINUTE);
    report(...ofItems(4, 'cut'), mediaFetch('expired'), mediaFetch('failed'));
    report(mediaFetch('arrived', { profile: 'second', exit: 'us-1' }));
    const none = { arrived: 0, arrivedLong: 0, refused: 0, cut: 0, expired: 0, failed: 0 };
    const recent = { ...none, cut: 4, expired: 1, failed: 1 };
    expect(health.states('p1')).toEqual([
      {
        ...here,
        profile: 'first',
        recent,
        day: { ...recent, arrived: 4, arrivedLong: 4 },
        refusals: { kind: 'cut', rate: 1, since: start + 20 * MINUTE, country: 'FR' },
        lastRefusal: { at: start + 20 * MINUTE, outcome: 'cut', status: 403, bytes: MIB },
      },
      expect.objectContaining({ profile: 'second', exit: 'us-1', recent: { ...none, arrived: 1, arrivedLong: 1 } }),
    ]);
    expect(health.states('p4')).toEqual([]);
    vi.advanceTimersByTime(24 * 60 * MINUTE);
    expect(health.states('p1')).toEqual([]);
  });

  test('is that of the default profile if the platform has no others', () => {
    const { health } = open();
    const { origin, ...fetch } = mediaFetch('refused');
    const { profile: _profile, ...withoutProfile } = origin;
    health.report({ ...fetch, origin: withoutProfile });
    expect(health.states('p1')).toMatchObject([{ profile: 'default' }]);
  });

  test('is kept for at most 200 profiles and exits, and 500 items of each', () => {
    const { health, report, orderOf } = open();
    for (let number = 0; number < 300; number += 1) report(mediaFetch('refused', { exit: `xx-${number}` }));
    expect(health.states('p1')).toHaveLength(200);
    for (let number = 0; number < 600; number += 1) {
      report(mediaFetch('refused', { item: `${number}` }), ...ofItems(2, 'arrived'));
    }
    expect([orderOf('0'), orderOf('599')]).toEqual([profiles, ['second', 'third', 'first']]);
  });
});

describe('the refusals of one caller', () => {
  const ofAccount = (name: string) => ({ caller: { account: name, key: name } });
  const ofVisitor = (name: string) => ({ caller: { account: 'page', key: `page/${name}` } });
  const avoided = ['second', 'third', 'first'];
  /** Refusals of other items than those of `ofItems`. */
  const refusals = (count: number, from: string, more: Pick<MediaFetch, 'caller'>) =>
    Array.from({ length: count }, (_, number) => mediaFetch('refused', { item: `${from} ${number}`, ...more }));

  test.each([
    ['a key', [ofAccount('hostile')]],
    ['a visitor', [ofVisitor('1')]],
    ['many visitors', ['1', '2', '3', '4', '5'].map(ofVisitor)],
  ])('%s are not enough beside another active account', (_name, hostile) => {
    const { report, orderOf } = open();
    report(mediaFetch('arrived', ofAccount('other')));
    for (const [index, each] of hostile.entries()) report(...refusals(100, `${index}`, each));
    expect(orderOf('another')).toEqual(profiles);
    expect(orderOf('0 1')).toEqual(avoided);
  });

  test('are enough with those of another account', () => {
    const { report, orderOf } = open();
    report(...ofItems(1, 'arrived', ofAccount('one')), ...ofItems(1, 'arrived', ofAccount('two')));
    for (let round = 0; round < 4; round += 1) {
      report(...refusals(1, `one ${round}`, ofAccount('one')), ...refusals(1, `two ${round}`, ofAccount('two')));
    }
    expect(orderOf('another')).toEqual(avoided);
  });

  test('are enough if nobody else is active, such as for a private service', () => {
    const { report, orderOf } = open();
    report(mediaFetch('arrived', ofAccount('other')));
    vi.advanceTimersByTime(10 * MINUTE);
    report(...refusals(6, 'a', ofAccount('only')));
    expect(orderOf('another')).toEqual(avoided);
  });

  test('are enough with four times as many items if others use other profiles', () => {
    const { report, orderOf } = open();
    report(mediaFetch('arrived', { profile: 'second', ...ofAccount('other') }));
    report(...refusals(15, 'a', ofAccount('only')));
    expect(orderOf('another')).toEqual(profiles);
    report(...refusals(1, 'b', ofAccount('only')));
    expect(orderOf('another')).toEqual(avoided);
  });
});

test('counts each fetch in the metrics, and repeated refusals of an item separately', () => {
  const { report, metrics } = open();
  const fetch = mediaFetch('refused');
  report(fetch, fetch, mediaFetch('arrived'), fetch);
  const outcomes = metrics.mediaFetch.mock.calls.map(([, outcome]) => outcome);
  expect(outcomes).toEqual(['refused', 'repeated', 'arrived', 'refused']);
});
