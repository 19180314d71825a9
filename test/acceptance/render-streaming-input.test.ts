/** @module-tag long */

import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { childrenOf, directChildrenOf, waitForExit } from '../support/child-processes.ts';
import { freePort } from '../support/free-port.ts';
import { describeJob, follow, outcome, post, type StartedJob, type StatusEvent } from '../support/http-client.ts';
import { labFile, openGate, requestsWithToken } from '../support/lab-client.ts';
import { inspect } from '../support/media.ts';
import { type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';
import { storedFiles } from '../support/storage-stack.ts';

/** A title of 36 s in nine segments, which take up about 20 MB in 1080p. */
const title = '/hls/giant-36';
const last = 9;
/** The source holds the last segment back until the engine got far. */
const heldBack = { gate: 1 };
const MIB = 1024 * 1024;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: RunningProcess;
let port: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  port = String(await freePort());
  service = await start();
});
afterAll(async () => {
  await service.kill();
  await folder.delete();
});

const start = () => startService(inject('labUrl'), folder.path, { PORT: port });

/** Returns a playlist in which one segment has faults; by default, the last one. */
function playlist(path: string, faults: Record<string, string | number>, only = last) {
  const behind = Object.entries(faults).map(([name, value]) => [`segment.${name}`, value]);
  return labFile(path, { 'segment.only': only, ...Object.fromEntries(behind) });
}

const convert = (url: string, ext = 'mp4', more = {}) =>
  describeJob('convert_format', [{ url, ext: 'm3u8' }], ext, more);

async function begin(job: unknown): Promise<StartedJob> {
  const { status, body } = await post<StartedJob>(`${service.url}/api/v1/render/execute`, job);
  expect(status).toBe(202);
  return body;
}

