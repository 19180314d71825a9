import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeBytes } from '../../files/write-size.ts';
import { propertyRuns } from '../../testing/property-runs.ts';
import type { ByteRange } from './byte-ranges.ts';
import { createConcatenatedFile } from './concatenated-file.ts';
import type { ByteWriter } from './file-writer.ts';
import { createHeldMemory, type HeldMemory } from './held-memory.ts';
import { createHoldingArea, maxHeldBytes } from './holding-area.ts';
import { createHoldingWriter } from './holding-writer.ts';
import { createBytes } from './testing/downloads.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-holding-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** How a segment arrives. */
interface Arrival {
  readonly size: number;
  readonly chunk: number;
  /** Turns of the event loop before its first chunk and between two chunks. */
  readonly delay: number;
  readonly pause: number;
  /** Whether its size is known from the start. */
  readonly isSized: boolean;
  /** The chunk at which its connection breaks once, if it has so many. Its response then starts again. */
  readonly breaksAt: number;
  /** The chunk at which it fails for good, if it has so many. */
  readonly failsAt: number;
}

const rarely = (chunk: fc.Arbitrary<number>) => fc.oneof({ weight: 9, arbitrary: fc.constant(-1) }, chunk);
const arrivals = fc.array(
  fc.record<Arrival>({
    size: fc.oneof(fc.nat(3), fc.nat(5_000), fc.nat(3 * writeBytes), fc.constant(writeBytes)),
    chunk: fc.oneof(fc.integer({ min: 20_000, max: 70_000 }), fc.integer({ min: 70_000, max: 400_000 })),
    delay: fc.nat(12),
    pause: fc.nat(2),
    isSized: fc.boolean(),
    breaksAt: rarely(fc.nat(6)),
    failsAt: fc.oneof({ weight: 20, arbitrary: fc.constant(-1) }, fc.nat(6)),
  }),
  { minLength: 1, maxLength: 8 },
);
/** Two jobs. */
interface Case {
  readonly jobs: [Arrival[], Arrival[]];
  /** The buffers that each can hold, and those that both can hold. */
  readonly limits: [number, number, number];
  /** The turn at which the second one ends, if it ends early. */
  readonly abortAt: number;
}
const cases = fc.record<Case>({
  jobs: fc.tuple(arrivals, arrivals),
  limits: fc.tuple(fc.nat(4), fc.nat(4), fc.nat(6)),
  abortAt: rarely(fc.nat(30)),
});

const arrival: Arrival = { size: 1, chunk: 20_000, delay: 0, pause: 0, isSized: false, breaksAt: -1, failsAt: -1 };
/** A segment arrives after the one before it has failed. */
const afterFailure = {
  jobs: [
    [
      { ...arrival, breaksAt: 0, failsAt: 0 },
      { ...arrival, size: writeBytes },
    ],
    [arrival],
  ],
  limits: [1, 0, 1],
  abortAt: -1,
} satisfies Case;

async function waitTurns(count: number, check: () => void): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await setImmediate();
  check();
}

/** Writes the segments of a job concurrently. Returns whether all arrived. */
async function runJob(
  path: string,
  segments: readonly Arrival[],
  { memory, check, signal }: { memory: HeldMemory; check: () => void; signal: AbortSignal },
): Promise<boolean> {
  const file = createConcatenatedFile(path, segments.length, () => undefined);
  const area = createHoldingArea(`${path}-held`, memory);

  async function write(writer: ByteWriter, { size, chunk, pause }: Arrival, failAt: number): Promise<void> {
    for (const [turn, position] of positions(size, chunk).entries()) {
      signal.throwIfAborted();
      if (turn === failAt) throw new Error('broken');
      // The sender uses its buffer again.
      const bytes = Buffer.from(contentOf(size).subarray(position, position + chunk));
      const writing = writer.write(position, bytes);
      bytes.fill(0);
      await writing;
      await waitTurns(pause, check);
    }
  }
  const outcomes = segments.map(async (segment) => {
    const { file: handle, offset, size, complete } = await file.reserveSlot();
    const written: ByteRange[] = [];
    const writer = createHoldingWriter(handle, offset, area.open(), (range) => written.push(range));
    try {
      await waitTurns(segment.delay, check);
      if (segment.isSized) size.resolve(segment.size);
      await write(writer, segment, segment.breaksAt).catch(async () => {
        await writer.flush();
        await write(writer, segment, segment.failsAt);
      });
      size.resolve(segment.size);
      await writer.finish();
      expect(written.at(-1)?.end ?? 0).toBe(segment.size);
      await complete(segment.size);
      return true;
    } catch (error) {
      size.reject(error);
      return false;
    } finally {
      check();
    }
  });
  const arrived = await Promise.all(outcomes);
  await file.close();
  await area.close();
  return arrived.every(Boolean);
}

