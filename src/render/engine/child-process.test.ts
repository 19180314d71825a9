import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { type ChildLog, EngineChild } from './child-process.ts';
import { Growth } from './growth.ts';
import type { ChildReport, ChildTask } from './messages.ts';
import { createSandbox, type Sandbox } from './sandbox.ts';
import { testDirectory } from './testing/media.ts';
import { eventually, isAlive } from './testing/processes.ts';

const limits = { memoryBytes: 4 * 1024 ** 3, cpuSeconds: 60, fileBytes: 10_000_000 };
const bare: Sandbox = { wrap: (command) => command, missing: [], confine: () => Promise.resolve() };

const started: EngineChild[] = [];
afterEach(async () => {
  for (const child of started.splice(0)) {
    child.stop(new Error('the test is over'));
    await child.exited;
  }
});

const logged: { fields: object; message: string }[] = [];
const log: ChildLog = {
  debug: (fields, message) => logged.push({ fields, message }),
  warn: (fields, message) => logged.push({ fields, message }),
};

/** A child that runs a script; in it, `say` sends a message and `task` waits for the task. */
function child(script: string, sandbox = bare, directory = testDirectory()): EngineChild {
  onTestFinished(directory.remove);
  const place = { directory: directory.file('scratch'), modules: directory.file('modules') };
  for (const path of Object.values(place)) mkdirSync(path);
  const prelude = `
    const fs = require('node:fs');
    const say = (message) => fs.writeSync(3, typeof message === 'string' ? message : JSON.stringify(message) + '\\n');
    const task = new Promise((resolve) => process.stdin.once('data', (text) => resolve(JSON.parse(String(text).split('\\n', 1)[0]))));
    const report = { streams: [], duration: 1, bytes: 2, chapters: 0, notes: [] };
  `;
  const made = new EngineChild(
    [process.execPath, '--disable-wasm-trap-handler', '-e', `${prelude}(async () => {${script}})()`],
    sandbox,
    place,
    log,
  );
  started.push(made);
  return made;
}

function perform(
  on: EngineChild,
  options: { signal?: AbortSignal; timeLimit?: number; directory?: string; growth?: Growth } = {},
) {
  const fractions: number[] = [];
  const directory = options.directory ?? '/nowhere';
  const task: ChildTask = { type: 'probe', directory, path: `${directory}/file`, ext: 'mp4' };
  const done: Promise<ChildReport> = on.perform(task, {
    signal: options.signal ?? new AbortController().signal,
    timeLimit: options.timeLimit ?? 20_000,
    onProgress: (fraction) => fractions.push(fraction),
    growth: options.growth,
  });
  return { done, fractions };
}

/** What a child found out, as it tells in a failure's message. */
async function finding(script: string, sandbox: Sandbox, directory = testDirectory()): Promise<string> {
  const path = directory.path;
  const failing = `say({ type: 'ready' }); const { directory } = await task; const found = await (async () => {${script}})();
    say({ type: 'failed', code: 'processing_failed', message: JSON.stringify(found) })`;
  const error = await perform(child(failing, sandbox, directory), { directory: path }).done.catch((thrown) => thrown);
  return error.message;
}

