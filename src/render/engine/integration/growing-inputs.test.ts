/** @module-tag long */

import { openSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../testing/property-runs.ts';
import { createEngine } from '../create-engine.ts';
import type { Engine } from '../engine.ts';
import { readResult } from '../mp4/read-result.ts';
import { type ArrivedRange, GrowingFiles } from '../tasks/growing-files.ts';
import type { EngineInput } from '../tasks/task.ts';
import { childrenOf, waitUntil } from '../testing/processes.ts';
import { type MediaDirectory, makeMedia, mediaSeconds } from '../testing/test-media.ts';
import { demuxTransportStream, muxTransportStream } from '../testing/transport-stream.ts';
import { verifyResult } from '../verification/verify-result.ts';

let media: MediaDirectory;
let engine: Engine;
let film: Buffer;
const films = 160;
/** Log lines of the children. */
let remarks: string[] = [];

beforeAll(async () => {
  media = await makeMedia('av.ts', 'a.mp3', 'a.aac');
  const note = (fields: object) => {
    if ('output' in fields) remarks.push(String(fields.output));
  };
  engine = createEngine({ directory: media.path, spares: 2, log: { debug: note, warn: note } });
  // A film that repeats a short one, so its clock restarts each time. It is so long that processing can start long
  // before its end arrives.
  film = Buffer.concat(Array.from({ length: films }, () => readFileSync(media.file('av.ts'))));
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

/** Creates a growing file. The bytes that have not arrived are junk. */
function growing(name: string, bytes: Buffer) {
  const path = media.file(name);
  writeFileSync(path, Buffer.alloc(bytes.length, 0xff));
  const file = openSync(path, 'r+');
  let position = 0;
  return {
    path,
    arrive(upTo: number): ArrivedRange {
      position += writeSync(file, bytes, position, upTo - position, position);
      return { bytes: position, whole: position === bytes.length };
    },
  };
}

const nothing: ArrivedRange = { bytes: 0, whole: false };

function work(
  inputs: readonly EngineInput[],
  growingFiles: GrowingFiles | undefined,
  { name = 'result', ...call }: { name?: string; signal?: AbortSignal; onProgress?: (fraction: number) => void } = {},
) {
  return engine.process(
    {
      directory: media.path,
      inputs,
      output: { path: media.file(`${name}.mp4`), ext: 'mp4' },
      operation: { type: 'join_streams', copyStreams: true },
      maxOutputBytes: 100_000_000,
    },
    { signal: new AbortController().signal, ...call, ...(growingFiles === undefined ? {} : { growingFiles }) },
  );
}

const expectedDuration = films * mediaSeconds;

describe('a growing input', () => {
  it('yields the same result as the whole file, and is mostly processed before its end has arrived', async () => {
    const file = growing('film.ts', film);
    const growingFiles = new GrowingFiles([nothing]);
    const task = { path: file.path, duration: expectedDuration, growing: true } as const;
    let furthest = 0;
    const done = work([task], growingFiles, { onProgress: (fraction) => (furthest = Math.max(furthest, fraction)) });
    growingFiles.report(0, file.arrive(Math.floor(film.length * 0.9)));
    await waitUntil(() => furthest > 0.2, 'work to get on while the rest is missing');
    expect(furthest).toBeLessThan(0.9);
    growingFiles.report(0, file.arrive(film.length));
    const report = await done;
    writeFileSync(media.file('whole.ts'), film);
    const whole = await work([{ path: media.file('whole.ts'), duration: expectedDuration }], undefined, {
      name: 'whole',
    });
    expect(report).toEqual(whole);
    expect(readFileSync(media.file('result.mp4')).equals(readFileSync(media.file('whole.mp4')))).toBe(true);
  });

  it('is copied without the media library if it is plain', async () => {
    const packets = demuxTransportStream(readFileSync(media.file('av.ts')));
    const plain = muxTransportStream(
      Array.from({ length: films }, (_, at) => {
        // The audio is slightly longer than the video.
        const ticks = at * (mediaSeconds + 0.1) * 90_000;
        return packets.map((packet) => ({ ...packet, pts: packet.pts + ticks, dts: packet.dts + ticks }));
      }).flat(),
    );
    const file = growing('plain.ts', plain);
    const growingFiles = new GrowingFiles([nothing]);
    let furthest = 0;
    remarks = [];
    const done = work([{ path: file.path, duration: expectedDuration, growing: true }], growingFiles, {
      onProgress: (fraction) => (furthest = Math.max(furthest, fraction)),
    });
    growingFiles.report(0, file.arrive(Math.floor(plain.length * 0.9)));
    await waitUntil(() => furthest > 0.2, 'work to get on while the rest is missing');
    growingFiles.report(0, file.arrive(plain.length));
    const report = await done;
    expect(remarks).toEqual([]);
    expect(report.streams.map(({ kind, codec }) => [kind, codec])).toEqual([
      ['video', 'h264'],
      ['audio', 'aac'],
    ]);
    const probe = await readResult(media.file('result.mp4'));
    if (probe === undefined) throw new Error('the result is not plain');
    verifyResult(report, probe);
  });

  it('may arrive in steps of any size', async () => {
    const steps = fc.array(fc.integer({ min: 1, max: film.length }), { maxLength: 12 });
    writeFileSync(media.file('whole.ts'), film);
    await work([{ path: media.file('whole.ts') }], undefined, { name: 'whole' });
    const expected = readFileSync(media.file('whole.mp4'));
    await fc.assert(
      fc.asyncProperty(steps, async (ends) => {
        const file = growing('film.ts', film);
        const growingFiles = new GrowingFiles([nothing]);
        const done = work([{ path: file.path, growing: true }], growingFiles);
        for (const end of [...ends.toSorted((a, b) => a - b), film.length]) {
          growingFiles.report(0, file.arrive(end));
          await nextTurn();
        }
        await done;
        expect(readFileSync(media.file('result.mp4')).equals(expected)).toBe(true);
      }),
      { seed: 7, numRuns: propertyRuns(2) },
    );
  });

  it('may arrive in parts, each of which is read as soon as it is available', async () => {
    const quarter = film.subarray(0, film.length / 4);
    const [first, second] = [growing('part-1.ts', quarter), growing('part-2.ts', quarter)];
    const growingFiles = new GrowingFiles([nothing, nothing]);
    const [begin, next] = [first, second].map(({ path }) => {
      return { path, duration: expectedDuration / 4, growing: true as const };
    });
    if (begin === undefined || next === undefined) throw new Error('there are no parts');
    const done = work([{ ...begin, followedBy: [next] }], growingFiles);
    growingFiles.report(1, second.arrive(quarter.length / 4));
    growingFiles.report(0, first.arrive(quarter.length));
    growingFiles.report(1, second.arrive(quarter.length));
    const report = await done;
    const parts = [{ path: first.path, followedBy: [{ path: second.path }] }];
    expect(report).toEqual(await work(parts, undefined, { name: 'whole' }));
    expect(readFileSync(media.file('result.mp4')).equals(readFileSync(media.file('whole.mp4')))).toBe(true);
  });

  it('is not blocked by another input that arrives later', async () => {
    const [first, second] = [growing('first.ts', film), growing('second.ts', film)];
    const growingFiles = new GrowingFiles([nothing, nothing]);
    const inputs = [first, second].map(({ path }) => ({ path, duration: expectedDuration, growing: true as const }));
    const done = work(inputs, growingFiles);
    growingFiles.report(0, first.arrive(film.length));
    growingFiles.report(1, second.arrive(film.length / 4));
    growingFiles.report(1, second.arrive(film.length));
    expect((await done).streams).toHaveLength(4);
  });

  it.each(['a.mp3', 'a.aac'])('is processed only once complete if its format requires that (%s)', async (name) => {
    const bytes = readFileSync(media.file(name));
    const sound = Buffer.concat(Array.from({ length: 30 }, () => bytes));
    const file = growing('sound', sound);
    const growingFiles = new GrowingFiles([nothing]);
    const done = work([{ path: file.path, growing: true }], growingFiles);
    growingFiles.report(0, file.arrive(sound.length - 10_000));
    growingFiles.report(0, file.arrive(sound.length));
    const report = await done;
    writeFileSync(media.file('whole'), sound);
    expect(report).toEqual(await work([{ path: media.file('whole') }], undefined, { name: 'whole' }));
  });

  it('is rejected when it ends before its declared duration', async () => {
    const file = growing('film.ts', film);
    const growingFiles = new GrowingFiles([nothing]);
    const done = work([{ path: file.path, duration: expectedDuration * 1.1, growing: true }], growingFiles);
    growingFiles.report(0, file.arrive(film.length));
    await expect(done).rejects.toMatchObject({ code: 'input_incomplete' });
  });

  it('is rejected as unreadable once it has arrived if it is not media', async () => {
    const page = Buffer.from(`<html>${'x'.repeat(2_000_000)}`);
    const file = growing('page.ts', page);
    const growingFiles = new GrowingFiles([nothing]);
    const done = work([{ path: file.path, growing: true }], growingFiles);
    growingFiles.report(0, file.arrive(1_900_000));
    growingFiles.report(0, file.arrive(page.length));
    await expect(done).rejects.toMatchObject({ code: 'input_unreadable' });
  });

  it('is rejected if it was read beyond the bytes that had arrived', async () => {
    // Null packets, which a reader skips in one go (ISO/IEC 13818-1 §2.4.1).
    const empty = Buffer.alloc(188, 0xff);
    empty.set([0x47, 0x1f, 0xff, 0x10]);
    const gap = Buffer.concat(Array.from({ length: 60_000 }, () => empty));
    const file = growing('gap.ts', Buffer.concat([film, gap, film]));
    const growingFiles = new GrowingFiles([nothing]);
    const done = work([{ path: file.path, growing: true }], growingFiles);
    growingFiles.report(0, file.arrive(film.length + 5_000_000));
    await expect(done).rejects.toMatchObject({
      code: 'processing_failed',
      message: expect.stringContaining('was read beyond'),
    });
  });

  it('leaves no child behind when it never arrives and the task is aborted', async () => {
    const before = new Set(childrenOf(process.pid));
    const giveUp = new AbortController();
    const file = growing('film.ts', film);
    const growingFiles = new GrowingFiles([nothing]);
    const done = work([{ path: file.path, growing: true }], growingFiles, { signal: giveUp.signal });
    growingFiles.report(0, file.arrive(1_000_000));
    giveUp.abort(new Error('given up'));
    await expect(done).rejects.toThrow('given up');
    const left = childrenOf(process.pid).filter((pid) => before.has(pid));
    expect(left.length).toBeLessThan(before.size);
    expect(statSync(file.path).size).toBe(film.length);
  });
});
