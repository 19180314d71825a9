import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import type { ChildReport, ChildTask } from '../protocol/messages.ts';
import type { Restrictions } from '../self-restriction/restrictions.ts';
import { GrowingFiles } from '../tasks/growing-files.ts';
import { isAlive, waitUntil } from '../testing/processes.ts';
import { makeTestDirectory } from '../testing/test-media.ts';
import { type ChildLog, EngineChild } from './engine-child.ts';

const started: EngineChild[] = [];
afterEach(async () => {
  for (const child of started.splice(0)) {
    child.stop(new Error('the test is over'));
    await child.exited;
  }
});

const reportedRestrictions: Restrictions[] = [];
const logEntries: { fields: object; message: string }[] = [];
const log: ChildLog = {
  debug: (fields, message) => logEntries.push({ fields, message }),
  warn: (fields, message) => logEntries.push({ fields, message }),
};

/** An unconfined child that runs a script. In the script, `say` sends a message and `task` resolves to the task. */
function child(script: string, wrap = (line: readonly string[]) => line): EngineChild {
  const directory = makeTestDirectory();
  onTestFinished(directory.remove);
  const prelude = `
    const fs = require('node:fs');
    const say = (message) => fs.writeSync(3, typeof message === 'string' ? message : JSON.stringify(message) + '\\n');
    const ready = () => say({ type: 'ready', landlock: 3, systemCalls: false });
    const task = new Promise((resolve) => process.stdin.once('data', (text) => resolve(JSON.parse(String(text).split('\\n', 1)[0]))));
    const report = { streams: [], duration: 1, bytes: 2, chapters: 0, notes: [] };
  `;
  const engineChild = new EngineChild({
    command: wrap([process.execPath, '--disable-wasm-trap-handler', '-e', `${prelude}(async () => {${script}})()`]),
    directory: directory.path,
    env: {},
    processNamespace: false,
    descriptors: [],
    onReady: (restrictions) => reportedRestrictions.push(restrictions),
    log,
  });
  started.push(engineChild);
  return engineChild;
}

function perform(
  on: EngineChild,
  options: { signal?: AbortSignal; timeLimit?: number; growingFiles?: GrowingFiles } = {},
) {
  const fractions: number[] = [];
  const task: ChildTask = { type: 'probe', directory: '/nowhere', path: '/nowhere/file', ext: 'mp4' };
  const result: Promise<ChildReport> = on.perform(task, {
    signal: options.signal ?? new AbortController().signal,
    timeLimit: options.timeLimit ?? 20_000,
    onProgress: (fraction) => fractions.push(fraction),
    growingFiles: options.growingFiles,
  });
  return { result, fractions };
}

