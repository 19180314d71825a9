import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ErrorCode, MillraceError } from '../../contract/errors.ts';
import { parseJob } from '../../contract/parse-job.ts';
import type { ProcessReport } from '../engine/tasks/report.ts';
import { workAhead } from './ahead.ts';
import { engineOfTest } from './testing/engine.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'millrace-ahead-'));
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
  const { engine, calls } = engineOfTest();
  return { ahead: workAhead(job, { directory, signal, engine, log: pino({ enabled: false }) }), calls };
}

const file = (...names: string[]) => ({ parts: names.map((name) => ({ path: join('/work', name), duration: 8 })) });
const fetched = (bytes: number) => [{ files: [{ ...file('a.ts'), bytes }] }];
const failed = (code: ErrorCode) => new MillraceError(code, 'It failed.');

describe('work ahead', () => {
  test('begins when all playlists are known, and hears how their files grow', async () => {
    const { ahead, calls } = prepare(['m3u8', 'm3u8']);
    ahead?.watch.planned(1, [file('b.ts'), file('b-2.ts')]);
    ahead?.watch.grown('/work/b.ts', { bytes: 7, whole: false });
    expect(calls).toEqual([]);
    ahead?.watch.planned(0, [file('a.ts')]);
    const files = [
      ['a.ts', 0],
      ['b.ts', 1],
      ['b-2.ts', 1],
    ] as const;
    const inputs = files.map(([name, jobInput]) => ({ path: `/work/${name}`, jobInput, duration: 8, growing: true }));
    expect(calls[0]?.task.inputs).toEqual(inputs);
    expect(calls[0]?.call.growingFiles?.files.map(({ bytes }) => bytes)).toEqual([0, 7, 0]);
    ahead?.watch.grown('/work/b-2.ts', { bytes: 9, whole: true });
    expect(calls[0]?.call.growingFiles?.files[2]).toEqual({ bytes: 9, whole: true });
    await ahead?.stop();
  });

  test('tells progress only from when its result is waited for', async () => {
    const { ahead, calls } = prepare(['m3u8'], 'convert_format');
    ahead?.watch.planned(0, [file('a.ts')]);
    calls[0]?.call.onProgress?.(0.3);
    const heard: number[] = [];
    const result = ahead?.result(fetched(900), (fraction) => heard.push(fraction));
    calls[0]?.call.onProgress?.(0.4);
    calls[0]?.end.resolve(report);
    expect(await result).toMatchObject({ report, path: join(directory, 'ahead.mp4') });
    expect(heard).toEqual([0.4]);
  });

  test('hears how the parts of a playlist grow, those of its sound apart among them', async () => {
    const { ahead, calls } = prepare(['m3u8'], 'extract_audio');
    ahead?.watch.planned(0, [file('a.ts', 'a-2.ts'), file('s.ts', 's-2.ts')]);
    expect(calls[0]?.task.inputs).toMatchObject([
      { path: '/work/a.ts', jobInput: 0, growing: true, followedBy: [{ path: '/work/a-2.ts', growing: true }] },
      { path: '/work/s.ts', jobInput: 0, growing: true, followedBy: [{ path: '/work/s-2.ts', growing: true }] },
    ]);
    ahead?.watch.grown('/work/s.ts', { bytes: 9, whole: true });
    expect(calls[0]?.call.growingFiles?.files.map(({ bytes }) => bytes)).toEqual([0, 0, 9, 0]);
    await ahead?.stop();
  });

  test('leaves an input that is no playlist to the files', async () => {
    const { ahead, calls } = prepare(['m3u8', 'mp4'], 'join_streams');
    ahead?.watch.planned(0, [file('a.ts')]);
    expect(calls).toEqual([]);
    expect(await ahead?.result(fetched(900), () => undefined)).toBeUndefined();
  });

  test.each<ErrorCode>(['processing_failed', 'incompatible_codecs', 'input_unreadable', 'input_incomplete'])(
    'that ends as %s leaves it to the files, and nothing of its own',
    async (code) => {
      const { ahead, calls } = prepare(['m3u8'], 'convert_format');
      ahead?.watch.planned(0, [file('a.ts')]);
      await writeFile(join(directory, 'ahead.mp4'), 'half');
      calls[0]?.end.reject(failed(code));
      expect(await ahead?.result(fetched(900), () => undefined)).toBeUndefined();
      await expect(access(join(directory, 'ahead.mp4'))).rejects.toMatchObject({ code: 'ENOENT' });
    },
  );

  test('that took too long is not begun again', async () => {
    const { ahead, calls } = prepare(['m3u8'], 'convert_format');
    ahead?.watch.planned(0, [file('a.ts')]);
    calls[0]?.end.reject(failed('processing_timeout'));
    await expect(ahead?.result(fetched(900), () => undefined)).rejects.toMatchObject({ code: 'processing_timeout' });
  });

  test('whose result is larger than its inputs allow leaves it to the files', async () => {
    const { ahead, calls } = prepare(['m3u8'], 'convert_format');
    ahead?.watch.planned(0, [file('a.ts')]);
    calls[0]?.end.resolve({ ...report, bytes: 1024 ** 3 });
    expect(await ahead?.result(fetched(900), () => undefined)).toBeUndefined();
    await expect(access(join(directory, 'ahead.mp4'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('ends when it is stopped, and with the job', async () => {
    const stopped = prepare(['m3u8'], 'convert_format');
    stopped.ahead?.watch.planned(0, [file('a.ts')]);
    await stopped.ahead?.stop();
    expect(stopped.calls[0]?.call.signal.aborted).toBe(true);
    const job = new AbortController();
    const aborted = prepare(['m3u8'], 'convert_format', job.signal);
    aborted.ahead?.watch.planned(0, [file('a.ts')]);
    const result = aborted.ahead?.result(fetched(900), () => undefined);
    job.abort(new Error('expired'));
    await expect(result).rejects.toThrow('expired');
  });
});
