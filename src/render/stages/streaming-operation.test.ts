import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ErrorCode, MillraceError } from '../../contract/errors.ts';
import { parseJob } from '../../contract/parse-job.ts';
import type { FetchedAdditions } from '../download/additions/fetch-additions.ts';
import type { ProcessReport } from '../engine/tasks/report.ts';
import { openStreamingOperation } from './streaming-operation.ts';
import { createTestEngine } from './testing/test-engine.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'millrace-streaming-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const report: ProcessReport = { streams: [], duration: 8, bytes: 1000, chapters: 0, notes: [] };

function prepare(exts: readonly string[], type = 'join_streams', signal = new AbortController().signal) {
  const job = parseJob({
    id: 'job',
    inputs: exts.map((ext, index) => ({ url: `https://a.example/${index}`, ext })),
    output: { ext: 'mp4' },
    operation: { type },
  });
  const { engine, calls } = createTestEngine();
  const log = pino({ enabled: false });
  const streaming = openStreamingOperation(job, { directory, signal, engine, log });
  const operation = streaming.kind === 'streaming' ? streaming.operation : undefined;
  return { operation, streaming, calls, job, engine, log };
}

const file = (...names: string[]) => ({ parts: names.map((name) => ({ path: join('/work', name), duration: 8 })) });
const fetchedInputs = (bytes: number) => [{ files: [{ ...file('a.ts'), bytes }] }];
const failure = (code: ErrorCode) => new MillraceError(code, 'It failed.');

