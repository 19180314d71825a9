import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { RecordedExchange } from './recorded-exchange.ts';
import { createUnreadResponses, type UnreadResponses } from './unread-responses.ts';

const start = Date.UTC(2026, 10, 26, 9);
beforeEach(() => {
  vi.useFakeTimers({ now: start, toFake: ['Date', 'setTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function exchange(body: unknown): RecordedExchange {
  return {
    source: { tool: 'millrace', date: '2026-11-26' },
    request: {
      method: 'GET',
      url: 'https://site.example/?sig=Secret01',
      headers: { cookie: ['a=Secret02'] },
      body: null,
    },
    response: { status: 200, headers: { 'set-cookie': ['a=Secret03; Path=/'] }, body },
  };
}

const unexpected = (error: unknown) => {
  throw error;
};

/** Keeps a response of p1, and waits until it is in the list. */
async function keep(responses: UnreadResponses, kind: string, ...bodies: readonly unknown[]): Promise<void> {
  const before = responses.list()[0]?.id;
  responses.keep({ platform: 'p1', endpoint: '/search', kinds: { [kind]: 1 } }, () => bodies.map(exchange));
  await expect.poll(() => responses.list()[0]?.id).not.toBe(before);
}

const kindsOf = (responses: UnreadResponses) => responses.list().flatMap(({ kinds }) => Object.keys(kinds));

describe('kept responses', () => {
  test('are listed with their origin, kinds and size, and returned without secrets', async () => {
    const responses = createUnreadResponses(5, unexpected);
    await keep(responses, 'newRenderer', { visitorData: 'CgtSecret04' }, '<input name="lsd" value="Secret05">');
    expect(responses.list()).toEqual([
      {
        id: '1',
        at: new Date(start).toISOString(),
        platform: 'p1',
        endpoint: '/search',
        kinds: { newRenderer: 1 },
        exchanges: 2,
        size: expect.any(Number),
      },
    ]);
    const exchanges = await responses.get('1');
    expect(JSON.stringify(exchanges)).not.toContain('Secret');
    expect(exchanges).toMatchObject([
      {
        source: { tool: 'millrace', date: '2026-11-26' },
        request: { method: 'GET', url: 'https://site.example/?sig=aaaaaaaa', body: null },
        response: { status: 200, body: { visitorData: 'aaaaaaaaaaa' } },
      },
      { response: { body: '<input name="lsd" value="aaaaaaaa">' } },
    ]);
    expect(await responses.get('2')).toBeUndefined();
  });

  test('are at most as many as the size, the newest ones', async () => {
    const responses = createUnreadResponses(2, unexpected);
    for (const kind of ['a', 'b', 'c']) {
      await keep(responses, kind, 'x');
      await vi.advanceTimersByTimeAsync(61_000);
    }
    expect(kindsOf(responses)).toEqual(['c', 'b']);
    expect(await responses.get('1')).toBeUndefined();
  });

  test('need at most a megabyte each, compressed, and keep their last exchanges', async () => {
    const responses = createUnreadResponses(3, unexpected);
    // Hexadecimal digits are compressed to half their size.
    const random = (bytes: number) => randomBytes(bytes / 2).toString('hex');
    await keep(responses, 'a', random(600_000));
    await keep(responses, 'b', ...Array.from({ length: 9 }, () => random(600_000)));
    await keep(responses, 'c', 'x'.repeat(1_400_000), 'x'.repeat(1_400_000));
    expect(responses.list()).toMatchObject([
      { kinds: { c: 1 }, exchanges: 2 },
      { kinds: { b: 1 }, exchanges: 3 },
      { kinds: { a: 1 }, exchanges: 1 },
    ]);
  });

  test('include a last exchange with a page of more than a megabyte as a whole', async () => {
    const responses = createUnreadResponses(1, unexpected);
    const page = '<p class="a">"quoted"\n</p>'.repeat(50_000);
    await keep(responses, 'a', page);
    expect((await responses.get('1'))?.[0]?.response.body).toBe(page);
  });

  test('include a last exchange that is too large even compressed, with a cut body', async () => {
    const responses = createUnreadResponses(1, unexpected);
    await keep(responses, 'a', 'first', randomBytes(1_400_000).toString('base64'));
    const last = (await responses.get('1'))?.at(-1);
    expect(String(last?.response.body).slice(750_000)).toBe('\n[Cut by Millrace: 1866668 bytes]');
  });

  test('are at most three at a time', async () => {
    const responses = createUnreadResponses(20, unexpected);
    const read = vi.fn(() => [exchange('x')]);
    for (let index = 0; index < 20; index += 1)
      responses.keep({ platform: 'p1', endpoint: `/${index}`, kinds: { a: 1 } }, read);
    await expect.poll(() => responses.list().length).toBe(3);
    await keep(responses, 'b', 'x');
    expect([responses.list().length, read.mock.calls.length]).toEqual([4, 3]);
  });

  test('are cut after 1.5 megabytes, with a mark and without half a secret', async () => {
    const responses = createUnreadResponses(2, unexpected);
    const text = `${'x'.repeat(1_499_980)}?sig=${'Secret'.repeat(2_000)}`;
    await keep(responses, 'a', text);
    const body = String((await responses.get('1'))?.[0]?.response.body);
    expect(body.slice(1_499_980)).toBe(`?sig=${'a'.repeat(15)}\n[Cut by Millrace: ${text.length} bytes]`);
  });

  test('are kept as text if their JSON is cut', async () => {
    const responses = createUnreadResponses(2, unexpected);
    await keep(responses, 'a', { text: 'é'.repeat(1_200_000) });
    const body = String((await responses.get('1'))?.[0]?.response.body);
    expect(body).toMatch(/^\{"text":"é+.?\n\[Cut by Millrace: 2400011 bytes\]$/);
  });

  test('are forgotten after 24 hours', async () => {
    const responses = createUnreadResponses(2, unexpected);
    await keep(responses, 'a', 'x');
    await vi.advanceTimersByTimeAsync(24 * 3_600_000 - 60_000);
    expect(await responses.get('1')).toBeDefined();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(responses.list()).toEqual([]);
    expect(await responses.get('1')).toBeUndefined();
  });

  test('include the same kinds of an endpoint once a minute, and at most as many kinds as the size', async () => {
    const responses = createUnreadResponses(2, unexpected);
    await keep(responses, 'a', 'x');
    const read = vi.fn(() => []);
    responses.keep({ platform: 'p1', endpoint: '/search', kinds: { a: 7 } }, read);
    await keep(responses, 'b', 'x');
    responses.keep({ platform: 'p1', endpoint: '/search', kinds: { c: 1 } }, read);
    expect(read).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(60_000);
    await keep(responses, 'a', 'x');
    expect(kindsOf(responses)).toEqual(['a', 'b']);
  });

  test('have the last 20 exchanges of an extraction', async () => {
    const responses = createUnreadResponses(2, unexpected);
    await keep(responses, 'a', ...Array.from({ length: 25 }, (_, index) => `body ${index}`));
    const exchanges = (await responses.get('1')) ?? [];
    expect([exchanges.length, exchanges[0]?.response.body]).toEqual([20, 'body 5']);
  });

  test('report why one was not kept', async () => {
    const onError = vi.fn();
    const responses = createUnreadResponses(2, onError);
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    responses.keep({ platform: 'p1', endpoint: '/search', kinds: {} }, () => [exchange(cyclic)]);
    await expect.poll(() => onError.mock.calls.length).toBe(1);
    expect(responses.list()).toEqual([]);
  });
});