/** Returns the files in the workspaces of media engine children. */
async function engineFiles() {
  const entries = await readdir(join(folder.path, 'engine'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile() && entry.parentPath.includes('/child-'));
}

/** Returns the bytes of unfinished results. */
async function resultBytes(ext = 'mp4'): Promise<number> {
  const results = (await engineFiles()).filter(({ name }) => name === `result.${ext}`);
  // A file may disappear while it is inspected.
  const sizes = await Promise.all(
    results.map(({ parentPath, name }) =>
      stat(join(parentPath, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

const untilMade = (bytes: number, ext?: string) =>
  expect.poll(() => resultBytes(ext), { interval: 20 }).toBeGreaterThan(bytes);

const nothingLeft = async () => {
  await expect.poll(() => readdir(join(folder.path, 'work'))).toEqual([]);
  await expect.poll(engineFiles).toEqual([]);
};

describe('a result grows while segments are missing', () => {
  test.each([
    ['MPEG-TS', `${title}/1080/index.m3u8`],
    ['fragmented MP4', `${title}/1080/fmp4.m3u8`],
    ['AES-128', `${title}/1080/aes.m3u8`],
  ])('from %s', async (_name, path) => {
    const { url, token } = playlist(path, heldBack);
    const started = await begin(convert(url));
    const events: StatusEvent[] = [];
    const followed = follow(started.sseStatusUrl, (event) => events.push(event));
    await untilMade(2 * MIB);
    // The last segment is requested, and the source holds it back without sending a byte.
    const segmentRequests = (await requestsWithToken(inject('labUrl'), token)).filter(({ path: requestPath }) =>
      requestPath.includes('00009'),
    );
    expect(segmentRequests.reduce((sum, { bytesSent }) => sum + bytesSent, 0)).toBe(0);
    await expect.poll(() => events.at(-1)?.status).toBe('downloading_inputs');
    await openGate(inject('labUrl'), token);
    await followed;
    expect(events.at(-1)).toMatchObject({ status: 'done', error: null, progress: 100 });
    const states = ['pending', 'queued', 'downloading_inputs', 'processing', 'uploading_output', 'done'];
    const order = events.map(({ status }) => states.indexOf(status));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    const percents = events.map(({ progress }) => progress);
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    const downloading = events.filter(({ status }) => status === 'downloading_inputs');
    expect(Math.max(...downloading.map(({ progress }) => progress))).toBeLessThanOrEqual(50);
    const file = Buffer.from(await (await fetch(events.at(-1)?.output?.url ?? '')).arrayBuffer());
    const { tracks } = await inspect(file);
    expect(tracks.map(({ kind, duration }) => [kind, Math.round(duration)])).toEqual([
      ['video', 36],
      ['audio', 36],
    ]);
    await nothingLeft();
  });

  test('with separate audio, which is interleaved with the video', async () => {
    const { url, token } = playlist(`${title}/master-audio.m3u8`, heldBack);
    const started = await begin(convert(url));
    await untilMade(MIB);
    await openGate(inject('labUrl'), token);
    expect(await outcome(started.sseStatusUrl)).toMatchObject({ status: 'done' });
    await nothingLeft();
  });

  test('when encoding', async () => {
    const { url, token } = playlist(`${title}/1080/index.m3u8`, { ...heldBack, status: 404 });
    const operation = { type: 'extract_audio', copyStreams: false };
    const started = await begin(convert(url, 'mp3', { operation }));
    await untilMade(50_000, 'mp3');
    await openGate(inject('labUrl'), token);
    expect(await outcome(started.sseStatusUrl)).toMatchObject({ status: 'failed' });
    await nothingLeft();
  });
});

describe('a failure while the engine waits for segments', () => {
  test.each<[string, Record<string, string | number>, RegExp, Record<string, unknown>]>([
    ['a missing segment', { status: 404, latency: 2_000 }, /Segment 9 of \d+ of input 1.*404/, {}],
    ['a segment that never arrives', { hang: 1 }, /Input 1.*timeout/, { timeout: 4_000 }],
    ['a segment that stops', { stall: 10_000 }, /Input 1.*timeout/, { timeout: 4_000 }],
    ['an endless segment', { endless: 1 }, /too large.*limit/, { limits: { inputSize: { total: 40_000_000 } } }],
  ])('%s ends the job with its reason, and nothing is left over', async (_name, faults, reason, more) => {
    const { url } = playlist(`${title}/1080/index.m3u8`, faults);
    const started = await begin(convert(url, 'mp4', more));
    const stored = await storedFiles(folder.path);
    const children = await directChildrenOf(service.process.pid);
    const event = await outcome(started.sseStatusUrl);
    expect(event).toMatchObject({ status: 'failed', error: expect.stringMatching(reason), output: null });
    await nothingLeft();
    expect(await storedFiles(folder.path)).toEqual(stored);
    // One child waits for the next job, and the child that ran this job is gone.
    const left = new Set(await directChildrenOf(service.process.pid));
    expect(children.filter((pid) => left.has(pid)).length).toBeLessThanOrEqual(1);
  });

  test('caused by a broken segment is resumed at the same byte', async () => {
    const { url } = playlist(`${title}/1080/index.m3u8`, { cutOnce: 300_001 }, 4);
    const event = await outcome((await begin(convert(url))).sseStatusUrl);
    expect(event).toMatchObject({ status: 'done' });
  });

  test('caused by an incompatible container is reported as for any other input', async () => {
    const { url } = playlist(`${title}/1080/index.m3u8`, {});
    const event = await outcome((await begin(convert(url, 'webm'))).sseStatusUrl);
    expect(event).toMatchObject({ status: 'failed', error: expect.stringMatching(/h264 video.*cannot be copied/) });
    await nothingLeft();
  });

  test('caused by a stop of the service hands the job back, and the next start completes it', async () => {
    const { url, token } = playlist(`${title}/1080/index.m3u8`, heldBack);
    const started = await begin(convert(url));
    await untilMade(MIB);
    const children = await childrenOf(service.process.pid);
    await service.stop();
    await waitForExit(children);
    await openGate(inject('labUrl'), token);
    service = await start();
    expect(await outcome(started.sseStatusUrl)).toMatchObject({ status: 'done' });
    await nothingLeft();
  });
});
