import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MillraceError } from '../../../contract/errors.ts';
import { startCpuClock } from '../../../testing/cpu-clock.ts';
import { propertyRuns } from '../../../testing/property-runs.ts';
import { bufferSource, makeDash } from '../testing/make-dash.ts';
import { readPackets } from '../testing/read-packets.ts';
import { type MediaDirectory, makeMedia } from '../testing/test-media.ts';
import { idlePacer } from '../testing/test-pacers.ts';
import { finishPlacement } from './fragment-placement/finish-placement.ts';
import { placeFragments } from './fragment-placement/place-fragments.ts';
import { remuxMp4 } from './remux.ts';

const names = ['av.mp4', 'fragmented.mp4', 'a.m4a', 'dash-v.mp4', 'dash-a.mp4'] as const;

let media: MediaDirectory;
const files = new Map<string, Buffer>();
beforeAll(async () => {
  media = await makeMedia('av.mp4', 'fragmented.mp4', 'a.m4a', 'v.mp4');
  await makeDash(media.file('v.mp4'), media.file('dash-v.mp4'));
  await makeDash(media.file('a.m4a'), media.file('dash-a.mp4'));
  for (const name of names) files.set(name, readFileSync(media.file(name)));
});
afterAll(() => media?.remove());

const bytesOf = (name: string) => Buffer.from(files.get(name) ?? '');

/** A byte to change, in the tables if there are any, or anywhere in the file. */
const change = fc.record({
  where: fc.oneof(fc.nat(3000), fc.nat(200_000)),
  to: fc.oneof(fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), fc.nat(255)),
  run: fc.constantFrom(1, 1, 4),
});

const damage = fc.record({
  name: fc.constantFrom(...names),
  changes: fc.array(change, { minLength: 1, maxLength: 6 }),
  cut: fc.option(fc.nat(200_000), { nil: undefined, freq: 4 }),
});

function damageFile({ name, changes, cut }: typeof damage extends fc.Arbitrary<infer Value> ? Value : never): Buffer {
  const bytes = bytesOf(name);
  // If the index is at the beginning, the tables follow immediately; in a fragmented file they are spread over the
  // file.
  for (const { where, to, run } of changes) {
    const from = where % bytes.length;
    bytes.fill(to, from, Math.min(from + run, bytes.length));
  }
  return cut === undefined ? bytes : bytes.subarray(0, cut % bytes.length);
}

describe('a damaged file', () => {
  it('is declined, refused, or remuxed into a result of similar size', async () => {
    let remuxCount = 0;
    await fc.assert(
      fc.asyncProperty(damage, async (harm) => {
        const bytes = damageFile(harm);
        writeFileSync(media.file('damaged.mp4'), bytes);
        const cpuMilliseconds = startCpuClock();
        const outcome = await remuxMp4(
          {
            directory: media.path,
            inputs: [{ path: media.file('damaged.mp4') }],
            output: { path: media.file('result.mp4'), ext: 'mp4' },
            operation: { type: 'convert_format', copyStreams: true },
            maxOutputBytes: 2 * bytes.length + 100_000,
          },
          idlePacer,
        ).catch((error: unknown) => error);
        expect(cpuMilliseconds()).toBeLessThan(2000);
        if (outcome instanceof MillraceError) {
          expect(['input_incomplete', 'input_unreadable', 'processing_failed']).toContain(outcome.code);
        } else if (outcome instanceof Error) {
          throw outcome;
        } else if (typeof outcome === 'object' && outcome !== null && 'report' in outcome) {
          remuxCount += 1;
        }
      }),
      { seed: 7, numRuns: propertyRuns(400) },
    );
    expect(remuxCount).toBeGreaterThan(propertyRuns(40));
  });

  it('is not placed, is declined at the end, or produces a result', () => {
    let completeCount = 0;
    const operation = { type: 'join_streams', copyStreams: true } as const;
    fc.assert(
      fc.property(damage, fc.integer({ min: 1000, max: 100_000 }), (harm, headBytes) => {
        const bytes = damageFile({ ...harm, name: harm.name === 'dash-v.mp4' ? harm.name : 'dash-a.mp4' });
        const outcome = placeFragments([{ head: bytes.subarray(0, headBytes), size: bytes.length }], operation, 'mp4');
        if ('declined' in outcome) return;
        const { placement } = outcome;
        expect(placement.bytes).toBeLessThan(bytes.length + 50_000_000);
        const result = Buffer.alloc(placement.bytes);
        for (const { from, to, destination } of placement.ranges) bytes.copy(result, destination, from, to + 1);
        try {
          if ('report' in finishPlacement(placement, bufferSource(result))) completeCount += 1;
        } catch (error) {
          expect(error).toMatchObject({ code: 'input_incomplete' });
        }
      }),
      { seed: 8, numRuns: propertyRuns(300) },
    );
    expect(completeCount).toBeGreaterThan(propertyRuns(20));
  });

  it('is readable after a remux if only its media is damaged', async () => {
    const bytes = bytesOf('av.mp4');
    // These bytes are media, which only a decoder reads.
    bytes.fill(0xff, bytes.length - 2000, bytes.length - 1900);
    writeFileSync(media.file('damaged.mp4'), bytes);
    const task = {
      directory: media.path,
      inputs: [{ path: media.file('damaged.mp4') }],
      output: { path: media.file('result.mp4'), ext: 'mp4' },
      operation: { type: 'convert_format', copyStreams: true },
      maxOutputBytes: 10_000_000,
    } as const;
    expect(await remuxMp4(task, idlePacer)).toMatchObject({
      report: { streams: [{ codec: 'h264' }, { codec: 'aac' }] },
    });
    expect(await readPackets(media.file('result.mp4'))).toEqual(await readPackets(media.file('damaged.mp4')));
  });
});
