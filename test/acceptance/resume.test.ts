/** @module-tag long */

import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { describeJob, follow, post, render, type StartedJob, type StatusEvent } from '../support/http-client.ts';
import { fetchThroughLab, labFile, openGate, requestsWithToken } from '../support/lab-client.ts';
import { type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';

const lab = inject('labUrl');
/**
 * After this fraction of the bytes, the lab sends slowly until the service is started again. Whatever else the machine
 * does, no job ends before its service, and few bytes are in transit then.
 */
const FREE_FRACTION = 0.4;
/** Progress that a job reports when a third of its bytes has arrived. */
const REACHED_PROGRESS = 15;
/** Ten megabytes of video, and its audio. */
const [picture, sound] = ['/media/giant-20/video-1080.mp4', '/media/giant-20/audio.mp4'];
/** Thirty segments. */
const playlist = '/hls/amber-120/720/index.m3u8';

/** The results of the jobs below without an interruption. */
let expected: { readonly picture: Buffer; readonly sound: Buffer; readonly joined: Buffer; readonly converted: Buffer };
/** Bytes of all segments of the playlist. */
let playlistBytes: number;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: RunningProcess;
let port: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  port = String(await freePort());
  service = await start();
  const segments = labFile(playlist);
  expected = {
    picture: await bytesOf(picture),
    sound: await bytesOf(sound),
    joined: (await render(service.url, mergeJob([labFile(picture).url, labFile(sound).url]))).file,
    converted: (await render(service.url, convertJob(segments.url))).file,
  };
  playlistBytes = await bytesServed(segments);
});
afterAll(async () => {
  await service.kill();
  await folder.delete();
});

const start = () => startService(lab, folder.path, { PORT: port });

/** The outcome of a job. */
interface Ended {
  readonly file: Buffer;
  readonly events: readonly StatusEvent[];
}

/** Runs jobs, ends their service when a third of each is downloaded, starts it again, and lets the lab send at once. */
async function interrupt<Name extends string>(
  jobs: Record<Name, unknown>,
  links: readonly { token: string }[],
  end: () => Promise<void>,
): Promise<Record<Name, Ended>> {
  const subscriptions = await Promise.all(
    Object.entries(jobs).map(async ([name, job]) => {
      const { status, body } = await post<StartedJob>(`${service.url}/api/v1/render/execute`, job);
      expect(status).toBe(202);
      const reached = Promise.withResolvers<void>();
      const events: StatusEvent[] = [];
      const broken = follow(body.sseStatusUrl, (event) => {
        events.push(event);
        if (event.status === 'downloading_inputs' && event.progress >= REACHED_PROGRESS) reached.resolve();
      }).then(
        () => reached.reject(new Error(`${name} was not met while it downloaded: ${JSON.stringify(events.at(-1))}`)),
        reached.reject,
      );
      return { name, url: body.sseStatusUrl, events, reached: reached.promise, broken };
    }),
  );
  try {
    await Promise.all(subscriptions.map(({ reached }) => reached));
    await end();
    await Promise.all(subscriptions.map(({ broken }) => broken));
  } finally {
    await Promise.all(links.map(({ token }) => openGate(lab, token)));
  }
  service = await start();
  const ended = await Promise.all(
    subscriptions.map(async ({ name, url, events }) => {
      const after = await follow(url);
      const last = after.at(-1);
      expect(last).toMatchObject({ status: 'done', error: null });
      const file = Buffer.from(await (await fetch(last?.output?.url ?? '')).arrayBuffer());
      return [name, { file, events: [...events, ...after] }] as const;
    }),
  );
  // One entry for each of the jobs.
  return Object.fromEntries(ended) as Record<Name, Ended>;
}

const kill = () => service.kill();
const stop = () => service.stop();

async function bytesServed(...sources: readonly { token: string }[]): Promise<number> {
  const requests = await Promise.all(sources.map(({ token }) => requestsWithToken(lab, token)));
  return requests.flat().reduce((sum, { bytesSent }) => sum + bytesSent, 0);
}

const bytesOf = async (path: string, faults = {}) => (await fetchThroughLab(lab, labFile(path, faults).url)).body;

/** Returns the link to a file that is sent slowly after a part of its bytes. */
const slowFile = (path: string, bytes: number, more = {}) =>
  labFile(path, { slowAfter: Math.floor(FREE_FRACTION * bytes), ...more });

/** Waits until an input file contains the bytes that the lab has sent at once. */
async function waitForFile(name: RegExp, bytes: number): Promise<void> {
  await vi.waitUntil(
    async () => {
      const path = (await inputFiles()).find((path) => name.test(path));
      // Files are written in parallel ranges: their gaps have no blocks, of 512 bytes.
      return path !== undefined && 512 * (await stat(path)).blocks > 0.95 * FREE_FRACTION * bytes;
    },
    { timeout: 120_000, interval: 100 },
  );
}

