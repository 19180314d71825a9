/** @module-tag long */

import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MillraceError } from '../../../contract/errors.ts';
import { startCpuClock } from '../../../testing/cpu-clock.ts';
import { propertyRuns } from '../../../testing/property-runs.ts';
import type { ProcessTask } from '../tasks/task.ts';
import { expectSameAsLibrary } from '../testing/compare-with-library.ts';
import { damages } from '../testing/damage-file.ts';
import { type MediaDirectory, makeMedia } from '../testing/test-media.ts';
import { idlePacer } from '../testing/test-pacers.ts';
import { demuxTransportStream, muxTransportStream } from '../testing/transport-stream.ts';
import { packetBytes } from './demuxer.ts';
import { remuxTransportStream } from './remux-transport-stream.ts';

const names = ['second.ts', 'short.ts', 'rough.ts', 'a.ts'] as const;
const others = ['av.ts', 'v.ts'] as const;

let media: MediaDirectory;
const files = new Map<string, Buffer>();
beforeAll(async () => {
  media = await makeMedia(...names, ...others);
  for (const name of [...names, ...others]) files.set(name, readFileSync(media.file(name)));
});
afterAll(() => media?.remove());

const bytesOf = (name: string) => files.get(name) ?? Buffer.alloc(0);

function task(): ProcessTask {
  return {
    directory: media.path,
    inputs: [{ path: media.file('damaged.ts') }],
    output: { path: media.file('result.mp4'), ext: 'mp4' },
    operation: { type: 'convert_format', copyStreams: true },
    maxOutputBytes: 10_000_000,
  };
}

/** Remuxes bytes. Unless they are declined, compares the result with that of the media library. */
async function expectNoOther(bytes: Buffer): Promise<'declined' | 'same'> {
  writeFileSync(media.file('damaged.ts'), bytes);
  const elapsed = startCpuClock();
  const outcome = await remuxTransportStream(task(), undefined, idlePacer);
  expect(elapsed()).toBeLessThan(2000);
  if ('declined' in outcome) return 'declined';
  await expectSameAsLibrary(task(), outcome.report, 0.05);
  return 'same';
}

const name = fc.constantFrom(...names);
/** A fraction of a file, 0 to 1. */
const part = fc.nat(999_999).map((millionths) => millionths / 1_000_000);

