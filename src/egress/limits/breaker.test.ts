import { describe, expect, test } from 'vitest';
import type { Caller } from '../../contract/caller.ts';
import { MillraceError } from '../../contract/errors.ts';
import { type BreakerPermit, createBreaker } from './breaker.ts';
import { readBreakerRules } from './breaker-rules.ts';

const one: Caller = { account: 'one', key: 'one' };
const account = (name: string): Caller => ({ account: name, key: name });
const visitor = (name: string): Caller => ({ account: 'page', key: `page/${name}` });
const down = new MillraceError('non_2xx_response', 'The site returned 503.');

type Outcome = Parameters<BreakerPermit['end']>[0];

/**
 * A breaker that opens for ten seconds when half of four requests fail, and functions that send requests through it.
 */
function breakerAt() {
  const clock = { now: 1_000_000 };
  const breaker = createBreaker({ failurePercentage: 50, requests: 4, pause: 10 }, () => clock.now);
  let subjects = 0;
  const pass = (outcome: Outcome, subject = `${++subjects}`, exit = 'direct', caller = one) =>
    breaker.acquire('p1', exit, caller, subject).end(outcome);
  /** Sends requests for other items for a caller. */
  const passFor = (caller: Caller, ...outcomes: Outcome[]) => {
    for (const outcome of outcomes) pass(outcome, `${++subjects}`, 'direct', caller);
  };
  const open = () => passFor(one, down, down, down, down);
  const permits = (caller: Caller) => breaker.permits('p1', 'direct', caller);
  const state = () => breaker.states().find(({ exit }) => exit === 'direct');
  return { clock, breaker, pass, passFor, permits, open, state };
}

describe('a circuit', () => {
  test('opens at the configured percentage of failures and reports the reason and the end time', () => {
    const { breaker, pass, clock, state } = breakerAt();
    for (const outcome of ['answered', down, 'answered'] as const) pass(outcome);
    expect(breaker.permits('p1', 'direct', one)).toBe(true);
    pass(down);
    expect(breaker.permits('p1', 'direct', one)).toBe(false);
    expect(state()).toEqual({ platform: 'p1', exit: 'direct', state: 'open', since: new Date(clock.now) });
    const tryAgainAt = new Date(clock.now + 10_000).toISOString();
    expect(() => pass('answered')).toThrow(
      expect.objectContaining({
        code: 'non_2xx_response',
        retryable: true,
        message: expect.stringMatching(`until ${tryAgainAt}.*The site returned 503`),
        detail: { tryAgainAt },
      }),
    );
  });

  test('stays closed for few requests, few failures, and old failures', () => {
    const { breaker, pass, clock } = breakerAt();
    for (const outcome of [down, down, down] as const) pass(outcome);
    clock.now += 60_001;
    pass(down);
    for (let request = 0; request < 20; request += 1) pass(request % 4 === 3 ? down : 'answered');
    expect(breaker.permits('p1', 'direct', one)).toBe(true);
  });

  test('counts repetitions of a request once', () => {
    const { breaker, pass } = breakerAt();
    for (let request = 0; request < 50; request += 1) pass(down, 'the same');
    for (const subject of ['one', 'another', 'a third']) pass('answered', subject);
    expect(breaker.permits('p1', 'direct', one)).toBe(true);
  });

  test('ignores requests with an unknown outcome', () => {
    const { breaker, pass } = breakerAt();
    for (let request = 0; request < 50; request += 1) pass('unknown');
    expect(breaker.permits('p1', 'direct', one)).toBe(true);
  });

  test('is separate for each platform and exit', () => {
    const { breaker, open } = breakerAt();
    open();
    expect([breaker.permits('p1', 'fr-1', one), breaker.permits('p2', 'direct', one)]).toEqual([true, true]);
    expect(breaker.permits('p1', 'direct', one)).toBe(false);
  });

  test('permits one probe after the pause and closes when the probe succeeds', () => {
    const { breaker, open, pass, clock, state } = breakerAt();
    open();
    clock.now += 10_000;
    expect(state()).toMatchObject({ state: 'half_open', since: new Date(clock.now) });
    const probe = breaker.acquire('p1', 'direct', one, 'probe');
    expect(() => pass('answered')).toThrow('are paused until');
    probe.end('answered');
    expect(state()).toMatchObject({ state: 'closed', since: new Date(clock.now) });
    pass(down);
    expect(breaker.permits('p1', 'direct', one)).toBe(true);
  });

  test('doubles its pause when the probe fails, up to five minutes', () => {
    const { breaker, open, pass, clock, state } = breakerAt();
    open();
    for (const pause of [10, 20, 40, 80, 160, 300, 300]) {
      clock.now += pause * 1000 - 1;
      expect(breaker.permits('p1', 'direct', one)).toBe(false);
      clock.now += 1;
      pass(down);
      expect(state()).toMatchObject({ state: 'open' });
    }
  });

  test('permits another probe after one with an unknown outcome', () => {
    const { breaker, open, pass, clock } = breakerAt();
    open();
    clock.now += 10_000;
    pass('unknown');
    expect(breaker.permits('p1', 'direct', one)).toBe(true);
  });

  test('ignores requests that were running when it opened', () => {
    const { breaker, open, clock, state } = breakerAt();
    const late = breaker.acquire('p1', 'direct', one, 'late');
    open();
    clock.now += 5_000;
    late.end(down);
    expect(state()).toMatchObject({ state: 'open', since: new Date(clock.now - 5_000) });
  });

  test('stays closed when the breaker is off', () => {
    const breaker = createBreaker(readBreakerRules('off'));
    for (let request = 0; request < 50; request += 1) breaker.acquire('p1', 'direct', one, `${request}`).end(down);
    expect([breaker.permits('p1', 'direct', one), breaker.states()]).toEqual([true, []]);
  });
});

