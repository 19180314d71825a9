import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Result } from '../support/envelope.ts';
import { freePort } from '../support/free-port.ts';
import { extract, fetchJson } from '../support/http-client.ts';
import { currentStatus } from '../support/platform-status.ts';
import { keys, type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';
import { renderItem } from '../support/render-item.ts';

interface Figures {
  readonly requests: number;
  readonly successes: number;
  readonly refusals: Readonly<Record<string, number>>;
  readonly failures: Readonly<Record<string, number>>;
  readonly faults: Readonly<Record<string, number>>;
  readonly failureRate: number;
  readonly latency: { readonly p50: number; readonly p90: number; readonly p99: number } | null;
}

interface Traffic {
  readonly last15Minutes: Figures;
  readonly last24Hours: Figures;
}

interface Status {
  readonly at: string;
  readonly since: string;
  readonly platforms: readonly (Traffic & {
    readonly id: string;
    readonly note?: string;
    readonly state: string;
    readonly endpoints: readonly (Traffic & { readonly path: string; readonly state: string })[];
  })[];
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: RunningProcess;
let admin: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  const adminPort = String(await freePort());
  admin = `http://127.0.0.1:${adminPort}`;
  service = await startService(inject('labUrl'), folder.path, { ADMIN_PORT: adminPort });
});
afterAll(async () => {
  await service.kill();
  await folder.delete();
});

const p5 = async (videoId: string) =>
  (await extract<Result>(`${service.url}/p5/v3/video/details?videoId=${videoId}`)).body;

/**
 * Requests a video of p5 until its response comes from the cache, and returns the number of those that did not. A result
 * is not cached if it lacks an optional part, for which a busy service has too little time.
 */
async function requestUntilCached(videoId: string): Promise<number> {
  let uncached = 0;
  const isCached = async () => {
    const { headers, body } = await extract<Result>(`${service.url}/p5/v3/video/details?videoId=${videoId}`);
    expect(body.error).toBeNull();
    if (headers.has('age')) return true;
    uncached += 1;
    return false;
  };
  await expect.poll(isCached).toBe(true);
  return uncached;
}

const platform = async (id: string) => {
  const { platforms } = await currentStatus<Status>(service.url);
  const platform = platforms.find((one) => one.id === id);
  if (platform === undefined) throw new Error(`/status says nothing of ${id}`);
  return platform;
};

/** Returns the value of a metric with exactly these labels. */
async function metric(name: string, labels: Readonly<Record<string, string>> = {}): Promise<number | undefined> {
  const text = await (await fetch(`${admin}/metrics`)).text();
  const inside = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const start = `${name}${inside.length === 0 ? '' : `{${inside.join(',')}}`} `;
  const line = text.split('\n').find((one) => one.startsWith(start));
  return line === undefined ? undefined : Number(line.slice(start.length));
}

