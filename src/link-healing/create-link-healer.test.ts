import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Account } from '../accounts/keys.ts';
import { MillraceError } from '../contract/errors.ts';
import { plans } from '../contract/subscription-plans.ts';
import { createLinkHealer } from './create-link-healer.ts';
import type { FindFreshLinks, FreshLinks, FreshLinksQuery } from './fresh-links.ts';
import { createInMemoryCounts } from './in-memory-counts.ts';
import type { HealRequest } from './link-healer.ts';

const account: Account = { id: 'extraction:owner', plan: plans.MEGA, test: false };

const request: HealRequest = {
  subject: 'p1-job',
  owner: account.id,
  input: 0,
  start: '2026-11-26T04:00:00.000Z',
  exit: 'direct',
  failedProfiles: [],
  item: { platform: 'p1', endpoint: '/video/details', parameters: { videoId: 'a' }, content: 0, profile: 'vision' },
  representations: [
    { repId: '137', kind: 'video' },
    { repId: '140', kind: 'audio' },
  ],
};

const link = (url: string) => ({ url, ext: 'mp4', headers: {} });
const bothLinks: FreshLinks = {
  profile: 'vision',
  links: [link('https://a.example/v?key=secret'), link('https://a.example/a')],
};
const oneLink: FreshLinks = { profile: 'android', links: [link('https://b.example/v'), undefined] };

const { signal } = new AbortController();

/** Creates a healer whose platform gives these results, one after the other, and the last one from then on. */
function healerOf(results: readonly (FreshLinks | Error)[], accounts: readonly Account[] = [account]) {
  const queries: FreshLinksQuery[] = [];
  const counted: string[] = [];
  const lines: string[] = [];
  const findFreshLinks: FindFreshLinks = async (query) => {
    const result = results[Math.min(queries.length, results.length - 1)];
    queries.push(query);
    if (result === undefined) throw new Error('the test has no result');
    if (result instanceof Error) throw result;
    return result;
  };
  const healer = createLinkHealer({
    findFreshLinks,
    counts: createInMemoryCounts(),
    keys: { findAccount: async (id) => accounts.find((each) => each.id === id) },
    metrics: { replacementRequested: (platform, result) => counted.push(`${platform} ${result}`) },
    log: pino({ level: 'info' }, { write: (line: string) => lines.push(line) }),
  });
  const heal = (changes: Partial<HealRequest> = {}) => healer.heal({ ...request, ...changes }, signal);
  return { healer, heal, queries, counted, lines };
}

describe('a link healer', () => {
  test('returns new links to all inputs from one request to the platform', async () => {
    const { heal, queries, counted } = healerOf([bothLinks]);
    expect(await heal()).toEqual(bothLinks);
    expect(queries).toMatchObject([{ exit: 'direct', item: request.item, failedProfiles: [] }]);
    expect(counted).toEqual(['p1 replaced']);
  });

  test('asks the former profile once if the one that responded lacks a representation', async () => {
    const { heal, queries, counted } = healerOf([oneLink, bothLinks]);
    expect(await heal({ failedProfiles: ['vision'] })).toEqual(bothLinks);
    expect(queries.map(({ onlyProfile }) => onlyProfile)).toEqual([undefined, 'vision']);
    expect(counted).toEqual(['p1 replaced']);
  });

  test('returns the links of the profile that has more of them', async () => {
    const none: FreshLinks = { profile: 'hls', links: [undefined, undefined] };
    const { heal, queries, counted } = healerOf([oneLink, none]);
    expect(await heal()).toEqual(oneLink);
    expect(queries).toHaveLength(2);
    expect(counted).toEqual(['p1 missing']);
  });

  test('keeps the links that it has if the former profile fails', async () => {
    const { heal } = healerOf([oneLink, new MillraceError('connection_error', 'The connection broke.')]);
    expect(await heal()).toEqual(oneLink);
  });

  test.each([
    ['a platform with one profile', { links: [undefined, undefined] }, undefined],
    ['the former profile', oneLink, 'android'],
  ])('does not ask again for %s', async (_what, links: FreshLinks, profile) => {
    const { heal, queries } = healerOf([links]);
    const { profile: _, ...item } = request.item;
    expect(await heal({ item: profile === undefined ? item : { ...item, profile } })).toEqual(links);
    expect(queries).toHaveLength(1);
  });

  test.each(['not_found', 'unavailable', 'signin_required', 'age_restricted', 'service_unavailable'] as const)(
    'throws the error %s of the platform unchanged',
    async (code) => {
      const refusal = new MillraceError(code, 'The owner made this video private.', { reason: 'Private video' });
      const { heal, counted } = healerOf([refusal]);
      await expect(heal()).rejects.toBe(refusal);
      expect(counted).toEqual([`p1 ${code}`]);
    },
  );

  test('writes neither URLs nor parameters to the log', async () => {
    const { heal, lines } = healerOf([bothLinks]);
    await heal({ item: { ...request.item, parameters: { videoId: 'private-video' } } });
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ job: 'p1-job', platform: 'p1', found: 2 }]);
    expect(lines.join()).not.toMatch(/example|secret|private-video/);
  });

  test('names the job and the request that started it in the log', async () => {
    const { heal, lines } = healerOf([bothLinks]);
    await heal({ start: '1', requestId: 'request-1' });
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ job: 'p1-job', requestId: 'request-1' }]);
  });
});

