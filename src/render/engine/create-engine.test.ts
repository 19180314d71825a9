import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { EngineChild } from './child/engine-child.ts';
import { createEngine, type EngineOptions } from './create-engine.ts';
import type { Engine } from './engine.ts';
import { createLauncher } from './sandbox/launcher.ts';
import { engineProgram } from './self-restriction/visible-files.ts';
import { childrenOf, isAlive, waitUntil, watchChildren } from './testing/processes.ts';
import { type MediaDirectory, makeMedia } from './testing/test-media.ts';

const onLinux = process.platform === 'linux';

let media: MediaDirectory;
let children: () => number[];
beforeAll(async () => {
  media = await makeMedia('av.mp4');
  if (onLinux) children = watchChildren();
  // Opening this file blocks until a writer appears, which never happens, so the media library hangs.
  if (onLinux) execFileSync('mkfifo', [media.file('hanging.mp4')]);
});
afterAll(() => media?.remove());

function engineWith(options: EngineOptions): Engine {
  const engine = createEngine(options);
  onTestFinished(() => engine.close());
  return engine;
}

const probe = (engine: Engine, name: string, signal = new AbortController().signal) =>
  engine.probe({ directory: media.path, path: media.file(name), ext: 'mp4' }, { signal });

const convert = (engine: Engine, name: string, signal = new AbortController().signal) =>
  engine.process(
    {
      directory: media.path,
      inputs: [{ path: media.file(name) }],
      output: { path: media.file('result.mp4'), ext: 'mp4' },
      operation: { type: 'convert_format', copyStreams: true },
      maxOutputBytes: 1e7,
    },
    { signal },
  );

describe.runIf(onLinux)('engine children', { tags: ['long'] }, () => {
  it('are loaded before a task arrives, serve one task each, and are replaced', async () => {
    const engine = engineWith({ spares: 2 });
    await engine.ready;
    const first = children();
    expect(first).toHaveLength(2);
    await probe(engine, 'av.mp4');
    await expect.poll(children).toHaveLength(2);
    expect(children()).not.toEqual(first);
    await Promise.all([1, 2, 3].map(() => probe(engine, 'av.mp4')));
    await expect.poll(children).toHaveLength(2);
    await engine.close();
    expect(children()).toEqual([]);
  });

  it('report no missing isolation layer if the engine closes during startup', async () => {
    const engine = engineWith({ spares: 1 });
    await engine.close();
    expect(await engine.isolation).toEqual([]);
  });

  it('start on demand when no spares are configured', async () => {
    const engine = engineWith({ spares: 0 });
    await engine.ready;
    expect(children()).toEqual([]);
    expect((await probe(engine, 'av.mp4')).duration).toBeCloseTo(4, 1);
    expect(children()).toEqual([]);
  });

  it('leave no links to the files of a task that has ended', async () => {
    const engine = engineWith({ spares: 1 });
    const linksAtEnd = () => statSync(media.file('av.mp4')).nlink;
    expect(await probe(engine, 'av.mp4').then(linksAtEnd)).toBe(1);
    expect(await convert(engine, 'av.mp4').then(linksAtEnd)).toBe(1);
    expect(await convert(engine, 'av.mp4', AbortSignal.timeout(1)).catch(linksAtEnd)).toBe(1);
  });

  it('are skipped if they died while idle', async () => {
    const engine = engineWith({ spares: 1 });
    await engine.ready;
    const waiting = children();
    for (const pid of waiting) process.kill(pid, 'SIGKILL');
    // A zombie also keeps its folder in /proc, so this process has noticed the exit when the folder is gone.
    await waitUntil(() => !waiting.some((pid) => existsSync(`/proc/${pid}`)), 'the spare child to be gone');
    expect((await probe(engine, 'av.mp4')).streams).toHaveLength(2);
  });

  it('leave no files in the temporary directory', async () => {
    const traces = () => readdirSync(tmpdir()).filter((name) => name.startsWith('millrace-engine-'));
    const before = new Set(traces());
    const engine = createEngine({ spares: 0 });
    const newFolders = traces().filter((name) => !before.has(name));
    expect(newFolders.length).toBeGreaterThan(0);
    await engine.close();
    expect(newFolders.every((name) => existsSync(`${tmpdir()}/${name}`))).toBe(false);
  });
});