describe('a streaming operation', () => {
  test('starts when all playlists have been read, and follows the growing files', async () => {
    const { operation, calls } = prepare(['m3u8', 'm3u8']);
    operation?.listener.onFiles(1, [file('b.ts'), file('b-2.ts')]);
    operation?.listener.onFileProgress('/work/b.ts', { bytes: 7, whole: false });
    expect(calls).toEqual([]);
    operation?.listener.onFiles(0, [file('a.ts')]);
    const files = [
      ['a.ts', 0],
      ['b.ts', 1],
      ['b-2.ts', 1],
    ] as const;
    const inputs = files.map(([name, jobInput]) => ({ path: `/work/${name}`, jobInput, duration: 8, growing: true }));
    expect(calls[0]?.task.inputs).toEqual(inputs);
    expect(calls[0]?.call.growingFiles?.files.map(({ bytes }) => bytes)).toEqual([0, 7, 0]);
    operation?.listener.onFileProgress('/work/b-2.ts', { bytes: 9, whole: true });
    expect(calls[0]?.call.growingFiles?.files[2]).toEqual({ bytes: 9, whole: true });
    await operation?.stop();
  });

  test('starts only when the files that the job adds have been fetched', async () => {
    const { job, engine, calls, log } = prepare(['m3u8'], 'convert_format');
    const additions = Promise.withResolvers<FetchedAdditions>();
    const { signal } = new AbortController();
    const context = { directory, signal, engine, log, additions: additions.promise };
    const streaming = openStreamingOperation(job, context);
    if (streaming.kind === 'declined') throw new Error(streaming.reason);
    const { operation } = streaming;
    operation.listener.onFiles(0, [file('a.ts')]);
    expect(calls).toEqual([]);
    const subtitles = [{ path: '/work/s.srt', addition: 1, format: 'srt', language: 'de', default: true }] as const;
    additions.resolve({ cover: { path: '/work/cover' }, subtitles, notes: [], bytes: 9 });
    await vi.waitFor(() => expect(calls).toHaveLength(1), { timeout: 60_000 });
    expect(calls[0]?.task).toMatchObject({
      inputs: [
        { path: '/work/a.ts', growing: true },
        { path: '/work/s.srt', language: 'de', subtitles: { format: 'srt', addition: 1, default: true } },
      ],
      output: { cover: { path: '/work/cover' } },
    });
    await operation.stop();
  });

  test('ends before the files that the job adds have been fetched', async () => {
    const { job, engine, calls, log } = prepare(['m3u8'], 'convert_format');
    const { signal } = new AbortController();
    const additions = Promise.withResolvers<FetchedAdditions>().promise;
    const streaming = openStreamingOperation(job, { directory, signal, engine, log, additions });
    if (streaming.kind === 'declined') throw new Error(streaming.reason);
    streaming.operation.listener.onFiles(0, [file('a.ts')]);
    await streaming.operation.stop();
    expect(calls).toEqual([]);
  });

  test('reports progress only once its result is awaited', async () => {
    const { operation, calls } = prepare(['m3u8'], 'convert_format');
    operation?.listener.onFiles(0, [file('a.ts')]);
    calls[0]?.call.onProgress?.(0.3);
    const reportedFractions: number[] = [];
    const result = operation?.result(fetchedInputs(900), (fraction) => reportedFractions.push(fraction));
    calls[0]?.call.onProgress?.(0.4);
    calls[0]?.end.resolve(report);
    expect(await result).toEqual({ kind: 'streamed', report, path: join(directory, 'streamed.mp4') });
    expect(reportedFractions).toEqual([0.4]);
  });

  test('follows the growing parts of a playlist, including those of separate audio', async () => {
    const { operation, calls } = prepare(['m3u8'], 'extract_audio');
    operation?.listener.onFiles(0, [file('a.ts', 'a-2.ts'), file('s.ts', 's-2.ts')]);
    expect(calls[0]?.task.inputs).toMatchObject([
      { path: '/work/a.ts', jobInput: 0, growing: true, followedBy: [{ path: '/work/a-2.ts', growing: true }] },
      { path: '/work/s.ts', jobInput: 0, growing: true, followedBy: [{ path: '/work/s-2.ts', growing: true }] },
    ]);
    operation?.listener.onFileProgress('/work/s.ts', { bytes: 9, whole: true });
    expect(calls[0]?.call.growingFiles?.files.map(({ bytes }) => bytes)).toEqual([0, 0, 9, 0]);
    await operation?.stop();
  });

  test('is declined for an input that is not a playlist', async () => {
    const { streaming, calls } = prepare(['m3u8', 'mp4'], 'join_streams');
    expect(streaming).toMatchObject({ kind: 'declined' });
    expect(calls).toEqual([]);
  });

  test.each<ErrorCode>(['processing_failed', 'incompatible_codecs', 'input_unreadable', 'input_incomplete'])(
    'that ends as %s is declined and leaves no file',
    async (code) => {
      const { operation, calls } = prepare(['m3u8'], 'convert_format');
      operation?.listener.onFiles(0, [file('a.ts')]);
      await writeFile(join(directory, 'streamed.mp4'), 'half');
      calls[0]?.end.reject(failure(code));
      expect(await operation?.result(fetchedInputs(900), () => undefined)).toMatchObject({ kind: 'declined' });
      await expect(access(join(directory, 'streamed.mp4'))).rejects.toMatchObject({ code: 'ENOENT' });
    },
  );

  test('that times out is not repeated', async () => {
    const { operation, calls } = prepare(['m3u8'], 'convert_format');
    operation?.listener.onFiles(0, [file('a.ts')]);
    calls[0]?.end.reject(failure('processing_timeout'));
    await expect(operation?.result(fetchedInputs(900), () => undefined)).rejects.toMatchObject({
      code: 'processing_timeout',
    });
  });

  test('is declined if its result is larger than its inputs allow', async () => {
    const { operation, calls } = prepare(['m3u8'], 'convert_format');
    operation?.listener.onFiles(0, [file('a.ts')]);
    calls[0]?.end.resolve({ ...report, bytes: 1024 ** 3 });
    expect(await operation?.result(fetchedInputs(900), () => undefined)).toMatchObject({ kind: 'declined' });
    await expect(access(join(directory, 'streamed.mp4'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('ends when it is stopped, and when the job ends', async () => {
    const stoppedRun = prepare(['m3u8'], 'convert_format');
    stoppedRun.operation?.listener.onFiles(0, [file('a.ts')]);
    await stoppedRun.operation?.stop();
    expect(stoppedRun.calls[0]?.call.signal.aborted).toBe(true);
    const job = new AbortController();
    const abortedRun = prepare(['m3u8'], 'convert_format', job.signal);
    abortedRun.operation?.listener.onFiles(0, [file('a.ts')]);
    const result = abortedRun.operation?.result(fetchedInputs(900), () => undefined);
    job.abort(new Error('expired'));
    await expect(result).rejects.toThrow('expired');
  });
});
