import Type from 'typebox';
import { describe, expect, test, vi } from 'vitest';
import { serviceCaller } from '../../contract/caller.ts';
import { MillraceError } from '../../contract/errors.ts';
import type { Exit, Exits } from '../../egress/exits.ts';
import { createLocalMediaHealth } from '../../media-health/local-media-health.ts';
import type { Endpoint, EndpointParameters, ExtractionContext } from '../../platforms/platform.ts';
import { SuspectedOutageError } from '../../platforms/suspected-outage.ts';
import { extract } from './extract.ts';
import { createSourcePolicy } from './source-policy.ts';

/** Returns the status of a site's response through an exit. */
type Site = () => number;

const brokenSite: Site = () => {
  throw new MillraceError('connection_error', 'The connection broke.', { retryable: false });
};

/** Creates exits to one site each: `direct`, and one in FR for each further site. Their requests are recorded. */
function exitsTo(direct: Site, ...french: Site[]) {
  const usedExits: string[] = [];
  const exitTo = (id: string, site: Site, country?: string): Exit => ({
    id,
    ...(country === undefined ? {} : { country }),
    async exchange(request, receive) {
      usedExits.push(id);
      const head = { status: site(), headers: {}, url: request.url };
      await receive(head)?.write(Buffer.from('an answer'));
      return head;
    },
    close: () => Promise.resolve(),
  });
  const straight = exitTo('direct', direct);
  const inFrance = french.map((site, index) => exitTo(`fr-${index + 1}`, site, 'FR'));
  const exits: Exits = {
    countries: ['FR'],
    forCountry: (country) => (country === undefined ? [straight] : country === 'FR' ? inFrance : []),
    byId: () => straight,
    forJobs: straight,
    checkUrl: async () => undefined,
    close: () => Promise.resolve(),
  };
  return { exits, usedExits };
}

const ok: Site = () => 200;

/** Creates a platform whose circuits open after two failures and whose extraction is `ask`. */
function platformOf(
  exits: Exits,
  ask: (context: ExtractionContext) => Promise<{ country?: string } | undefined>,
  strategies?: readonly string[],
) {
  const policy = createSourcePolicy({
    EGRESS_PACE: undefined,
    BREAKER: { failurePercentage: 100, requests: 2, pause: 60 },
  });
  const endpoint: Endpoint = {
    path: '/video/details',
    summary: 'A video',
    parameters: Type.Object({}),
    credits: 1,
    contents: false,
    ...(strategies === undefined ? {} : { strategies }),
    subjects: () => ({}),
    extract: async (_parameters, context) => ({ metadata: {}, ...(await ask(context)) }),
  };
  const pages = { token: () => null };
  const mediaHealth = createLocalMediaHealth({ mediaFetch: () => undefined });
  const access = { exits, policy, mediaHealth };
  const connected = new AbortController().signal;
  let requests = 0;
  return {
    policy,
    mediaHealth,
    run(parameters: EndpointParameters = {}) {
      requests += 1;
      const item = `${parameters.videoId ?? requests}`;
      const query = { platform: 'p9', endpoint, parameters, pages, isRequested: () => true, item, key: `${requests}` };
      return extract(query, serviceCaller, access, connected);
    },
    open: () => policy.breaker.states().flatMap(({ exit, state }) => (state === 'closed' ? [] : [exit])),
  };
}

const get = async ({ source }: Pick<ExtractionContext, 'source'>) => {
  const { status } = await source.get('https://site.example/');
  if (status !== 200) throw new MillraceError('non_2xx_response', `The site returned ${status}.`);
  return source.country === undefined ? {} : { country: source.country };
};