describe('a task', () => {
  it('is handed over, watched, and its child is dead at the end', async () => {
    const script = `say({ type: 'ready' }); const { path } = await task;
      say({ type: 'progress', fraction: 0.5 }); say({ type: 'progress', fraction: 1 });
      say({ type: 'done', report: { ...report, notes: [path] } }); setInterval(() => {}, 1000)`;
    const working = child(script);
    const { done, fractions } = perform(working);
    expect(await done).toEqual({ streams: [], duration: 1, bytes: 2, chapters: 0, notes: ['/nowhere/file'] });
    expect(fractions).toEqual([0.5, 1]);
    expect(isAlive(working.pid ?? 0)).toBe(false);
  });

  it('fails as the child says', async () => {
    const script = `say({ type: 'ready' }); await task;
      say({ type: 'failed', code: 'input_unreadable', message: 'Input 1 is empty.', reason: 'no data' })`;
    await expect(perform(child(script)).done).rejects.toMatchObject({
      code: 'input_unreadable',
      message: 'Input 1 is empty.',
      reason: 'no data',
    });
  });

  it.each([
    ["process.kill(process.pid, 'SIGSEGV')", 'crashed (SIGSEGV)'],
    ["process.kill(process.pid, 'SIGABRT')", 'gave up (SIGABRT)'],
    ["process.kill(process.pid, 'SIGXCPU')", 'more processor time'],
    ["process.kill(process.pid, 'SIGKILL')", 'was killed by the system'],
    ['process.exit(7)', 'ended unexpectedly (exit code 7)'],
  ])('fails readably when the child does %s', async (crash, words) => {
    const script = `say({ type: 'ready' }); await task; console.error('last words'); ${crash}`;
    logged.length = 0;
    await expect(perform(child(script)).done).rejects.toMatchObject({
      code: 'processing_failed',
      message: expect.stringContaining(words),
    });
    expect(logged).toEqual([
      { fields: expect.objectContaining({ output: 'last words\n' }), message: expect.stringContaining(words) },
    ]);
  });

  it('fails when the child dies before it is ready, or cannot be started', async () => {
    await expect(perform(child('process.exit(3)')).done).rejects.toMatchObject({ code: 'processing_failed' });
    const broken = { ...bare, wrap: () => ['/no/such/program'] };
    await expect(perform(child('', broken)).done).rejects.toMatchObject({
      code: 'processing_failed',
      message: expect.stringContaining('could not be started'),
    });
  });

  it.each([
    ['nonsense', "say('what?\\n')", 'makes no sense'],
    ['a message that is almost right', "say({ type: 'done', report: { ...report, bytes: -1 } })", 'makes no sense'],
    ['a line without an end', "for (;;) say('x'.repeat(65536))", 'talked too much'],
  ])('stops a child that says %s', async (_what, speech, words) => {
    const talking = child(`say({ type: 'ready' }); await task; ${speech}; setInterval(() => {}, 1000)`);
    await expect(perform(talking).done).rejects.toMatchObject({
      code: 'processing_failed',
      message: expect.stringContaining(words),
    });
    expect(isAlive(talking.pid ?? 0)).toBe(false);
  });

  it('keeps only the end of what a child prints', async () => {
    logged.length = 0;
    const script = `say({ type: 'ready' }); await task; console.log('x'.repeat(100000)); console.log('the end');
      setTimeout(() => process.exit(1), 50)`;
    await perform(child(script)).done.catch(() => undefined);
    const { output } = { output: '', ...logged[0]?.fields };
    expect(output).toMatch(/^x+\nthe end\n$/);
    expect(output.length).toBeLessThanOrEqual(8192);
  });
});

describe('an end from outside', () => {
  const endless = "say({ type: 'ready' }); await task; say({ type: 'progress', fraction: 0 }); for (;;);";

  it('is the time limit', async () => {
    const working = child(endless);
    await expect(perform(working, { timeLimit: 300 }).done).rejects.toMatchObject({
      code: 'processing_timeout',
      message: 'Processing took longer than 0.3 seconds and was stopped.',
    });
    expect(isAlive(working.pid ?? 0)).toBe(false);
  });

  it('is the time limit counted from when all inputs are there', async () => {
    const growth = new Growth([{ bytes: 0, whole: false }]);
    // It says that it lives on well after the limit; then the rest arrives, and it hangs.
    const script = `say({ type: 'ready' });
      setTimeout(() => { say({ type: 'progress', fraction: 0.5 }); for (;;); }, 400)`;
    const { done, fractions } = perform(child(script), { timeLimit: 100, growth });
    await eventually(() => fractions.length > 0, 'the child to outlive the limit');
    growth.report(0, { bytes: 9, whole: true });
    await expect(done).rejects.toMatchObject({ code: 'processing_timeout' });
  });

  it('is the signal, with its reason', async () => {
    const working = child(endless);
    const controller = new AbortController();
    const { done } = perform(working, { signal: controller.signal });
    const reason = new Error('the job expired');
    setTimeout(() => controller.abort(reason), 100);
    await expect(done).rejects.toBe(reason);
    expect(isAlive(working.pid ?? 0)).toBe(false);
  });

  it('is a signal that was aborted before', async () => {
    const reason = new Error('too late');
    await expect(perform(child(endless), { signal: AbortSignal.abort(reason) }).done).rejects.toBe(reason);
  });
});