describe('a task', () => {
  it('is sent to its child, is monitored, and leaves no child process when it ends', async () => {
    const script = `ready(); const { path } = await task;
      say({ type: 'progress', fraction: 0.5 }); say({ type: 'progress', fraction: 1 });
      say({ type: 'done', report: { ...report, notes: [{ code: 'stream_left_out', message: path }] } }); setInterval(() => {}, 1000)`;
    const working = child(script);
    const { result, fractions } = perform(working);
    expect(await result).toEqual({
      streams: [],
      duration: 1,
      bytes: 2,
      chapters: 0,
      notes: [{ code: 'stream_left_out', message: '/nowhere/file' }],
    });
    expect(fractions).toEqual([0.5, 1]);
    expect(isAlive(working.pid ?? 0)).toBe(false);
    expect(reportedRestrictions.at(-1)).toMatchObject({ landlock: 3, systemCalls: false });
  });

  it('fails with the error that the child reports', async () => {
    const script = `ready(); await task;
      say({ type: 'failed', code: 'input_unreadable', message: 'Input 1 is empty.', reason: 'no data' })`;
    await expect(perform(child(script)).result).rejects.toMatchObject({
      code: 'input_unreadable',
      message: 'Input 1 is empty.',
      reason: 'no data',
    });
  });

  it.each([
    ["process.kill(process.pid, 'SIGSEGV')", 'crashed (SIGSEGV)'],
    ["process.kill(process.pid, 'SIGABRT')", 'failed an internal check (SIGABRT)'],
    ['process.exit(128 + 6)', 'failed an internal check (SIGABRT)'],
    ['process.exit(128 + 25)', 'grew too large (SIGXFSZ)'],
    ["process.kill(process.pid, 'SIGXCPU')", 'limit of processor time'],
    ["process.kill(process.pid, 'SIGKILL')", 'was killed by the system'],
    ['process.exit(7)', 'ended unexpectedly (exit code 7)'],
    // Shells report a signal as this exit code.
    ['process.exit(128 + 11)', 'crashed (SIGSEGV)'],
  ])('fails with a clear message when the child runs %s', async (crash, words) => {
    const script = `ready(); await task; console.error('last words'); ${crash}`;
    logEntries.length = 0;
    await expect(perform(child(script)).result).rejects.toMatchObject({
      code: 'processing_failed',
      message: expect.stringContaining(words),
    });
    expect(logEntries).toEqual([
      { fields: expect.objectContaining({ output: 'last words\n' }), message: expect.stringContaining(words) },
    ]);
  });

  it.each([
    ['a failed check of the media library', '', false, /an internal check.*the same job would fail again/],
    [
      'heap exhaustion',
      'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
      true,
      /memory/,
    ],
    ['out of memory outside the heap', "terminate called after throwing 'std::bad_alloc'", true, /out of memory/],
  ])('fails with the cause that the output before an abort indicates: %s', async (_what, words, retryable, message) => {
    const script = `ready(); await task; fs.writeSync(2, ${JSON.stringify(words)}); process.kill(process.pid, 'SIGABRT')`;
    await expect(perform(child(script)).result).rejects.toMatchObject({
      code: 'processing_failed',
      retryable,
      message: expect.stringMatching(message),
    });
  });

  it('fails with a clear message when too many files are open', async () => {
    const script = `ready(); await task; fs.writeSync(2, 'Error: EMFILE: too many open files'); process.exit(1)`;
    await expect(perform(child(script)).result).rejects.toMatchObject({
      code: 'processing_failed',
      message:
        'The media engine cannot open another file, because too many are open on its machine. ' +
        'Start the job again when the service is less busy.',
      retryable: true,
    });
  });

  it('fails with the `retryable` value that the child reports', async () => {
    const script = `ready(); await task;
      say({ type: 'failed', code: 'processing_failed', message: 'The result is too large.', retryable: false })`;
    await expect(perform(child(script)).result).rejects.toMatchObject({ code: 'processing_failed', retryable: false });
  });

  it('fails when the child dies before it is ready or cannot be started', async () => {
    await expect(perform(child('process.exit(3)')).result).rejects.toMatchObject({ code: 'processing_failed' });
    await expect(perform(child('', () => ['/no/such/program'])).result).rejects.toMatchObject({
      code: 'processing_failed',
      message: expect.stringContaining('could not be started'),
    });
  });

  it.each([
    ['nonsense', "say('what?\\n')", 'invalid response'],
    ['a message that is almost right', "say({ type: 'done', report: { ...report, bytes: -1 } })", 'invalid response'],
    ['a line without an end', "for (;;) say('x'.repeat(65536))", 'sent too much data'],
  ])('fails and has its child stopped when the child sends %s', async (_what, speech, words) => {
    const talking = child(`ready(); await task; ${speech}; setInterval(() => {}, 1000)`);
    await expect(perform(talking).result).rejects.toMatchObject({
      code: 'processing_failed',
      message: expect.stringContaining(words),
    });
    expect(isAlive(talking.pid ?? 0)).toBe(false);
  });

  it('has only the end of its child’s output logged', async () => {
    logEntries.length = 0;
    const script = `ready(); await task; console.log('x'.repeat(100000)); console.log('the end');
      setTimeout(() => process.exit(1), 50)`;
    await perform(child(script)).result.catch(() => undefined);
    const { output } = { output: '', ...logEntries[0]?.fields };
    expect(output).toMatch(/^x+\nthe end\n$/);
    expect(output.length).toBeLessThanOrEqual(8192);
  });
});

describe('a stopped task', () => {
  const endless = "ready(); await task; say({ type: 'progress', fraction: 0 }); for (;;);";

  it('ends at its time limit', async () => {
    const working = child(endless);
    await expect(perform(working, { timeLimit: 300 }).result).rejects.toMatchObject({
      code: 'processing_timeout',
      message: 'Processing took longer than 0.3 seconds and was stopped.',
    });
    expect(isAlive(working.pid ?? 0)).toBe(false);
  });

  it('has a time limit that is counted from the arrival of all inputs', async () => {
    const growingFiles = new GrowingFiles([{ bytes: 0, whole: false }]);
    // The child reports progress well after the limit. Then the rest of the input arrives, and the child hangs.
    const script = `ready();
      setTimeout(() => { say({ type: 'progress', fraction: 0.5 }); for (;;); }, 400)`;
    const { result, fractions } = perform(child(script), { timeLimit: 100, growingFiles });
    await waitUntil(() => fractions.length > 0, 'the child to outlive the limit');
    growingFiles.report(0, { bytes: 9, whole: true });
    await expect(result).rejects.toMatchObject({ code: 'processing_timeout' });
  });

  it('fails with the reason of its signal', async () => {
    const working = child(endless);
    const controller = new AbortController();
    const { result } = perform(working, { signal: controller.signal });
    const reason = new Error('the job expired');
    setTimeout(() => controller.abort(reason), 100);
    await expect(result).rejects.toBe(reason);
    expect(isAlive(working.pid ?? 0)).toBe(false);
  });

  it('is rejected if its signal was already aborted', async () => {
    const reason = new Error('too late');
    await expect(perform(child(endless), { signal: AbortSignal.abort(reason) }).result).rejects.toBe(reason);
  });
});