describe('GET /status', () => {
  test('needs no key, is readable by pages of other sites, and lists every endpoint', async () => {
    const { status, headers, body } = await fetchJson<Status>(`${service.url}/status`, {
      headers: { origin: 'https://page.example' },
    });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(Date.parse(body.since)).toBeLessThanOrEqual(Date.parse(body.at));
    const { body: documented } = await fetchJson<{ paths: Record<string, unknown> }>(`${service.url}/openapi`);
    expect(documented.paths).toHaveProperty('/status');
    const data = Object.keys(documented.paths).filter((path) => /^\/p\d+\/v3\//.test(path));
    const ids = [...new Set(data.map((path) => path.split('/')[1]))];
    expect(ids).toEqual(expect.arrayContaining(['p1', 'p2', 'p3', 'p4', 'p5', 'p6']));
    expect(body.platforms.map(({ id }) => id)).toEqual(ids);
    const paths = body.platforms.flatMap(({ endpoints }) => endpoints.map(({ path }) => path));
    expect(paths.toSorted()).toEqual(data.toSorted());
  });

  test('counts the responses of platforms by code, with percentiles, and leaves out cached ones', async () => {
    const successes = (await requestUntilCached('xhealth1')) + 1;
    expect((await p5('xhealth2')).error).toBeNull();
    expect((await p5('xnotfound2')).error?.code).toBe('not_found');
    expect((await p5('xlabprivate')).error?.code).toBe('unavailable');
    expect((await p5('xlabmeta503')).error?.code).toBe('non_2xx_response');
    expect((await p5('not-an-id')).error?.code).toBe('invalid_params');
    const { last15Minutes, last24Hours, endpoints, note } = await platform('p5');
    expect(last15Minutes).toEqual({
      requests: successes + 3,
      successes,
      refusals: { not_found: 1, unavailable: 1 },
      failures: { non_2xx_response: 1 },
      faults: {},
      failureRate: expect.closeTo(1 / (successes + 3)),
      latency: { p50: expect.any(Number), p90: expect.any(Number), p99: expect.any(Number) },
    });
    const { p50 = 0, p90 = 0, p99 = 0 } = last15Minutes.latency ?? {};
    expect(p50).toBeGreaterThan(0);
    expect(p90).toBeGreaterThanOrEqual(p50);
    expect(p99).toBeGreaterThanOrEqual(p90);
    expect(last24Hours).toEqual(last15Minutes);
    expect(endpoints).toEqual([{ path: '/p5/v3/video/details', state: 'ok', last15Minutes, last24Hours }]);
    expect(note).toBeUndefined();
    expect((await platform('p6')).last24Hours).toMatchObject({ requests: 0, failureRate: 0, latency: null });
  });

  test('reports a platform that fails often, as do the notes of results', async () => {
    for (let time = 0; time < 10; time += 1) await p5('xlabmetahtml');
    const words = /^p5 has failed for \d+ % of requests since \d\d:\d\d UTC\.$/;
    expect(await platform('p5')).toMatchObject({ state: 'failing', note: expect.stringMatching(words) });
    expect((await p5('xlabmetahtml')).notes).toEqual([expect.stringMatching(words), 'This request cost 1 credit.']);
    const { error, notes } = await p5('xhealth3');
    expect(error).toBeNull();
    expect(notes).toContainEqual(expect.stringMatching(words));
    expect((await platform('p1')).note).toBeUndefined();
    expect((await platform('p1')).state).toBe('ok');
  });
});

describe('with USE_HEALTH=off, which the shared service of the tests has', () => {
  const shared = inject('serviceUrl');

  test('results have no note on a platform that fails often', async () => {
    const page = `${shared}/p5/v3/video/details`;
    for (let time = 0; time < 10; time += 1) await extract<Result>(`${page}?videoId=xlabmetahtml`);
    // A busy service may have too little time for an optional part, and notes it then.
    const notes = async () => (await extract<Result>(`${page}?videoId=xhealth3`)).body.notes;
    expect((await notes())?.join()).not.toMatch('has failed');
    await expect.poll(notes).toEqual(['This request cost 1 credit.']);
  });

  test('a refused client profile is neither avoided nor listed', async () => {
    const details = `${shared}/p1/v3/video/details?videoId=lab-med-403&renderableFormats=1080p`;
    const headers = {
      'x-marketplace-key': keys.MEGA,
      'x-marketplace-host': 'api.example',
      'cache-control': 'no-cache',
    };
    const first = (await fetchJson<Result>(details, { headers })).body;
    expect(await renderItem(first.contents?.[0]?.renderableVideos?.[0])).toMatchObject({
      error_code: 'source_refused',
    });
    const second = (await fetchJson<Result>(details, { headers })).body;
    expect(second.metadata.additionalData?.source).toBe(first.metadata.additionalData?.source);
    expect(second.notes).toEqual(first.notes);
    const { platforms } = await currentStatus<Status>(shared);
    expect(platforms.find(({ id }) => id === 'p1')).toMatchObject({ media: [] });
  });
});

describe('GET /metrics on the admin port', () => {
  test('is in the Prometheus format, and not on the public port', async () => {
    const response = await fetch(`${admin}/metrics`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    const text = await response.text();
    for (const line of text.split('\n').filter((each) => each !== '')) {
      expect(line).toMatch(
        /^(?:# (?:HELP|TYPE) \w+ .*|\w+(?:\{(?:\w+="[^"]*",?)*\})? (?:[-+.\deE]+|Nan|NaN|[+-]Inf))$/,
      );
    }
    expect((await fetch(`${service.url}/metrics`)).status).toBe(404);
  });

  test('counts requests by platform, endpoint and code, and by cache result', async () => {
    const labels = { platform: 'p5', endpoint: '/video/details' };
    const ok = { ...labels, code: 'ok' };
    const before = (await metric('millrace_requests_total', ok)) ?? 0;
    const hits = (await metric('millrace_answer_cache_requests_total', { result: 'hit' })) ?? 0;
    const uncached = await requestUntilCached('xmetrics1');
    expect(await metric('millrace_requests_total', ok)).toBe(before + uncached + 1);
    expect(await metric('millrace_request_seconds_count', labels)).toBeGreaterThanOrEqual(before + 2);
    expect(await metric('millrace_extractions_total', { ...labels, code: 'success' })).toBeGreaterThan(0);
    expect(await metric('millrace_extraction_seconds_count', labels)).toBeGreaterThan(0);
    expect(await metric('millrace_answer_cache_requests_total', { result: 'hit' })).toBe(hits + 1);
    expect(await metric('millrace_answer_cache_entries')).toBeGreaterThan(0);
    expect(await metric('millrace_answer_cache_bytes')).toBeGreaterThan(1_000);
    expect(await metric('millrace_egress_requests_total', { class: 'site', answer: '2xx' })).toBeGreaterThan(0);
  });

  test('reports the relay, jobs, files and the process', async () => {
    const url = `${service.url}/p1/v3/video/details?videoId=lab-plain30&urlAccess=proxied&fields=contents.audios`;
    const { body } = await extract<Result>(url);
    const item = body.contents?.[0]?.audios?.[0];
    const size = (await (await fetch(item?.url ?? '')).arrayBuffer()).byteLength;
    await expect.poll(() => metric('millrace_relay_connections')).toBe(0);
    expect(await metric('millrace_relay_sent_bytes_total')).toBeGreaterThan(size);
    expect(await metric('millrace_egress_received_bytes_total', { class: 'relay' })).toBe(size);
    for (const state of ['pending', 'queued', 'downloading_inputs', 'processing', 'uploading_output']) {
      expect(await metric('millrace_render_jobs', { state })).toBe(0);
    }
    expect(await metric('millrace_render_queue_depth')).toBe(0);
    expect(await metric('millrace_stored_bytes')).toBe(0);
    expect(await metric('millrace_engine_children')).toBeGreaterThanOrEqual(0);
    expect(await metric('process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
  });

  test('has no key, ID or address in a label', async () => {
    const text = await (await fetch(`${admin}/metrics`)).text();
    for (const secret of [...Object.values(keys), 'xhealth', 'lab-plain30', 'dailymotion', 'youtube', '://']) {
      expect(text.replace(/^# .*$/gm, '')).not.toContain(secret);
    }
  });
});
