import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { link, mkdtemp, readdir, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHasher } from './hasher.ts';

const hasher = createHasher();
const { signal } = new AbortController();
const content = Buffer.from(Array.from({ length: 3_000_000 }, (_, at) => (at * 31) % 251));
let folder: string;
let path: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-hasher-'));
  path = join(folder, 'content');
  await writeFile(path, content);
});
afterAll(async () => {
  await hasher.close();
  await rm(folder, { recursive: true, force: true });
});

async function hashOf(...[parts, by = signal]: [parts: Parameters<typeof hasher.start>[0], by?: AbortSignal]) {
  return await (await hasher.start(parts, by)).hashed;
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test('hashes a file', async () => {
  const whole = { path, position: 0, length: content.length };
  expect(await hashOf([whole])).toEqual({ sha256: sha256(content), bytes: content.length });
  expect(await hashOf([])).toEqual({ sha256: sha256(Buffer.alloc(0)), bytes: 0 });
});

test('hashes ranges and bytes in their order', async () => {
  const parts = [
    Buffer.from('head'),
    { path, position: 2_000_000, length: 1_000_000 },
    { path, position: 5, length: 10 },
  ];
  const expected = Buffer.concat([Buffer.from('head'), content.subarray(2_000_000), content.subarray(5, 15)]);
  expect(await hashOf(parts)).toEqual({ sha256: sha256(expected), bytes: expected.length });
});

test('hashes several sequences at the same time', async () => {
  const lengths = [1, 1_000, 2_500_000, 0];
  const hashes = await Promise.all(lengths.map((length) => hashOf([{ path, position: 0, length }])));
  expect(hashes.map((hash) => hash.sha256)).toEqual(lengths.map((length) => sha256(content.subarray(0, length))));
});

test('hashes a file that is moved after the start', async () => {
  const from = join(folder, 'before');
  await writeFile(from, content);
  const { hashed } = await hasher.start([{ path: from, position: 0, length: content.length }], signal);
  await rename(from, join(folder, 'after'));
  expect((await hashed).sha256).toBe(sha256(content));
});

test('hashes a file with a second link, as an engine child may still have one', async () => {
  await link(path, join(folder, 'second'));
  expect((await hashOf([{ path, position: 0, length: 3 }])).bytes).toBe(3);
});

test('fails for a file that is too short, missing or a link', async () => {
  await expect(hashOf([{ path, position: 0, length: content.length + 1 }])).rejects.toThrow('the file ends at byte');
  await expect(hashOf([{ path: join(folder, 'none'), position: 0, length: 1 }])).rejects.toThrow('ENOENT');
  const alias = join(folder, 'alias');
  await symlink(path, alias);
  await expect(hashOf([{ path: alias, position: 0, length: 1 }])).rejects.toThrow('is a symbolic link');
});

test('ends with the reason of an aborted signal', async () => {
  const reason = new Error('no longer needed');
  await expect(hashOf([], AbortSignal.abort(reason))).rejects.toBe(reason);
  const controller = new AbortController();
  const { hashed } = await hasher.start([{ path, position: 0, length: content.length }], controller.signal);
  controller.abort(reason);
  await expect(hashed).rejects.toBe(reason);
  expect((await hashOf([{ path, position: 0, length: 1 }])).bytes).toBe(1);
});

test('rejects what is pending when it is closed', async () => {
  const own = createHasher();
  const { hashed } = await own.start([{ path, position: 0, length: content.length }], signal);
  const outcome = hashed.catch(String);
  await own.close();
  expect(await outcome).toMatch(/^Error: the hash thread has ended|sha256/);
  await expect(own.start([], signal).then(({ hashed: late }) => late)).rejects.toThrow('the hasher is closed');
});

test('hashes a stream of parts next to another one', async () => {
  const [one, two] = [hasher.open(signal), hasher.open(signal)];
  one.add([Buffer.from('head')]);
  two.add([{ path, position: 0, length: 2_000_000 }]);
  one.add([{ path, position: 7, length: 9 }]);
  two.add([{ path, position: 2_000_000, length: 1_000_000 }]);
  const expected = Buffer.concat([Buffer.from('head'), content.subarray(7, 16)]);
  expect(await one.finish()).toEqual({ sha256: sha256(expected), bytes: expected.length });
  expect(await two.finish()).toEqual({ sha256: sha256(content), bytes: content.length });
});

test('has no hash of a stream after a part that could not be read, or was cancelled', async () => {
  const [short, missing, cancelled] = [hasher.open(signal), hasher.open(signal), hasher.open(signal)];
  short.add([{ path, position: content.length, length: 1 }]);
  short.add([{ path, position: 0, length: 1 }]);
  await expect(short.finish()).rejects.toThrow('the file ends at byte');
  missing.add([{ path, position: 0, length: 1 }]);
  missing.add([{ path: join(folder, 'none'), position: 0, length: 1 }]);
  await expect(missing.finish()).rejects.toThrow('ENOENT');
  cancelled.add([{ path, position: 0, length: content.length }]);
  cancelled.cancel();
  await expect(cancelled.finish()).rejects.toThrow('no longer needed');
});

test('does not continue a stream in another thread', async () => {
  const own = createHasher();
  const stream = own.open(signal);
  stream.add([{ path, position: 0, length: 1 }]);
  await stream.opened();
  await own.close();
  stream.add([{ path, position: 1, length: 1 }]);
  await expect(stream.finish()).rejects.toThrow('the hash thread has ended');
});

test('the exit of a failed thread does not affect the sequences of the next one', async () => {
  const threads: (EventEmitter & { readonly tasks: { readonly id: number }[] })[] = [];
  const twoThreads = createHasher(() => {
    const tasks: { readonly id: number }[] = [];
    const postMessage = (task: { readonly id: number }) => tasks.push(task);
    const thread = Object.assign(new EventEmitter(), { tasks, postMessage, unref: () => undefined });
    threads.push(thread);
    return thread as unknown as Worker;
  });
  const hashWith = () => {
    const stream = twoThreads.open(signal);
    stream.add([{ path, position: 0, length: 2_000_000 }]);
    return stream;
  };
  const first = hashWith();
  await first.opened();
  threads[0]?.emit('error', new Error('out of memory'));
  await expect(first.finish()).rejects.toThrow('the hash thread failed');
  const second = hashWith();
  await second.opened();
  threads[0]?.emit('exit', 1);
  const hashed = second.finish();
  await expect.poll(() => threads[1]?.tasks.length).toBe(2);
  const outcome = { id: threads[1]?.tasks[0]?.id, sha256: 'a', bytes: 2_000_000 };
  threads[1]?.emit('message', outcome);
  await expect(hashed).resolves.toEqual({ sha256: 'a', bytes: 2_000_000 });
});

test('hashes thousands of files, of which few are open at a time', async () => {
  const names = Array.from({ length: 500 }, (_, at) => join(folder, `part-${at}`));
  for (const [at, name] of names.entries()) await writeFile(name, content.subarray(at * 6_000, (at + 1) * 6_000));
  const stream = hasher.open(signal);
  stream.add(names.map((name) => ({ path: name, position: 0, length: 6_000 })));
  await stream.opened();
  const openParts = async () => {
    const left = await openPaths();
    return names.filter((name) => left.has(name));
  };
  expect((await openParts()).length).toBeLessThanOrEqual(32);
  expect(await stream.finish()).toEqual({ sha256: sha256(content), bytes: content.length });
  const missing = { path: join(folder, 'missing'), position: 0, length: 2_000_000 };
  await expect(hashOf([...names.map((name) => ({ path: name, position: 0, length: 6_000 })), missing])).rejects.toThrow(
    'ENOENT',
  );
  await expect.poll(openParts, { timeout: 30_000 }).toEqual([]);
});

/** Returns the paths of the files that this process has open; none where the system does not tell. */
async function openPaths(): Promise<ReadonlySet<string>> {
  const descriptors = await readdir('/proc/self/fd').catch(() => []);
  const paths = await Promise.all(descriptors.map((each) => readlink(`/proc/self/fd/${each}`).catch(() => '')));
  return new Set(paths);
}

test('a file that cannot be opened is reported after the thread has responded', async () => {
  const missing = { path: join(folder, 'missing'), position: 0, length: 2_000_000 };
  const stream = hasher.open(signal);
  stream.add([{ path, position: 0, length: 2_000_000 }]);
  stream.add([missing]);
  await expect(stream.finish()).rejects.toMatchObject({ code: 'ENOENT' });
});
