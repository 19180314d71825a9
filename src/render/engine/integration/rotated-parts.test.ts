/** @module-tag long */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputContainer } from '../../../contract/containers.ts';
import type { Engine } from '../engine.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { type MediaName, mediaSeconds } from '../testing/media-names.ts';
import { processAndVerify } from '../testing/process-and-verify.ts';
import type { BrightnessRows } from '../testing/read-pictures.ts';
import { callMediaLibrary, describeMedia, type MediaDirectory, makeMedia } from '../testing/test-media.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia('fragmented.mp4', 'turned.mp4');
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

const upright = 'fragmented.mp4';
const turned = 'turned.mp4';

const whole = '160:90';
const wholeTurned = '90:160';
/** The area of a frame that is filled by another frame whose width and height are swapped. */
const fitted = '50:90';
const fittedTurned = '90:50';

describe('parts that differ in rotation by 90°', () => {
  it.each([
    ['the second', [upright, turned]],
    ['the first', [turned, upright]],
  ] as const)('cannot be copied: %s', async (_what, names) => {
    for (const ext of ['mp4', 'ts'] as const) {
      await expect(convert(names, ext, true)).rejects.toMatchObject({
        code: 'incompatible_codecs',
        message:
          'Part 2 of input 1 cannot be copied after part 1: its video has another rotation. Set copyStreams to false to re-encode all parts.',
        input: 0,
      });
    }
  });

  it('can be copied if both are rotated', async () => {
    await convert([turned, turned], 'mp4', true);
    expect(await turnOfResult('mp4')).toBe(90);
  });

  it.each([
    // The second part requires a rotation of 90° to the right.
    ['the second, into MP4', [upright, turned], 'mp4', undefined, [whole, fitted], 1],
    ['the second, into MPEG-TS', [upright, turned], 'ts', undefined, [whole, fitted], 1],
    // Players rotate the second part to the right like the first. The encoded frames are rotated 90° to the left to
    // compensate.
    ['the first, into MP4', [turned, upright], 'mp4', 90, [whole, fitted], 3],
    // MPEG-TS stores no rotation, so the frames of the first part are rotated, and those of the second are not.
    ['the first, into MPEG-TS', [turned, upright], 'ts', undefined, [wholeTurned, fittedTurned], 3],
    ['both, into MP4', [turned, turned], 'mp4', 90, [whole, whole], 0],
    ['both, into MPEG-TS', [turned, turned], 'ts', undefined, [wholeTurned, wholeTurned], 0],
  ] as const)('are encoded as they are displayed: %s', async (_what, names, ext, turn, parts, quarters) => {
    const { notes } = await convert(names, ext, false);
    expect(notes).toEqual([]);
    expect(await turnOfResult(ext)).toBe(turn);
    const moments = parts.map((part, at) => [at * mediaSeconds + 1, part] as const);
    const [first, second] = await callMediaLibrary('readPictures', media.file(`result.${ext}`), moments);
    if (first === undefined || second === undefined) throw new Error('a picture is missing');
    expect(nearest(second, first)).toBe(quarters);
  });
});

async function turnOfResult(ext: OutputContainer): Promise<number | undefined> {
  const { streams } = await describeMedia(media.file(`result.${ext}`));
  return streams[0]?.turn;
}

async function convert(names: readonly MediaName[], ext: OutputContainer, copyStreams: boolean) {
  const files = names.map((name, section) => ({ path: media.file(name), duration: mediaSeconds, section }));
  const [first = { path: '' }, ...followedBy] = files;
  return (await processAndVerify(engine, media, { inputs: [{ ...first, followedBy }], ext, copyStreams })).report;
}

/**
 * Returns the number of 90° rotations to the right after which a frame looks most like another, plus 4 if it is
 * mirrored first.
 */
function nearest(target: BrightnessRows, picture: BrightnessRows): number {
  const mirrored = picture.map((row) => row.toReversed());
  const differences = [picture, mirrored]
    .flatMap((each) => [each, quarter(each), quarter(quarter(each)), quarter(quarter(quarter(each)))])
    .map((each) => difference(target, each));
  return differences.indexOf(Math.min(...differences));
}

function quarter(picture: BrightnessRows): BrightnessRows {
  return picture.map((_, row) => picture.map((line) => line[row] ?? 0).toReversed());
}

function difference(one: BrightnessRows, other: BrightnessRows): number {
  return one.flat().reduce((sum, value, at) => sum + Math.abs(value - (other.flat()[at] ?? 0)), 0);
}
