import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { describeJob, follow, post, render, type StartedJob, type StatusEvent } from '../support/http-client.ts';
import { fetchThroughLab, labFile, requestsWithToken } from '../support/lab-client.ts';
import { type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';

const lab = inject('labUrl');
const timeout = 180_000;
/** Slow enough for a busy machine to keep up with, whose lag counts as bytes in flight. */
const throttle = 150_000;
/** Ten megabytes, and its sound. */
const [picture, sound] = ['/media/giant-20/video-1080.mp4', '/media/giant-20/audio.mp4'];
/** Thirty segments. */
const playlist = '/hls/amber-120/720/index.m3u8';

/** What the jobs below make where nothing comes in between. */
let expected: { readonly picture: Buffer; readonly joined: Buffer; readonly converted: Buffer };
/** Bytes that the whole playlist takes. */
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
    joined: (await render(service.url, mergeJob([labFile(picture).url, labFile(sound).url]))).file,
    converted: (await render(service.url, convertJob(segments.url))).file,
  };
  playlistBytes = await bytesServed(segments);
}, timeout);
afterAll(async () => {
  await service.kill();
  await folder.delete();
});

const start = () => startService(lab, folder.path, { PORT: port });

/** What became of a job. */
interface Ended {
  readonly file: Buffer;
  readonly events: readonly StatusEvent[];
}

/** Runs jobs whose service ends while they download, with a third of it done, and is started again. */
async function interrupt<Name extends string>(
  jobs: Record<Name, unknown>,
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
        if (event.status === 'downloading_inputs' && event.progress >= 15) reached.resolve();
      }).then(
        () => reached.reject(new Error(`${name} was not met while it downloaded: ${JSON.stringify(events.at(-1))}`)),
        reached.reject,
      );
      return { name, url: body.sseStatusUrl, events, reached: reached.promise, broken };
    }),
  );
  await Promise.all(subscriptions.map(({ reached }) => reached));
  await end();
  await Promise.all(subscriptions.map(({ broken }) => broken));
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
  // One for each of the jobs.
  return Object.fromEntries(ended) as Record<Name, Ended>;
}

const kill = () => service.kill();
const stop = () => service.stop();

async function bytesServed(...sources: readonly { token: string }[]): Promise<number> {
  const requests = await Promise.all(sources.map(({ token }) => requestsWithToken(lab, token)));
  return requests.flat().reduce((sum, { bytesSent }) => sum + bytesSent, 0);
}

const bytesOf = async (path: string, faults = {}) => (await fetchThroughLab(lab, labFile(path, faults).url)).body;

/** The files that are being fetched, and what is noted of them. */
async function inputFiles(): Promise<string[]> {
  const names = await readdir(join(folder.path, 'work'), { recursive: true });
  return names.filter((name) => name.includes('/inputs/')).map((name) => join(folder.path, 'work', name));
}

/** A busy machine is slower still than the throttle. */
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
])('after %s, what is there is not fetched again', (_name, end) => {
  const file = labFile(picture, { throttle });
  const [video, audio] = [labFile(picture, { throttle }), labFile(sound, { throttle })];
  const segments = labFile(playlist, { 'segment.throttle': throttle });
  const jobs = { whole: single(file.url), placed: mergeJob([video.url, audio.url]), hls: convertJob(segments.url) };
  let names: readonly string[];
  let ended: Record<keyof typeof jobs, Ended>;

  beforeAll(async () => {
    ended = await interrupt(jobs, async () => {
      names = await inputFiles();
      await end();
    });
  }, timeout);

  test('of a file in ranges', async () => {
    expect(ended.whole.file.equals(expected.picture)).toBe(true);
    expect(await bytesServed(file)).toBeLessThan(1.1 * expected.picture.length);
  });

  test('of fragments that go straight to their place', async () => {
    expect(names).toContainEqual(expect.stringMatching(/placed\.mp4$/));
    expect(ended.placed.file.equals(expected.joined)).toBe(true);
    const neededBytes = expected.picture.length + (await bytesOf(sound)).length;
    expect(await bytesServed(video, audio)).toBeLessThan(1.1 * neededBytes);
  });

  test('of the segments of a playlist', async () => {
    expect(ended.hls.file.equals(expected.converted)).toBe(true);
    expect(await bytesServed(segments)).toBeLessThan(1.1 * playlistBytes);
  });

  test('and progress does not fall', () => {
    for (const { events } of Object.values(ended)) {
      const progress = events.map((event) => event.progress);
      expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    }
  });
});

describe('what is there is not used', () => {
  /** One request after the opening one: the next is that of the next start. */
  const inOne = { chunkDownload: { size: 64 * 1024 * 1024, concurrency: 1 } };
  const slow = { throttle: 3 * throttle };
  const jobs = {
    whole: single(labFile(picture, { ...slow, etagChange: 2 }).url, 'mp4', inOne),
    placed: mergeJob([labFile(picture, { ...slow, etagChange: 3 }).url, labFile(sound).url], inOne),
    damaged: single(labFile(picture, slow).url, 'mov', inOne),
  };
  let ended: Record<keyof typeof jobs, Ended>;

  beforeAll(async () => {
    ended = await interrupt(jobs, async () => {
      await kill();
      const journals = (await inputFiles()).filter((name) => name.endsWith('.mov.journal'));
      expect(journals).toHaveLength(1);
      for (const path of journals) {
        const bytes = await readFile(path);
        await writeFile(path, bytes.fill('x', Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 3));
      }
    });
  }, timeout);

  test('of a file that has changed since', async () => {
    expect(ended.whole.file.equals(await bytesOf(picture, { etagChange: 1 }))).toBe(true);
  });

  test('of fragments whose file has changed since', { timeout }, async () => {
    const changed = mergeJob([labFile(picture, { etagChange: 1 }).url, labFile(sound).url]);
    expect(ended.placed.file.equals((await render(service.url, changed)).file)).toBe(true);
  });

  test('behind the place where what was noted of it is damaged', async () => {
    expect(ended.damaged.file.equals(expected.picture)).toBe(true);
  });
});

test('nothing of it stays on the disk', async () => {
  await expect.poll(() => readdir(join(folder.path, 'work'))).toEqual([]);
});