describe('the exit', () => {
  test('is in the requested country', async () => {
    const { exits, usedExits } = exitsTo(ok, ok);
    const { run } = platformOf(exits, get);
    expect(await run()).toMatchObject({ exit: 'direct' });
    expect(await run({ countryCode: 'FR' })).toMatchObject({ exit: 'fr-1', country: 'FR' });
    expect(usedExits).toEqual(['direct', 'fr-1']);
  });

  test('leaves no time limit behind if the country has no exit', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { run } = platformOf(exitsTo(ok).exits, async () => undefined);
      await expect(run({ countryCode: 'DE' })).rejects.toThrow();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test('is reported as missing if the country has no exit', async () => {
    const { run } = platformOf(exitsTo(ok, ok).exits, get);
    await expect(run({ countryCode: 'DE' })).rejects.toMatchObject({
      code: 'unsupported_proxy_for_geo_targeting',
      parameter: 'countryCode',
      detail: { availableCountries: ['FR'] },
    });
  });

  test('stays the same within an extraction, and is reported if the platform chose it', async () => {
    const { exits, usedExits } = exitsTo(ok, ok, ok);
    const { run } = platformOf(exits, async (context) => {
      expect(context.countries).toEqual(['FR']);
      await get(context);
      await get({ source: context.sourceIn('FR') });
      return await get({ source: context.sourceIn('FR') });
    });
    expect(await run()).toMatchObject({ exit: 'fr-1' });
    expect(usedExits).toEqual(['direct', 'fr-1', 'fr-1']);
  });

  test('is another one in the country while a circuit is open', async () => {
    const { exits, usedExits } = exitsTo(ok, brokenSite, ok);
    const { run, open } = platformOf(exits, get);
    for (let request = 0; request < 2; request += 1) {
      await expect(run({ countryCode: 'FR' })).rejects.toMatchObject({ code: 'connection_error' });
    }
    expect(open()).toEqual(['fr-1']);
    expect(await run({ countryCode: 'FR' })).toMatchObject({ exit: 'fr-2' });
    expect(usedExits).toEqual(['fr-1', 'fr-1', 'fr-2']);
  });
});

describe('the exit of an item whose media was refused', () => {
  const parameters = { countryCode: 'FR', videoId: 'a' };

  /** Creates a platform with two exits in FR, and reports that media of an item was refused through one of them. */
  function platformWithRefusals(strategies?: readonly string[]) {
    const { exits } = exitsTo(ok, ok, ok);
    const { run, mediaHealth } = platformOf(exits, get, strategies);
    return {
      run,
      refuse(exit: string, profile?: string) {
        const item = { platform: 'p9', endpoint: '/video/details', parameters, item: 'a', content: 0 };
        const origin = profile === undefined ? item : { ...item, profile };
        const fetch = { consumer: 'render', caller: serviceCaller, origin, exit, country: 'FR', bytes: 0 } as const;
        mediaHealth.report({ ...fetch, outcome: 'refused' });
        // Most media of other items arrives.
        const other = { ...origin, parameters: { videoId: 'c' }, item: 'c' };
        for (let time = 0; time < 2; time += 1) mediaHealth.report({ ...fetch, origin: other, outcome: 'arrived' });
      },
    };
  }

  test('is another one in the country', async () => {
    const { run, refuse } = platformWithRefusals();
    expect(await run(parameters)).toMatchObject({ exit: 'fr-1' });
    refuse('fr-1');
    expect(await run(parameters)).toMatchObject({ exit: 'fr-2' });
    expect(await run({ ...parameters, videoId: 'b' })).toMatchObject({ exit: 'fr-1' });
    refuse('fr-2');
    expect(await run(parameters)).toMatchObject({ exit: 'fr-1' });
  });

  test('stays the same while another client profile can be tried', async () => {
    const { run, refuse } = platformWithRefusals(['first', 'second']);
    refuse('fr-1', 'first');
    expect(await run(parameters)).toMatchObject({ exit: 'fr-1' });
    refuse('fr-1', 'second');
    expect(await run(parameters)).toMatchObject({ exit: 'fr-2' });
  });
});

describe('the circuit of an exit', () => {
  test('opens when extractions through it fail, and then blocks requests', async () => {
    const { exits, usedExits } = exitsTo(() => 429);
    const { run, open } = platformOf(exits, get);
    for (let request = 0; request < 2; request += 1) await expect(run()).rejects.toThrow('The site returned 429');
    expect(open()).toEqual(['direct']);
    await expect(run()).rejects.toMatchObject({ code: 'non_2xx_response', detail: { tryAgainAt: expect.any(String) } });
    expect(usedExits).toHaveLength(2);
  });

  test('is named in the error however the platform handles the refusal', async () => {
    const { run } = platformOf(exitsTo(() => 429).exits, async (context) => {
      await get(context).catch((cause: unknown) => {
        throw new MillraceError('non_2xx_response', 'Every way failed.', { cause });
      });
      return {};
    });
    for (let request = 0; request < 2; request += 1) await expect(run()).rejects.toThrow('Every way failed');
    await expect(run()).rejects.toThrow('p9 are failing');
  });

  test('stays closed for failures that callers can cause with the items that they choose', async () => {
    const { run, open } = platformOf(exitsTo(ok).exits, async (context) => {
      await get(context);
      throw new SuspectedOutageError('non_2xx_response', 'Perhaps it is down.');
    });
    for (let request = 0; request < 3; request += 1) await expect(run()).rejects.toThrow('Perhaps it is down');
    expect(open()).toEqual([]);
  });

  test.each(['not_found', 'unavailable', 'invalid_response_data', 'unexpected_error'] as const)(
    'stays closed when the source responds with %s',
    async (code) => {
      const { run, open } = platformOf(exitsTo(ok).exits, async (context) => {
        await get(context);
        throw new MillraceError(code, 'So it is.');
      });
      for (let request = 0; request < 3; request += 1) await expect(run()).rejects.toMatchObject({ code });
      expect(open()).toEqual([]);
    },
  );

  test('stays closed when a fallback succeeds', async () => {
    const { run, open } = platformOf(exitsTo(() => 500).exits, async ({ source }) => {
      await source.get('https://site.example/');
      return {};
    });
    for (let request = 0; request < 3; request += 1) await run();
    expect(open()).toEqual([]);
  });

  test('opens when its requests fail, although another exit returned the result', async () => {
    const { exits } = exitsTo(ok, brokenSite);
    const { run, open } = platformOf(exits, async (context) => {
      await get({ source: context.sourceIn('FR') }).catch(() => undefined);
      return await get(context);
    });
    for (let request = 0; request < 3; request += 1) expect(await run()).toMatchObject({ exit: 'direct' });
    expect(open()).toEqual(['fr-1']);
  });

  test('is not affected by an extraction without requests', async () => {
    const { run, policy } = platformOf(exitsTo(ok).exits, async () => {
      throw new MillraceError('operation_timeout', 'Nothing was asked.');
    });
    await expect(run()).rejects.toThrow('Nothing was asked');
    expect(policy.breaker.states()).toEqual([]);
  });
});

test('an invalid address is rejected by the exit', async () => {
  const { exits, usedExits } = exitsTo(() => {
    throw new MillraceError('invalid_url', 'The link is not a valid URL.');
  });
  const { run } = platformOf(exits, async ({ source }) => {
    await source.get('no address');
    return {};
  });
  await expect(run()).rejects.toMatchObject({ code: 'unexpected_redirect' });
  expect(usedExits).toEqual(['direct']);
});

test('retried requests are counted', async () => {
  let requests = 0;
  const { exits, usedExits } = exitsTo(() => (++requests === 1 ? 503 : 200));
  const { run, policy } = platformOf(exits, get);
  await run();
  expect(usedExits).toHaveLength(2);
  expect(Object.fromEntries(policy.retries)).toEqual({ p9: 1 });
});
