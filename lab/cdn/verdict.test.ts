import { describe, expect, test } from 'vitest';
import type { Faults } from './faults.ts';
import { judge, type MediaRequest } from './verdict.ts';

const address = 'https://cdn.lab.example/media/amber-2/sound.mp3?token=t';
const verdict = (faults: Faults, ask: Partial<MediaRequest> = {}) =>
  judge(faults, { url: new URL(address), range: undefined, number: 1, age: 0, ...ask });
const serve = { do: 'serve' };
const refuse = (status: number) => ({ do: 'refuse', status });

describe('judge', () => {
  test('serves a request without a matching fault', () => {
    expect(verdict({ throttle: 5, cut: 3, latency: 1 })).toEqual(serve);
  });

  test('gives hang precedence over every other fault', () => {
    expect(verdict({ hang: true, status: 503, redirect: 1 })).toEqual({ do: 'hang' });
  });

  test('returns the status always or for the first requests of a token', () => {
    expect(verdict({ status: 503 }, { number: 99 })).toEqual(refuse(503));
    expect(verdict({ status: 503, times: 2 }, { number: 2 })).toEqual(refuse(503));
    expect(verdict({ status: 503, times: 2 }, { number: 3 })).toEqual(serve);
    expect(verdict({ status: 503, retryAfter: 9 })).toEqual({ ...refuse(503), retryAfter: 9 });
  });

  test('applies denyFrom only to range requests that reach the given byte', () => {
    const faults = { denyFrom: 100, deny: 410 };
    expect(verdict(faults, { range: { first: 0, last: 99 } })).toEqual(serve);
    expect(verdict(faults, { range: { first: 0, last: 100 } })).toEqual(refuse(410));
    expect(verdict({ denyFrom: 100 }, { range: { first: 200, last: 300 } })).toEqual(refuse(403));
    expect(verdict(faults)).toEqual(serve);
  });

  test('applies denyAfter from the given age on', () => {
    expect(verdict({ denyAfter: 50, deny: 404 }, { age: 49 })).toEqual(serve);
    expect(verdict({ denyAfter: 50, deny: 404 }, { age: 50 })).toEqual(refuse(404));
  });

  test('counts redirects down on the same host', () => {
    const first = verdict({ redirect: 2 });
    expect(first).toEqual({ do: 'redirect', status: 302, location: '/media/amber-2/sound.mp3?token=t&redirect=1' });
    expect(verdict({ redirect: 1, redirectStatus: 307 })).toEqual({
      do: 'redirect',
      status: 307,
      location: '/media/amber-2/sound.mp3?token=t',
    });
  });

  test('removes redirectHost from a redirect to that host', () => {
    const url = new URL(`${address}&redirectHost=cdn2.lab.example`);
    expect(verdict({ redirectHost: 'cdn2.lab.example' }, { url })).toEqual({
      do: 'redirect',
      status: 302,
      location: 'https://cdn2.lab.example/media/amber-2/sound.mp3?token=t',
    });
  });

  test('keeps the link of a redirect loop unchanged', () => {
    const url = new URL(`${address}&redirectLoop=1`);
    const verdictOf = verdict({ redirectLoop: true, redirectStatus: 301 }, { url });
    expect(verdictOf).toEqual({ do: 'redirect', status: 301, location: `${url.pathname}${url.search}` });
  });

  test('points the last redirect to redirectTo', () => {
    const faults = { redirectTo: 'http://169.254.169.254/latest' };
    expect(verdict(faults)).toMatchObject({ location: 'http://169.254.169.254/latest' });
    expect(verdict({ ...faults, redirect: 2 })).toMatchObject({ location: expect.stringContaining('redirect=1') });
  });
});