describe.runIf(process.platform === 'linux')('inside the sandbox', () => {
  const directory = testDirectory();
  mkdirSync(directory.file('jobs'));
  const job = { ...directory, path: directory.file('jobs/mine'), remove: () => undefined };
  mkdirSync(job.path);
  writeFileSync(directory.file('database'), 'secret');
  writeFileSync(`${job.path}/input`, 'media');
  const sandbox = createSandbox(limits, directory.path);
  const has = (layer: string) => !sandbox.missing.some((missing) => missing.startsWith(layer));

  // The scratch directory stands outside of the data directory, as the engine has it.
  const find = (script: string) => {
    const elsewhere = testDirectory();
    onTestFinished(elsewhere.remove);
    return finding(script, sandbox, { ...elsewhere, path: job.path });
  };

  it('there are no secrets in the environment', async () => {
    process.env.MILLRACE_TEST_SECRET = 'secret';
    onTestFinished(() => {
      delete process.env.MILLRACE_TEST_SECRET;
    });
    const names: string[] = JSON.parse(await find('return Object.keys(process.env)'));
    // What the shell sets by itself.
    expect(names.filter((name) => !['PWD', 'OLDPWD', 'SHLVL', '_'].includes(name)).sort()).toEqual([
      'MALLOC_ARENA_MAX',
      'NODE_COMPILE_CACHE',
    ]);
  });

  it.runIf(has('privileges'))("the service's own environment cannot be read either", async () => {
    expect(await find("return fs.readFileSync('/proc/' + process.ppid + '/environ', 'utf8').length")).not.toMatch(
      /^\d/,
    );
  });

  it.runIf(has('network'))('there is no network, not even to this machine', async () => {
    const interfaces = await find("return Object.keys(require('node:os').networkInterfaces())");
    expect(interfaces).toBe('[]');
    const refused = await find(`return new Promise((resolve) => require('node:net').connect(9, '127.0.0.1')
      .on('connect', () => resolve('connected')).on('error', (error) => resolve(error.code)))`);
    expect(refused).toBe('"ENETUNREACH"');
  });

  it.runIf(has('file system'))('of the data directory only the job is there', async () => {
    const found = await find(`const files = fs.readdirSync(${JSON.stringify(directory.path)}, { recursive: true });
      fs.writeFileSync(directory + '/result', fs.readFileSync(directory + '/input'));
      const refused = (write) => { try { write(); return 'written'; } catch (error) { return error.code; } };
      return [files.sort(), refused(() => fs.writeFileSync(directory + '/../other', '')),
        refused(() => fs.writeFileSync('/etc/millrace-test', ''))]`);
    expect(JSON.parse(found)).toEqual([['jobs', 'jobs/mine', 'jobs/mine/input'], 'EROFS', 'EROFS']);
    expect(readFileSync(`${job.path}/result`, 'utf8')).toBe('media');
  });

  it.runIf(has('file system'))('the compiled code that later children run is out of reach', async () => {
    const found = await find(`const modules = process.env.NODE_COMPILE_CACHE;
      try { fs.writeFileSync(modules + '/code', ''); } catch (error) { return [fs.readdirSync(modules), error.code]; }`);
    expect(JSON.parse(found)).toEqual([[], 'EROFS']);
  });

  it.runIf(has('resource limits: file size'))('a file can grow only so far', async () => {
    const size = await find(`const file = fs.openSync(directory + '/large', 'w');
      try { for (;;) fs.writeSync(file, Buffer.alloc(1000000)); } catch (error) {
        return [error.code, fs.fstatSync(file).size]; }`);
    expect(JSON.parse(size)).toEqual(['EFBIG', 10_000_384]);
  });

  it('is removed', () => directory.remove());
});
