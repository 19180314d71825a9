import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseJob } from '../../contract/parse-job.ts';
import type { Engine } from '../engine/engine.ts';
import type { ProcessReport } from '../engine/tasks/report.ts';
import { createInProcessEngine } from '../engine/testing/in-process-engine.ts';
import { type MediaDirectory, type MediaName, makeMedia } from '../engine/testing/test-media.ts';
import { processMedia } from './process-media.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia(
    'av.mp4',
    'av.ts',
    'av.mkv',
    'gap.mp4',
    'gap.mkv',
    'gap.ts',
    'lost-frame.mp4',
    'late-audio.mp4',
    'long-audio.mp4',
  );
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

let jobs = 0;

/** Runs the job stage on a file, with an engine that tampers with its result. */
async function processAndTamper(
  from: MediaName,
  ext: string,
  harm: (report: ProcessReport, path: string) => ProcessReport | Promise<ProcessReport>,
  copyStreams = true,
  clip?: { readonly start: number; readonly end: number },
): Promise<unknown> {
  jobs += 1;
  const directory = media.file(`job-${jobs}`);
  mkdirSync(directory);
  const bad: Engine = {
    ...engine,
    process: async (task, call) => harm(await engine.process(task, call), task.output.path),
  };
  const path = media.file(from);
  const job = parseJob({
    id: 'sabotage',
    inputs: [{ url: 'https://cdn.example/file', ext: 'mp4' }],
    output: { ext },
    operation: { type: 'convert_format', copyStreams },
    ...(clip && { clip }),
  });
  const inputs = [{ files: [{ parts: [{ path }], bytes: statSync(path).size }] }];
  const call = { signal: new AbortController().signal, onProgress: () => undefined };
  return await processMedia(job, { kind: 'whole', inputs, reason: 'a test' }, directory, bad, call);
}

/** Returns a function that replaces a result with another file, remuxed into the same container. */
const replaceResult = (name: MediaName) => async (report: ProcessReport, path: string) => {
  const { signal } = new AbortController();
  const operation = { type: 'convert_format', copyStreams: true } as const;
  const ext = path.slice(path.lastIndexOf('.') + 1);
  const replacementPath = media.file(`doctored.${ext}`);
  const task = {
    directory: media.path,
    inputs: [{ path: media.file(name) }],
    output: { path: replacementPath, ext },
    operation,
  };
  const { bytes } = await engine.process({ ...task, maxOutputBytes: 1e8 }, { signal });
  copyFileSync(replacementPath, path);
  return { ...report, bytes };
};

const unproven = (reason: RegExp) =>
  expect.objectContaining({ code: 'result_unproven', message: expect.stringMatching(reason) });

describe('verification of tampered results', () => {
  it('accepts a result that was not changed', async () => {
    await expect(processAndTamper('av.mp4', 'mp4', (report) => report)).resolves.toBeDefined();
  });

  it.each<[MediaName, string, MediaName, RegExp]>([
    ['av.mp4', 'mp4', 'gap.mp4', /it plays 9\.\d s instead of 4\.\d s/],
    ['av.ts', 'mp4', 'gap.ts', /it plays 9\.\d s instead of 4\.\d s/],
    ['av.mp4', 'mov', 'gap.mp4', /it plays 9\.\d s instead of 4\.\d s/],
    ['av.mkv', 'mkv', 'gap.mkv', /it plays 9\.\d s instead of 4\.\d s/],
    ['av.mp4', 'ts', 'gap.mp4', /it plays 9\.\d s instead of 4\.\d s/],
    ['gap.mp4', 'mp4', 'av.mp4', /its video plays 4.0 s instead of 9.0 s/],
    ['long-audio.mp4', 'mp4', 'av.mp4', /its video plays 4.0 s instead of 2.0 s/],
    ['av.mp4', 'mp4', 'late-audio.mp4', /its audio plays 2.5 s instead of 4.0 s/],
  ])('rejects the result of %s into %s if %s replaces it', async (from, ext, other, reason) => {
    await expect(processAndTamper(from, ext, replaceResult(other))).rejects.toEqual(unproven(reason));
    await expect(processAndTamper(from, ext, replaceResult(other), false)).rejects.toEqual(unproven(reason));
  });

  it('detects a changed byte in a sample table', async () => {
    const harm = (report: ProcessReport, path: string) => {
      const bytes = readFileSync(path);
      // The first run of the first track's time table: the duration of each video sample.
      const at = bytes.indexOf('stts') + 4 + 4 + 4 + 4;
      bytes.writeUInt32BE(2 * bytes.readUInt32BE(at), at);
      writeFileSync(path, bytes);
      return report;
    };
    await expect(processAndTamper('av.mp4', 'mp4', harm)).rejects.toEqual(unproven(/it plays 8.0 s instead of 4.0 s/));
  });

  it.each(['mp4', 'mov'])('detects a lost frame in the middle of a copy in %s', async (ext) => {
    const reason = /its video has 99 packets instead of 100/;
    await expect(processAndTamper('av.mp4', ext, replaceResult('lost-frame.mp4'))).rejects.toEqual(unproven(reason));
  });

  it("detects a lost frame by the muxer's report if the file does not list frames", async () => {
    const harm = (report: ProcessReport): ProcessReport => ({
      ...report,
      streams: report.streams.map(({ stats, ...stream }) => {
        const { packets = 0 } = stats ?? {};
        return { ...stream, ...(stats && { stats: { ...stats, packets: packets - 1 } }) };
      }),
    });
    const reason = /its video has 99 packets instead of 100/;
    await expect(processAndTamper('av.mkv', 'mkv', harm)).rejects.toEqual(unproven(reason));
  });

  it.each([
    // The number of picture parameter sets in the header follows the sequence parameter set and its size.
    ['mp4', (bytes: Buffer) => bytes.indexOf('avcC') + 4 + 6 + 2 + bytes.readUInt16BE(bytes.indexOf('avcC') + 10), 0],
    // The first picture parameter set becomes padding.
    ['ts', (bytes: Buffer) => bytes.indexOf(Buffer.from([0, 0, 1, 0x68])) + 3, 0x6c],
  ])('rejects a copied clip in %s that cannot be decoded from its first frame', async (ext, find, value) => {
    const harm = (report: ProcessReport, path: string) => {
      const bytes = readFileSync(path);
      bytes.writeUInt8(value, find(bytes));
      writeFileSync(path, bytes);
      return report;
    };
    const clip = { start: 0, end: 2 };
    await expect(processAndTamper('av.mp4', ext, (report) => report, true, clip)).resolves.toBeDefined();
    const reason = /its video begins with a frame that cannot be decoded without others/;
    await expect(processAndTamper('av.mp4', ext, harm, true, clip)).rejects.toEqual(unproven(reason));
  });

  it('rejects a report with wrong figures about its inputs', async () => {
    const harm = (report: ProcessReport): ProcessReport => ({
      ...report,
      streams: report.streams.map(({ origin, ...stream }) => {
        if (origin === undefined || stream.kind === 'video') return { ...stream, ...(origin && { origin }) };
        const sources = origin.sources.map(({ stats, ...source }) => {
          return {
            ...source,
            ...(stats && { stats: { ...stats, first: stats.first - 1, last: stats.last - 1 } }),
          };
        });
        return { ...stream, origin: { ...origin, sources } };
      }),
    });
    const reason = /its audio begins together with its video instead of 1.0 s before it/;
    await expect(processAndTamper('av.mp4', 'mp4', harm)).rejects.toEqual(unproven(reason));
  });
});
