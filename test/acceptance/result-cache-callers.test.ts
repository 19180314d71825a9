/** @module-tag long */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Result } from '../support/envelope.ts';
import { freePort } from '../support/free-port.ts';
import { extract } from '../support/http-client.ts';
import { findRequests } from '../support/lab-client.ts';
import { keys, type RunningProcess, startLab, startService, temporaryFolder } from '../support/processes.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
/** A lab that responds slowly, so that callers can join and leave meanwhile. */
let lab: RunningProcess;
let service: RunningProcess;
let admin: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  const adminPort = String(await freePort());
  admin = `http://127.0.0.1:${adminPort}`;
  lab = await startLab({ LAB_LATENCY: '1500' });
  service = await startService(lab.url, folder.path, { ADMIN_PORT: adminPort });
});
afterAll(async () => {
  await service.kill();
  await lab.stop();
  await folder.delete();
});

const p5 = (query: string) => extract<Result>(`${service.url}/p5/v3/video/details?${query}`);

/** Returns the number of requests for a video of p5 to the site: each extraction requests its metadata once. */
async function countRequestsFor(videoId: string): Promise<number> {
  return (await findRequests(lab.url, { host: 'www.dailymotion.com', path: `/player/metadata/video/${videoId}?` }))
    .length;
}

/** Returns the number of requests to an interface of p1 that contain a text. */
async function countRequestsWith(text: string): Promise<number> {
  const hosts = ['www.youtube.com', 'youtubei.googleapis.com'];
  const requests = await Promise.all(hosts.map((host) => findRequests(lab.url, { host, path: '/youtubei/v1/' })));
  return requests.flat().filter(({ body }) => body.includes(text)).length;
}

/** Returns the value of a counter, 0 if it has not counted anything yet. */
async function readCounter(name: string): Promise<number> {
  const lines = (await (await fetch(`${admin}/metrics`)).text()).split('\n');
  return Number(lines.find((line) => line.startsWith(`${name} `))?.slice(name.length) ?? 0);
}

/** Returns the number of callers that have joined another caller's extraction. */
const coalesced = () => readCounter('millrace_answer_cache_requests_total{result="coalesced"}');

/** Returns the number of callers of a p1 search that have disconnected, as far as the service has noticed. */
const abandoned = () => readCounter('millrace_requests_total{platform="p1",endpoint="/search",code="caller_left"}');

const headers = { 'x-marketplace-key': keys.MEGA, 'x-marketplace-host': 'api.example' };

/**
 * Requests a video for two callers, of whom the second joins the extraction of the first. On a busy machine, that may have
 * ended before: then with another video.
 */
async function joinedCallers() {
  for (let attempt = 0; ; attempt += 1) {
    const videoId = `xcacheleft${attempt}`;
    const leaving = new AbortController();
    const url = `${service.url}/p5/v3/video/details?videoId=${videoId}`;
    const first = fetch(url, { headers, signal: leaving.signal });
    await expect.poll(() => countRequestsFor(videoId)).toBe(1);
    const before = await coalesced();
    const second = p5(`videoId=${videoId}`);
    let hasEnded = false;
    void second.finally(() => {
      hasEnded = true;
    });
    await expect.poll(async () => hasEnded || (await coalesced()) > before).toBe(true);
    if ((await coalesced()) > before) return { videoId, first, second, leaving };
    await Promise.all([first, second]);
  }
}

test('a disconnecting caller does not affect another one that waits for the same result', async () => {
  const { videoId, first, second, leaving } = await joinedCallers();
  leaving.abort();
  await expect(first).rejects.toThrow(/abort/i);
  expect((await second).body.error).toBeNull();
  expect(await countRequestsFor(videoId)).toBe(1);
});

test('a disconnecting caller cancels the extraction when nobody else waits', async () => {
  const leaving = new AbortController();
  const url = `${service.url}/p1/v3/search?query=lab-is-slow%20alone`;
  const waiting = fetch(url, { headers, signal: leaving.signal });
  await expect.poll(() => countRequestsWith('lab-is-slow alone')).toBe(1);
  const before = await abandoned();
  leaving.abort();
  await expect(waiting).rejects.toThrow(/abort/i);
  // Until the service has noticed the disconnection, the next caller would join the abandoned extraction.
  await expect.poll(abandoned).toBe(before + 1);
  // A new caller does not wait for the abandoned extraction.
  const again = new AbortController();
  const next = fetch(url, { headers, signal: again.signal });
  await expect.poll(() => countRequestsWith('lab-is-slow alone')).toBe(2);
  again.abort();
  await expect(next).rejects.toThrow(/abort/i);
});
