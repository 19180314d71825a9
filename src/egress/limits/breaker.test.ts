import { describe, expect, test } from 'vitest';
import { MillraceError } from '../../contract/errors.ts';
import { createBreaker } from './breaker.ts';
import { readBreakerRules } from './breaker-rules.ts';

const down = new MillraceError('non_2xx_response', 'The site returned 503.');

/**
 * A breaker that opens for ten seconds when half of four requests fail, and functions that send requests through it.
 */
function breakerAt() {
  const clock = { now: 1_000_000 };
  const breaker = createBreaker({ failurePercentage: 50, requests: 4, pause: 10 }, () => clock.now);
  let subjects = 0;
  const pass = (outcome: MillraceError | 'answered' | 'unknown', subject = `${++subjects}`, exit = 'direct') =>
    breaker.acquire('p1', exit, subject).end(outcome);
  const open = () => {
    for (let request = 0; request < 4; request += 1) pass(down);
  };
  const state = () => breaker.states().find(({ exit }) => exit === 'direct');
  return { clock, breaker, pass, open, state };
}

describe('a circuit', () => {
  test('opens at the configured percentage of failures and reports the reason and the end time', () => {
    const { breaker, pass, clock, state } = breakerAt();
    for (const outcome of ['answered', down, 'answered'] as const) pass(outcome);
    expect(breaker.permits('p1', 'direct')).toBe(true);
    pass(down);
    expect(breaker.permits('p1', 'direct')).toBe(false);
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
    expect(breaker.permits('p1', 'direct')).toBe(true);
  });

  test('counts repetitions of a request once', () => {
    const { breaker, pass } = breakerAt();
    for (let request = 0; request < 50; request += 1) pass(down, 'the same');
    for (const subject of ['one', 'another', 'a third']) pass('answered', subject);
    expect(breaker.permits('p1', 'direct')).toBe(true);
  });

  test('ignores requests with an unknown outcome', () => {
    const { breaker, pass } = breakerAt();
    for (let request = 0; request < 50; request += 1) pass('unknown');
    expect(breaker.permits('p1', 'direct')).toBe(true);
  });

  test('is separate for each platform and exit', () => {
    const { breaker, open } = breakerAt();
    open();
    expect([breaker.permits('p1', 'fr-1'), breaker.permits('p2', 'direct')]).toEqual([true, true]);
    expect(breaker.permits('p1', 'direct')).toBe(false);
  });

  test('permits one probe after the pause and closes when the probe succeeds', () => {
    const { breaker, open, pass, clock, state } = breakerAt();
    open();
    clock.now += 10_000;
    expect(state()).toMatchObject({ state: 'half_open', since: new Date(clock.now) });
    const probe = breaker.acquire('p1', 'direct', 'probe');
    expect(() => pass('answered')).toThrow('are paused until');
    probe.end('answered');
    expect(state()).toMatchObject({ state: 'closed', since: new Date(clock.now) });
    pass(down);
    expect(breaker.permits('p1', 'direct')).toBe(true);
  });

  test('doubles its pause when the probe fails, up to five minutes', () => {
    const { breaker, open, pass, clock, state } = breakerAt();
    open();
    for (const pause of [10, 20, 40, 80, 160, 300, 300]) {
      clock.now += pause * 1000 - 1;
      expect(breaker.permits('p1', 'direct')).toBe(false);
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
    expect(breaker.permits('p1', 'direct')).toBe(true);
  });

  test('ignores requests that were running when it opened', () => {
    const { breaker, open, clock, state } = breakerAt();
    const late = breaker.acquire('p1', 'direct', 'late');
    open();
    clock.now += 5_000;
    late.end(down);
    expect(state()).toMatchObject({ state: 'open', since: new Date(clock.now - 5_000) });
  });

  test('stays closed when the breaker is off', () => {
    const breaker = createBreaker(readBreakerRules('off'));
    for (let request = 0; request < 50; request += 1) breaker.acquire('p1', 'direct', `${request}`).end(down);
    expect([breaker.permits('p1', 'direct'), breaker.states()]).toEqual([true, []]);
  });
});

test('readBreakerRules reads valid rules and rejects others', () => {
  expect(readBreakerRules('60/10/30')).toEqual({ failurePercentage: 60, requests: 10, pause: 30 });
  for (const text of ['60', '0/10/30', '101/10/30', '60/0/30', '60/201/30', '60/10/0', 'a/b/c', '60/10/30/1', 'on']) {
    expect(() => readBreakerRules(text)).toThrow(/^must be/);
  }
});