describe('a damaged transport stream', () => {
  it.each(Object.entries(damages))('is declined or remuxed correctly: %s', async (_what, damage) => {
    await fc.assert(
      fc.asyncProperty(name, damage, async (file, spoil) => {
        await expectNoOther(spoil(bytesOf(file)));
      }),
      { seed: 5, numRuns: propertyRuns(10) },
    );
  });

  it('is declined or remuxed correctly with one bit flipped in its packet headers', async () => {
    const place = fc.tuple(part, fc.nat(24 * 8 - 1));
    await fc.assert(
      fc.asyncProperty(name, place, async (file, [at, bit]) => {
        const bytes = Buffer.from(bytesOf(file));
        const packet = Math.floor((at * bytes.length) / packetBytes) * packetBytes;
        bytes.writeUInt8(bytes.readUInt8(packet + (bit >> 3)) ^ (1 << (bit & 7)), packet + (bit >> 3));
        await expectNoOther(bytes);
      }),
      { seed: 6, numRuns: propertyRuns(25) },
    );
  });

  it('is declined or remuxed correctly with packets left out, repeated or swapped', async () => {
    const change = fc.record({ at: part, count: fc.integer({ min: 1, max: 20 }), what: fc.nat(2) });
    await fc.assert(
      fc.asyncProperty(name, change, async (file, { at, count, what }) => {
        const whole = bytesOf(file);
        const from = Math.floor((at * whole.length) / packetBytes) * packetBytes;
        const [before, some, after] = [
          whole.subarray(0, from),
          whole.subarray(from, from + count * packetBytes),
          whole.subarray(from + count * packetBytes),
        ];
        const parts = [
          [before, after],
          [before, some, some, after],
          [before, after.subarray(0, packetBytes), some, after.subarray(packetBytes)],
        ];
        await expectNoOther(Buffer.concat(parts[what] ?? []));
      }),
      { seed: 7, numRuns: propertyRuns(10) },
    );
  });

  it('is declined or remuxed correctly with PES packets left out or moved in time', async () => {
    const change = fc.record({
      at: part,
      ticks: fc.constantFrom(1, 90, 3600, 90_000),
      sign: fc.constantFrom(-1, 1),
      drop: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(name, fc.array(change, { minLength: 1, maxLength: 3 }), async (file, changes) => {
        let packets = demuxTransportStream(bytesOf(file));
        for (const { at, ticks, sign, drop } of changes) {
          const number = Math.floor(at * packets.length);
          packets = packets.flatMap((packet, index) => {
            if (index !== number) return [packet];
            return drop ? [] : [{ ...packet, pts: packet.pts + sign * ticks, dts: packet.dts + sign * ticks }];
          });
        }
        await expectNoOther(muxTransportStream(packets));
      }),
      { seed: 8, numRuns: propertyRuns(10) },
    );
  });
});

describe('a playlist', () => {
  const lack = fc.record({
    /** The fraction of each segment that is present, and the duration that the playlist declares for it, in seconds. */
    keptParts: fc.array(fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: part }), {
      minLength: 4,
      maxLength: 4,
    }),
    declared: fc.array(fc.constantFrom(4, 4, 3.9, 4.5, 5, 8), { minLength: 4, maxLength: 4 }),
    of: fc.constantFrom('av.ts', 'v.ts', 'a.ts'),
  });

  it('is declined if the media library refuses it', async () => {
    const numRuns = propertyRuns(60);
    const counts = { declined: 0, taken: 0 };
    await fc.assert(
      fc.asyncProperty(lack, async ({ keptParts, declared, of }) => {
        const packets = demuxTransportStream(bytesOf(of));
        const pieces = keptParts.map((share, at) => {
          const shiftedPackets = packets.slice(0, Math.ceil(packets.length * share)).map((packet) => {
            return { ...packet, pts: packet.pts + at * 4 * 90_000, dts: packet.dts + at * 4 * 90_000 };
          });
          return muxTransportStream(shiftedPackets);
        });
        const ends = pieces.map((_, at) => pieces.slice(0, at + 1).reduce((sum, { length }) => sum + length, 0));
        writeFileSync(media.file('damaged.ts'), Buffer.concat(pieces));
        const segments = { first: 1, inAll: 4, seconds: declared, ends };
        const duration = declared.reduce((sum, seconds) => sum + seconds, 0);
        const segmentedTask = { ...task(), inputs: [{ path: media.file('damaged.ts'), segments, duration }] };
        const outcome = await remuxTransportStream(segmentedTask, undefined, idlePacer);
        counts['declined' in outcome ? 'declined' : 'taken'] += 1;
        if ('report' in outcome) await expectSameAsLibrary(segmentedTask, outcome.report, 0.05);
      }),
      { seed: 13, numRuns },
    );
    expect(Math.min(counts.declined, counts.taken)).toBeGreaterThan(numRuns / 12);
  });
});

describe('a file that is not a transport stream', () => {
  it('is declined regardless of its content', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 20 * packetBytes }), async (junk) => {
        const bytes = Buffer.from(junk);
        for (let at = 0; at < bytes.length; at += packetBytes) bytes[at] = 0x47;
        expect(await expectNoOther(bytes)).toBe('declined');
      }),
      { seed: 9, numRuns: propertyRuns(60) },
    );
  });

  it('causes no MillraceError if it does not exist', async () => {
    const missing = { ...task(), inputs: [{ path: media.file('missing.ts') }] };
    await expect(remuxTransportStream(missing, undefined, idlePacer)).rejects.not.toBeInstanceOf(MillraceError);
  });
});