function positions(size: number, chunk: number): number[] {
  return Array.from({ length: Math.ceil(size / chunk) }, (_, at) => at * chunk);
}

const content = createBytes(3 * writeBytes);
const contentOf = (size: number) => content.subarray(0, size);

test('jobs never hold more than their budget and that of the process, write all bytes, and release everything', async () => {
  let number = 0;
  await fc.assert(
    fc.asyncProperty(cases, async ({ jobs, limits: [one, other, all], abortAt }) => {
      const parent = createHeldMemory(all * writeBytes);
      const memories = [one, other].map((limit) => createHeldMemory(limit * writeBytes, parent));
      const abort = new AbortController();
      let most = 0;
      const check = () => {
        most = Math.max(most, parent.used - all * writeBytes);
        for (const [at, limit] of [one, other].entries()) {
          most = Math.max(most, (memories[at]?.used ?? 0) - limit * writeBytes);
        }
      };
      const aborting = waitTurns(Math.max(0, abortAt), () => {
        if (abortAt >= 0) abort.abort(new Error('aborted'));
      });
      number += 1;
      const path = join(folder, `${number}`);
      await Promise.all(
        jobs.map(async (segments, at) => {
          const memory = memories[at] ?? parent;
          const signal = at === 1 ? abort.signal : new AbortController().signal;
          const isWhole = await runJob(`${path}-${at}`, segments, { memory, check, signal });
          if (!isWhole) return;
          const expected = Buffer.concat(segments.map(({ size }) => contentOf(size)));
          expect((await readFile(`${path}-${at}`)).equals(expected)).toBe(true);
        }),
      );
      await aborting;
      expect(most).toBeLessThanOrEqual(0);
      expect(memories.map(({ used }) => used)).toEqual([0, 0]);
      expect(parent.used).toBe(0);
      expect((await readdir(folder)).filter((name) => name.endsWith('-held'))).toEqual([]);
    }),
    { seed: 1, numRuns: propertyRuns(45), examples: [[afterFailure]] },
  );
});

test('a segment is held up to a limit, without memory as well, and its sender then waits for the offset', async () => {
  for (const memory of [createHeldMemory(0), createHeldMemory(maxHeldBytes), createHeldMemory(maxHeldBytes / 2)]) {
    const path = join(folder, 'waiting');
    const file = createConcatenatedFile(path, 2, () => undefined);
    const area = createHoldingArea(`${path}-held`, memory);
    const [first, second] = [await file.reserveSlot(), await file.reserveSlot()];
    const held = area.open();
    const writer = createHoldingWriter(second.file, second.offset, held, () => undefined);
    const bytes = createBytes(maxHeldBytes + 10);
    await writer.write(0, bytes.subarray(0, 10));
    const last = maxHeldBytes - writeBytes;
    await writer.write(10, bytes.subarray(10, last));
    let isWaiting = true;
    const writing = writer.write(last, bytes.subarray(last))?.then(() => {
      isWaiting = false;
    });
    await waitTurns(20, () => expect(isWaiting).toBe(true));
    expect(held.size).toBe(maxHeldBytes);
    first.size.resolve(5);
    await writing;
    await writer.finish();
    expect(memory.used).toBe(0);
    await file.close();
    await area.close();
    expect((await readFile(path)).subarray(5).equals(bytes)).toBe(true);
  }
});

test('a held segment reports a full disk at once, before its offset is known', async () => {
  const path = join(folder, 'missing', 'full');
  const area = createHoldingArea(path, createHeldMemory(0));
  const writer = createHoldingWriter({} as never, new Promise(() => undefined), area.open(), () => undefined);
  await expect(writer.write(0, Buffer.alloc(100_000))).rejects.toMatchObject({ code: 'ENOENT' });
  await expect(writer.flush()).rejects.toMatchObject({ code: 'ENOENT' });
  await area.close();
});