describe('the circuits of several callers', () => {
  test('open for the only caller of a service, and for no other one', () => {
    const { open, permits, state, passFor } = breakerAt();
    open();
    expect(state()).toMatchObject({ state: 'open' });
    expect([permits(one), permits(account('two')), permits(visitor('1'))]).toEqual([false, true, true]);
    passFor(account('two'), 'answered');
    expect(state()).toMatchObject({ state: 'closed' });
  });

  test('open for everyone if accounts fail together, each with few requests', () => {
    const { passFor, permits, state } = breakerAt();
    for (const name of ['a', 'b', 'c', 'd']) passFor(account(name), down);
    expect([permits(account('a')), permits(account('new')), permits(visitor('1'))]).toEqual([false, false, false]);
    expect(state()).toMatchObject({ state: 'open' });
  });

  test.each([
    ['one visitor', [visitor('1')]],
    ['many visitors', Array.from({ length: 9 }, (_, index) => visitor(`${index}`))],
    ['a key', [account('hostile')]],
  ])('stay closed for others if all requests of %s fail', (_name, hostile) => {
    const { clock, passFor, permits } = breakerAt();
    for (let round = 0; round < 400; round += 1) {
      for (const caller of hostile) if (permits(caller)) passFor(caller, down);
      for (const [index, name] of ['a', 'b'].entries()) {
        passFor(account(name), (round + index) % 5 === 4 ? down : 'answered');
      }
      clock.now += 700;
      expect(permits(account('new'))).toBe(true);
    }
  });

  test('stay closed for accounts if one of them fails by chance beside a visitor whose requests all fail', () => {
    const { passFor, permits } = breakerAt();
    for (let request = 0; request < 20 && permits(visitor('1')); request += 1) passFor(visitor('1'), down);
    passFor(account('a'), down);
    expect(permits(account('a'))).toBe(true);
  });

  test('open for the page if its visitors fail together', () => {
    const { passFor, permits, state } = breakerAt();
    for (const name of ['1', '2', '3', '4']) passFor(visitor(name), down);
    expect([permits(visitor('5')), permits(account('a'))]).toEqual([false, true]);
    expect(state()).toMatchObject({ state: 'open' });
  });

  test('count an item that fails for many callers once', () => {
    const { pass, permits } = breakerAt();
    for (let index = 0; index < 50; index += 1) pass(down, 'the same', 'direct', account(`${index}`));
    expect(permits(account('0'))).toBe(true);
  });

  test('let another caller probe after a failed probe, and the same one after twice the pause', () => {
    const { clock, passFor, permits } = breakerAt();
    for (const name of ['a', 'b', 'c', 'd']) passFor(account(name), down);
    clock.now += 10_000;
    passFor(account('a'), down);
    clock.now += 20_000;
    expect([permits(account('a')), permits(account('b'))]).toEqual([false, true]);
    clock.now += 20_000;
    expect(permits(account('a'))).toBe(true);
    passFor(account('b'), 'answered');
    expect(permits(account('a'))).toBe(true);
  });
});

test('readBreakerRules reads valid rules and rejects others', () => {
  expect(readBreakerRules('60/10/30')).toEqual({ failurePercentage: 60, requests: 10, pause: 30 });
  for (const text of ['60', '0/10/30', '101/10/30', '60/0/30', '60/201/30', '60/10/0', 'a/b/c', '60/10/30/1', 'on']) {
    expect(() => readBreakerRules(text)).toThrow(/^must be/);
  }
});