/** Returns the unfinished input files and their journals. */
async function inputFiles(): Promise<string[]> {
  const names = await readdir(join(folder.path, 'work'), { recursive: true });
  return names.filter((name) => name.includes('/inputs/')).map((name) => join(folder.path, 'work', name));
}

const patient = { timeout: 600_000 };
const single = (url: string, ext = 'mp4', more = {}) =>
  describeJob('no_process', [{ url, ext, ...patient }], ext, more);
const mergeJob = (urls: readonly string[], more = {}) => {
  const inputs = urls.map((url) => ({ url, ext: 'mp4', ...patient }));
  return describeJob('join_streams', inputs, 'mp4', more);
};
const convertJob = (url: string) =>
  describeJob('convert_format', [{ url, ext: 'm3u8', ...patient }], 'mp4', { HLSPlaylistDownload: { concurrency: 2 } });

describe.each([
  ['kill -9', kill],
  ['SIGTERM', stop],
])('a download resumed after %s', (_name, end) => {
  let links: Record<'file' | 'video' | 'audio' | 'segments', { url: string; token: string }>;
  let names: readonly string[];
  let ended: Record<'whole' | 'placed' | 'hls', Ended>;

  beforeAll(async () => {
    const { length } = expected.picture;
    links = {
      file: slowFile(picture, length),
      video: slowFile(picture, length),
      audio: labFile(sound),
      segments: labFile(playlist, { 'segment.slowAfter': Math.floor(FREE_FRACTION * playlistBytes) }),
    };
    const jobs = {
      whole: single(links.file.url),
      placed: mergeJob([links.video.url, links.audio.url]),
      hls: convertJob(links.segments.url),
    };
    ended = await interrupt(jobs, Object.values(links), async () => {
      await waitForFile(/input-1\.mp4$/, length);
      await waitForFile(/placed\.mp4$/, length);
      names = await inputFiles();
      await end();
    });
  });

  test('fetches no range of a file again', async () => {
    expect(ended.whole.file.equals(expected.picture)).toBe(true);
    expect(await bytesServed(links.file)).toBeLessThan(1.1 * expected.picture.length);
  });

  test('fetches no fragment again that was written to its final position', async () => {
    expect(names).toContainEqual(expect.stringMatching(/placed\.mp4$/));
    expect(ended.placed.file.equals(expected.joined)).toBe(true);
    const neededBytes = expected.picture.length + expected.sound.length;
    expect(await bytesServed(links.video, links.audio)).toBeLessThan(1.1 * neededBytes);
  });

  test('fetches no segment of a playlist again', async () => {
    expect(ended.hls.file.equals(expected.converted)).toBe(true);
    expect(await bytesServed(links.segments)).toBeLessThan(1.1 * playlistBytes);
  });

  test('never reports less progress than before', () => {
    for (const { events } of Object.values(ended)) {
      const progress = events.map((event) => event.progress);
      expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    }
  });
});

describe('a download with unusable data starts again', () => {
  /** The first request is followed by only one more, so that the request after that belongs to the next start. */
  const inOne = { chunkDownload: { size: 64 * 1024 * 1024, concurrency: 1 } };
  let ended: Record<'whole' | 'placed' | 'damaged', Ended>;

  beforeAll(async () => {
    const { length } = expected.picture;
    const [changed, placed] = [
      slowFile(picture, length, { etagChange: 2 }),
      slowFile(picture, length, { etagChange: 3 }),
    ];
    const damaged = slowFile(picture, length);
    const jobs = {
      whole: single(changed.url, 'mp4', inOne),
      placed: mergeJob([placed.url, labFile(sound).url], inOne),
      damaged: single(damaged.url, 'mov', inOne),
    };
    ended = await interrupt(jobs, [changed, placed, damaged], async () => {
      await kill();
      const journals = (await inputFiles()).filter((name) => name.endsWith('.mov.journal'));
      expect(journals).toHaveLength(1);
      for (const path of journals) {
        const bytes = await readFile(path);
        await writeFile(path, bytes.fill('x', Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 3));
      }
    });
  });

  test('when the file has changed', async () => {
    expect(ended.whole.file.equals(await bytesOf(picture, { etagChange: 1 }))).toBe(true);
  });

  test('when the file of fragments has changed', async () => {
    const changed = mergeJob([labFile(picture, { etagChange: 1 }).url, labFile(sound).url]);
    expect(ended.placed.file.equals((await render(service.url, changed)).file)).toBe(true);
  });

  test('from the position at which its journal is damaged', async () => {
    expect(ended.damaged.file.equals(expected.picture)).toBe(true);
  });
});

test('and leaves nothing on the disk', async () => {
  await expect.poll(() => readdir(join(folder.path, 'work'))).toEqual([]);
});
