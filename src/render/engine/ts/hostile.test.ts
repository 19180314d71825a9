import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MillraceError } from '../../../contract/errors.ts';
import { startCpuClock } from '../../../testing/cpu-clock.ts';
import type { ProcessTask } from '../engine.ts';
import { expectSameAsLibrary } from '../testing/both-paths.ts';
import { damages } from '../testing/damage.ts';
import { type MediaDirectory, makeMedia } from '../testing/media.ts';
import { quietPace } from '../testing/pace.ts';
import { putTogether, takeApart } from '../testing/transport-stream.ts';
import { packetBytes } from './demuxer.ts';
import { remuxTransportStream } from './remux.ts';

const names = ['second.ts', 'short.ts', 'rough.ts', 'a.ts'] as const;

let media: MediaDirectory;
const files = new Map<string, Buffer>();
beforeAll(async () => {
  media = await makeMedia(...names);
  for (const name of names) files.set(name, readFileSync(media.file(name)));
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

/** Remuxes bytes, and holds what is not declined against what the media library makes of them. */
async function expectNoOther(bytes: Buffer): Promise<'declined' | 'same'> {
  writeFileSync(media.file('damaged.ts'), bytes);
  const elapsed = startCpuClock();
  const outcome = await remuxTransportStream(task(), undefined, quietPace);
  expect(elapsed()).toBeLessThan(2000);
  if ('declined' in outcome) return 'declined';
  await expectSameAsLibrary(task(), outcome.report, 0.05);
  return 'same';
}

const name = fc.constantFrom(...names);
/** Part of a file, 0 to 1. */
const part = fc.nat(999_999).map((millionths) => millionths / 1_000_000);

describe('a damaged file is declined, or becomes what the media library makes of it', () => {
  it.each(Object.entries(damages))('%s', async (_what, damage) => {
    await fc.assert(
      fc.asyncProperty(name, damage, async (file, spoil) => {
        await expectNoOther(spoil(bytesOf(file)));
      }),
      { seed: 5, numRuns: 40 },
    );
  });

  it('with one bit flipped in the headers of its packets', async () => {
    const place = fc.tuple(part, fc.nat(24 * 8 - 1));
    await fc.assert(
      fc.asyncProperty(name, place, async (file, [at, bit]) => {
        const bytes = Buffer.from(bytesOf(file));
        const packet = Math.floor((at * bytes.length) / packetBytes) * packetBytes;
        bytes.writeUInt8(bytes.readUInt8(packet + (bit >> 3)) ^ (1 << (bit & 7)), packet + (bit >> 3));
        await expectNoOther(bytes);
      }),
      { seed: 6, numRuns: 100 },
    );
  });

  it('with packets left out, repeated or swapped', async () => {
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
      { seed: 7, numRuns: 40 },
    );
  });

  it('with PES packets left out, or moved in time', async () => {
    const change = fc.record({
      at: part,
      ticks: fc.constantFrom(1, 90, 3600, 90_000),
      sign: fc.constantFrom(-1, 1),
      drop: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(name, fc.array(change, { minLength: 1, maxLength: 3 }), async (file, changes) => {
        let packets = takeApart(bytesOf(file));
        for (const { at, ticks, sign, drop } of changes) {
          const number = Math.floor(at * packets.length);
          packets = packets.flatMap((packet, index) => {
            if (index !== number) return [packet];
            return drop ? [] : [{ ...packet, pts: packet.pts + sign * ticks, dts: packet.dts + sign * ticks }];
          });
        }
        await expectNoOther(putTogether(packets));
      }),
      { seed: 8, numRuns: 40 },
    );
  });
});

describe('bytes that are no transport stream', () => {
  it('are declined, whatever they are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 20 * packetBytes }), async (junk) => {
        const bytes = Buffer.from(junk);
        for (let at = 0; at < bytes.length; at += packetBytes) bytes[at] = 0x47;
        expect(await expectNoOther(bytes)).toBe('declined');
      }),
      { seed: 9, numRuns: 200 },
    );
  });

  it('cannot make it fail otherwise when the file is not there', async () => {
    const missing = { ...task(), inputs: [{ path: media.file('missing.ts') }] };
    await expect(remuxTransportStream(missing, undefined, quietPace)).rejects.not.toBeInstanceOf(MillraceError);
  });
});
