import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { propertyRuns } from '../../../testing/property-runs.ts';
import { runSteps } from '../../../waiting/steps.ts';
import { readPackets } from '../../engine/testing/read-packets.ts';
import { type MediaDirectory, makeMedia } from '../../engine/testing/test-media.ts';
import { readFragmentFrames } from './fragment-frames.ts';
import type { SegmentFrame } from './segment-frame.ts';
import { readTransportStreamVideo } from './transport-stream-video.ts';
import { createVideoSetup } from './video-setup.ts';

const names = ['av.ts', 'fragmented.mp4'] as const;
const files = new Map<string, Buffer>();

let media: MediaDirectory;
beforeAll(async () => {
  media = await makeMedia(...names);
  for (const name of names) files.set(name, readFileSync(media.file(name)));
});
afterAll(() => media.remove());

/** Reads a segment in any form, as the search for the start of a clip does. */
function framesOf(bytes: Buffer): readonly SegmentFrame[] | undefined {
  const stream = runSteps(readTransportStreamVideo(bytes));
  if (stream === undefined) return runSteps(readFragmentFrames(bytes));
  createVideoSetup(stream, stream);
  return stream.frames;
}

describe('the frames of a segment', () => {
  test.each(names)('are those that another reader finds: %s', async (name) => {
    const [video] = (await readPackets(media.file(name))).filter(({ kind }) => kind === 'video');
    const first = video?.packets[0]?.time ?? 0;
    const expected = video?.packets.map(({ time, key }) => ({ seconds: expect.closeTo(time - first, 4), isKey: key }));
    expect(framesOf(files.get(name) ?? Buffer.alloc(0))).toMatchObject(expected ?? []);
  });

  test.each(names)('begin the same if the segment is read in part: %s', (name) => {
    const bytes = files.get(name) ?? Buffer.alloc(0);
    const whole = framesOf(bytes)?.[0];
    expect(whole).toMatchObject({ isKey: true, hasParameterSets: true });
    expect(framesOf(bytes.subarray(0, 4096))?.[0]).toEqual(whole);
  });

  test('never end the service, whatever the bytes are', () => {
    const position = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    const damages = fc.array(fc.tuple(position, fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(fc.constantFrom(...names), position, damages, (name, end, damage) => {
        const bytes = Buffer.from(files.get(name)?.subarray(0, 24_000) ?? '');
        for (const [at, value] of damage) bytes[Math.floor(at * at * bytes.length)] = value;
        framesOf(bytes.subarray(0, Math.ceil(end * bytes.length)));
      }),
      { seed: 9, numRuns: propertyRuns(400) },
    );
  });
});