describe('the owner of a link', () => {
  test('can be a visitor of the page', async () => {
    const { heal } = healerOf([bothLinks]);
    expect(await heal({ owner: `${account.id}/visitor` })).toEqual(bothLinks);
  });

  test.each([
    ['has ended', [{ ...account, endReason: 'revoked' as const }]],
    ['does not exist', []],
  ])('gets no new links if its key %s', async (_what, accounts: Account[]) => {
    const { heal, queries, counted } = healerOf([bothLinks], accounts);
    expect(await heal()).toBeUndefined();
    expect(await heal({ owner: `${account.id}/visitor` })).toBeUndefined();
    expect([queries, counted]).toEqual([[], ['p1 owner_ended', 'p1 owner_ended']]);
  });
});

describe('a sealed URL', () => {
  const restart = (index: number) => ({ start: `start ${index}` });

  test('causes at most two replacements of an input in one start', async () => {
    const { heal, queries } = healerOf([bothLinks]);
    await heal();
    await heal();
    expect(await heal()).toBeUndefined();
    expect(queries).toHaveLength(2);
    expect(await heal({ input: 1 })).toEqual(bothLinks);
  });

  test('causes at most four extractions in a day, no matter how often it is started with dead links', async () => {
    const { heal, queries, counted } = healerOf([bothLinks]);
    for (let index = 0; index < 10; index += 1) await heal(restart(index));
    expect(queries).toHaveLength(4);
    expect(counted.slice(4)).toEqual(Array.from({ length: 6 }, () => 'p1 too_many'));
  });

  test('causes at most four extractions in a day if profiles lack its representations', async () => {
    const { heal, queries } = healerOf([oneLink]);
    for (let index = 0; index < 10; index += 1) await heal(restart(index));
    expect(queries).toHaveLength(4);
  });

  test('causes at most four extractions in a day if the platform fails or refuses', async () => {
    const { heal, queries } = healerOf([new MillraceError('not_found', 'There is no such video.')]);
    for (let index = 0; index < 10; index += 1) await heal(restart(index)).catch(() => undefined);
    expect(queries).toHaveLength(4);
  });

  test('causes at most four extractions in a day if inputs and failed profiles differ', async () => {
    const { heal, queries } = healerOf([bothLinks]);
    for (let index = 0; index < 10; index += 1) {
      const item = { ...request.item, profile: `profile ${index}`, content: index };
      await heal({ ...restart(index), input: index, item, failedProfiles: [`profile ${index}`] });
    }
    expect(queries).toHaveLength(4);
  });
});

describe('the time of a replacement', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Creates a healer whose platform never responds. */
  function silentHealer() {
    const signals: AbortSignal[] = [];
    const counted: string[] = [];
    const healer = createLinkHealer({
      findFreshLinks: (_query, aborted) => {
        signals.push(aborted);
        return new Promise<never>(() => undefined);
      },
      counts: createInMemoryCounts(),
      keys: { findAccount: async () => account },
      metrics: { replacementRequested: (_platform, result) => counted.push(result) },
      log: pino({ level: 'silent' }),
    });
    return { healer, signals, counted };
  }

  /** Creates a healer whose database fails for the first calls. */
  function healerAfterOutage(failures: number) {
    let left = failures;
    const failFirst = () => {
      left -= 1;
      if (left >= 0) throw new MillraceError('service_unavailable', 'The database is unreachable.');
    };
    const counts = createInMemoryCounts();
    return createLinkHealer({
      findFreshLinks: async () => bothLinks,
      counts: {
        take: async (counted) => {
          failFirst();
          return counts.take(counted);
        },
      },
      keys: {
        findAccount: async () => {
          failFirst();
          return account;
        },
      },
      metrics: { replacementRequested: () => undefined },
      log: pino({ level: 'silent' }),
      wait: async () => undefined,
    });
  }

  test('includes a short outage of the database', async () => {
    expect(await healerAfterOutage(4).heal(request, signal)).toEqual(bothLinks);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('ends in a long outage of the database before that of the platform would', async () => {
    const healing = healerAfterOutage(Number.POSITIVE_INFINITY).heal(request, signal);
    await expect(healing).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  test('is limited, and the request to the platform is then aborted', async () => {
    const { healer, signals, counted } = silentHealer();
    const healing = healer.heal(request, signal);
    healing.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(40_000);
    await expect(healing).rejects.toMatchObject({ code: 'operation_timeout' });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(counted).toEqual(['operation_timeout']);
  });

  test('ends with the reason of the caller, and leaves no timer', async () => {
    const { healer, signals, counted } = silentHealer();
    const caller = new AbortController();
    const healing = healer.heal(request, caller.signal);
    healing.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(10);
    const reason = new Error('the job was cancelled');
    caller.abort(reason);
    await expect(healing).rejects.toBe(reason);
    expect([signals.map(({ aborted }) => aborted), counted, vi.getTimerCount()]).toEqual([[true], ['cancelled'], 0]);
  });
});