describe.runIf(onLinux)('a hanging task', () => {
  /** Starts a task that never ends, and returns the process ID of its child. */
  async function hang(engine: Engine, signal?: AbortSignal, perform: typeof probe | typeof convert = probe) {
    const outcome = perform(engine, 'hanging.mp4', signal);
    outcome.catch(() => undefined);
    await engine.ready;
    await waitUntil(() => children().length > 0, 'a child to start');
    const [pid = 0] = children();
    return { outcome, pid };
  }

  it.each([
    ['a probe', probe],
    ['the fast path', convert],
  ])('ends immediately, together with its process, when it is aborted (%s)', async (_what, perform) => {
    const engine = engineWith({ spares: 0 });
    const controller = new AbortController();
    const { outcome, pid } = await hang(engine, controller.signal, perform);
    const reason = new Error('the job expired');
    const startedAt = performance.now();
    controller.abort(reason);
    await expect(outcome).rejects.toBe(reason);
    expect(performance.now() - startedAt).toBeLessThan(30_000);
    expect(isAlive(pid)).toBe(false);
  });

  it('ends at its time limit', async () => {
    const engine = engineWith({ spares: 0, probeTimeout: 500 });
    const { outcome, pid } = await hang(engine);
    await expect(outcome).rejects.toMatchObject({ code: 'processing_timeout' });
    expect(isAlive(pid)).toBe(false);
  });

  it('fails with a clear message when its process crashes', async () => {
    const { outcome, pid } = await hang(engineWith({ spares: 0 }));
    process.kill(pid, 'SIGSEGV');
    await expect(outcome).rejects.toMatchObject({
      code: 'processing_failed',
      message: 'The media engine crashed (SIGSEGV). Start the job again; if it crashes again, an input may be damaged.',
    });
  });

  it('ends when the engine is closed, which then rejects new tasks', async () => {
    const engine = engineWith({ spares: 1 });
    const outcome = probe(engine, 'hanging.mp4');
    const ended = expect(outcome).rejects.toMatchObject({ message: expect.stringContaining('shutting down') });
    await engine.close();
    await ended;
    expect(children()).toEqual([]);
    await expect(probe(engine, 'av.mp4')).rejects.toMatchObject({ code: 'processing_failed' });
  });
});

it.runIf(onLinux)('a child that stops its own process group and its parents can still be killed', async () => {
  const program = fileURLToPath(new URL('./testing/stopping-child.js', import.meta.url));
  const limits = { memoryBytes: 4e9, cpuSeconds: 60, fileBytes: 1e6 };
  const launcher = await createLauncher({ limits, code: [program], ffi: false });
  onTestFinished(() => launcher.close());
  const launch = launcher.launch(program, (parent) => [`${parent}`]);
  const log = { debug: () => undefined, warn: () => undefined };
  const child = new EngineChild({ ...launch, onReady: () => undefined, log });
  await child.ready();
  child.stop(new Error('the test is over'));
  await child.exited;
  await launch.workspace.remove();
});

describe.runIf(onLinux)('a killed service', { tags: ['long'] }, () => {
  it.each(['sandbox', 'bare'])('takes its children down with it (%s)', async (mode) => {
    const script = fileURLToPath(new URL('./testing/service-to-kill.ts', import.meta.url));
    const service = spawn(process.execPath, [script, media.path, mode], {
      stdio: ['ignore', 'pipe', 'inherit'],
      // The killed service cannot clean up its temporary files.
      env: { ...process.env, TMPDIR: media.path },
    });
    onTestFinished(() => void service.kill('SIGKILL'));
    await new Promise((resolve) => service.stdout.once('data', resolve));
    const orphans = childrenOf(service.pid ?? 0);
    expect(orphans.length).toBeGreaterThan(0);
    service.kill('SIGKILL');
    await waitUntil(() => !orphans.some(isAlive), 'the children of a dead service to be gone');
  });
});

it('does not load the media library into the service', () => {
  const script = `
    import { createEngine } from ${JSON.stringify(new URL('./create-engine.ts', import.meta.url).href)};
    await createEngine({ spares: 0 }).close();
    const { sharedObjects } = process.report.getReport();
    if (sharedObjects.some((path) => path.includes('node-av'))) throw new Error('it is loaded');
  `;
  execFileSync(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'pipe' });
});

it('loads nothing but the binary from the package of the media library, because its many files take long', () => {
  const [library = ''] = globSync('library-*.js', { cwd: dirname(engineProgram('child')) });
  const script = `
    import { registerHooks } from 'node:module';
    registerHooks({
      load(url, context, next) {
        if (url.includes('/node_modules/') && !url.endsWith('.node')) throw new Error('it is loaded');
        return next(url, context);
      },
    });
    await import(${JSON.stringify(pathToFileURL(join(dirname(engineProgram('child')), library)).href)});
    // A clean exit would run the media library's destructors.
    process.kill(process.pid, 'SIGKILL');
  `;
  const { signal, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script]);
  expect([signal, stderr.toString()]).toEqual(['SIGKILL', '']);
});

it('starts children without TypeBox, which takes longer to load than all the code they need', () => {
  const script = `
    import { registerHooks } from 'node:module';
    registerHooks({
      load(url, context, next) {
        if (url.includes('/typebox/')) throw new Error('it is loaded');
        return next(url, context);
      },
    });
    await import(${JSON.stringify(new URL('./media/process-with-library.ts', import.meta.url).href)});
    await import(${JSON.stringify(new URL('./media/probe-file.ts', import.meta.url).href)});
    // A clean exit would run the media library's destructors.
    process.kill(process.pid, 'SIGKILL');
  `;
  const { signal, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script]);
  expect([signal, stderr.toString()]).toEqual(['SIGKILL', '']);
});
