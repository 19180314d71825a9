import { link, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { describeJob, follow, post, run, type StartedJob, type StatusEvent } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';

const lab = inject('labUrl');
/** These tests concern files on a disk, and a database that lists them. */
const settings = { DATABASE_URL: '', STORAGE_URL: '' };

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let data: string;
let port: string;
let service: RunningProcess;

beforeAll(async () => {
  folder = await temporaryFolder();
  data = join(folder.path, 'data');
  port = String(await freePort());
  service = await start();
});
afterAll(async () => {
  await service.kill();
  await folder.delete();
});

const start = () => startService(lab, data, { ...settings, PORT: port });

/** Creates a file outside of the folders that the service may touch. */
async function makeVictim(name: string): Promise<{ path: string; content: Buffer }> {
  const path = join(folder.path, name);
  const content = Buffer.from(`root:x:0:0:${name}`.repeat(1000));
  await writeFile(path, content);
  return { path, content };
}

async function filesIn(path: string): Promise<string[]> {
  const entries = await readdir(join(data, path), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => !entry.isDirectory()).map(({ parentPath, name }) => join(parentPath, name));
}

describe('a link in place of a stored file', () => {
  const job = () => describeJob('no_process', [{ url: labFile('/media/amber-2/sound.m4a').url, ext: 'm4a' }], 'm4a');

  async function store(): Promise<{ url: string; path: string }> {
    const before = new Set(await filesIn('files'));
    const { status, output } = await run(service.url, job());
    expect(status).toBe('done');
    const [path = ''] = (await filesIn('files')).filter((each) => !before.has(each));
    return { url: output?.url ?? '', path };
  }

  test.each([
    ['symbolic', (target: string, path: string) => symlink(target, path)],
    ['hard', (target: string, path: string) => link(target, path)],
  ])('that is %s is not served', async (kind, plant) => {
    const victim = await makeVictim(`stored-${kind}`);
    const { url, path } = await store();
    await rm(path);
    await plant(victim.path, path);
    const response = await fetch(url, { headers: { range: 'bytes=0-9' } });
    expect(response.status).toBe(503);
    expect(await response.text()).not.toContain('root:');
    expect(await readFile(victim.path)).toEqual(victim.content);
  });

  test('to the file of another job is not served', async () => {
    const [mine, theirs] = [await store(), await store()];
    await rm(mine.path);
    await symlink(theirs.path, mine.path);
    expect((await fetch(mine.url)).status).toBe(503);
    expect((await fetch(theirs.url)).status).toBe(200);
  });

  test('that replaces the folder of the file is not served', async () => {
    const { url, path } = await store();
    const elsewhere = join(folder.path, 'elsewhere');
    await rename(dirname(path), elsewhere);
    await symlink(elsewhere, dirname(path));
    expect((await fetch(url)).status).toBe(503);
    await rm(dirname(path));
    await rename(elsewhere, dirname(path));
    expect((await fetch(url)).status).toBe(200);
  });
});

describe('links in the folder of an interrupted run', { tags: ['long'] }, () => {
  // Each download takes some seconds in several connections, because status events arrive once a second.
  const slow = (path: string) => labFile(path, { throttle: 200_000 }).url;
  const patient = { timeout: 600_000 };
  const [picture, sound] = ['/media/giant-20/video-1080.mp4', '/media/giant-20/audio.mp4'];
  const jobs = {
    whole: () => describeJob('no_process', [{ url: slow(picture), ext: 'mp4', ...patient }], 'mp4'),
    placed: () =>
      describeJob(
        'join_streams',
        [picture, sound].map((path) => ({ url: slow(path), ext: 'mp4', ...patient })),
        'mp4',
      ),
    playlist: () => {
      const { url } = labFile('/hls/amber-120/720/index.m3u8', { 'segment.throttle': 100_000 });
      return describeJob('convert_format', [{ url, ext: 'm3u8', ...patient }], 'mp4');
    },
  };
  const victims: { path: string; content: Buffer }[] = [];
  let ended: Record<string, StatusEvent | undefined>;

  beforeAll(async () => {
    const started = await Promise.all(
      Object.entries(jobs).map(async ([name, job]) => {
        const { body } = await post<StartedJob>(`${service.url}/api/v1/render/execute`, job());
        const reached = Promise.withResolvers<void>();
        const broken = follow(body.sseStatusUrl, ({ status, progress }) => {
          if (status === 'downloading_inputs' && progress >= 5) reached.resolve();
        }).catch(() => undefined);
        const over = broken.then(() => Promise.reject(new Error(`${name} ended before its download was interrupted`)));
        await Promise.race([reached.promise, over]);
        return { name, url: body.sseStatusUrl, broken };
      }),
    );
    await service.kill();
    await Promise.all(started.map(({ broken }) => broken));
    await plantLinks();
    service = await start();
    ended = Object.fromEntries(
      await Promise.all(started.map(async ({ name, url }) => [name, (await follow(url)).at(-1)] as const)),
    );
  });

  /** Replaces every other file with a symbolic link, and the others with hard links. */
  async function plantLinks(): Promise<void> {
    const files = await filesIn('work');
    expect(files.filter((path) => path.endsWith('.journal')).length).toBeGreaterThan(0);
    for (const [index, path] of files.entries()) {
      const victim = await makeVictim(`victim-${index}`);
      victims.push(victim);
      await rm(path);
      await (index % 2 === 0 ? symlink : link)(victim.path, path);
    }
    const folders = new Set(files.map((path) => dirname(path)));
    for (const path of folders) {
      await symlink(folder.path, join(path, 'outside'));
      await mkdir(join(path, 'inside'));
    }
  }

  test.each(Object.keys(jobs))('let each job end: %s', (name) => {
    expect(ended[name]).toMatchObject({ status: 'done', error: null });
  });

  test('expose no outside file: the result has the content of the source', async () => {
    const source = Buffer.from(
      await (await fetch(labFile(picture).url.replace(/^https?:\/\/[^/]+/, lab))).arrayBuffer(),
    );
    const file = Buffer.from(await (await fetch(ended.whole?.output?.url ?? '')).arrayBuffer());
    expect(file.equals(source)).toBe(true);
  });

  test('change no outside file, and their targets stay when the links are deleted', async () => {
    for (const { path, content } of victims) expect((await readFile(path)).equals(content)).toBe(true);
    await expect.poll(() => readdir(join(data, 'work'))).toEqual([]);
    expect(await readdir(folder.path)).toContain('data');
  });
});
