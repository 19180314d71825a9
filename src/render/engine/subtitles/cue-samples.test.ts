import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { propertyRuns } from '../../../testing/property-runs.ts';
import { type CueSample, CueSamples } from './cue-samples.ts';
import { CueTally } from './cue-tally.ts';
import { convertCue } from './subtitle-text.ts';

type Cue = readonly [begin: number, duration: number, text: string];

const packet = (text: string) => convertCue(Buffer.from(text), 'subrip', 'mov_text') ?? Buffer.alloc(2);
const textOf = ({ data }: CueSample) => data.toString('utf8', 2);

/** Converts cues to samples. `reach` returns the time that the other streams have reached after each cue. */
function convert(cues: readonly Cue[], reach: (begin: number) => number = (begin) => begin) {
  const output: CueSample[] = [];
  const tally = new CueTally();
  const samples = new CueSamples(tally, (sample) => output.push(sample));
  for (const [begin, duration, text] of cues) {
    samples.add(begin, duration, packet(text));
    samples.advanceTo(reach(begin));
  }
  samples.end();
  return { made: output, tally, all: output.map((sample) => [sample.start, sample.end, textOf(sample)]) };
}

test('one sample contains the text of all displayed cues', () => {
  const cues = [
    [1000, 3000, 'one'],
    [2000, 1000, 'two'],
    [3000, 500, 'two'],
    [6000, 1000, 'three'],
  ] as const;
  expect(convert(cues).all).toEqual([
    [1000, 2000, 'one'],
    [2000, 3000, 'one\ntwo'],
    [3000, 3500, 'one\ntwo'],
    [3500, 4000, 'one'],
    [6000, 7000, 'three'],
  ]);
});

test('equal texts appear once, and a single cue keeps its formatting', () => {
  const [, twice] = convert([
    [1000, 1000, 'same'],
    [1500, 1000, 'same'],
  ]).all;
  expect(twice).toEqual([1500, 2000, 'same']);
  const styledPacket = Buffer.concat([packet('styled'), Buffer.from('\0\0\0\x0cstyl')]);
  const samplesOut: CueSample[] = [];
  const samples = new CueSamples(new CueTally(), (sample) => samplesOut.push(sample));
  samples.add(1000, 500, styledPacket);
  samples.end();
  expect(samplesOut[0]?.data).toEqual(styledPacket);
});

describe('a cue without a duration', () => {
  it.each<[string, Cue[], number]>([
    [
      'the next cue',
      [
        [1000, 0, 'open'],
        [4000, 500, 'next'],
      ],
      4000,
    ],
    [
      'a pause',
      [
        [1000, 0, 'open'],
        [3000, 500, ''],
      ],
      3000,
    ],
    [
      'ten seconds',
      [
        [1000, 0, 'open'],
        [60_000, 500, 'next'],
      ],
      11_000,
    ],
    ['the end of the other streams', [[1000, 0, 'open']], 5000],
  ])('ends with %s', (_what, cues, end) => {
    expect(convert(cues, () => 5000).all[0]).toEqual([1000, end, 'open']);
  });
});

describe('lost cues', () => {
  it.each<[string, Cue[], string]>([
    [
      'cues before the beginning',
      [
        [-2000, 1000, 'a'],
        [-500, 1000, 'b'],
      ],
      '1 of 2 (ended before the video or audio',
    ],
    [
      'a cue that is late',
      [
        [1000, 1000, 'a'],
        [1100, 500, 'b'],
      ],
      '1 of 2 (out of order',
    ],
    [
      'more than a screen holds',
      Array.from({ length: 40 }, (_, at) => [1000, 5000, `${at}`] as const),
      '8 of 40 (too many',
    ],
  ])('are reported: %s', (_what, cues, words) => {
    // The other streams are so far ahead that cues of a second are written immediately.
    const { tally } = convert(cues, (begin) => begin + 3000);
    expect(tally.describeLosses('It')).toContain(words);
  });
});

test('cues are displayed at their times, regardless of the order of arrival', () => {
  const cue = fc.tuple(fc.integer({ min: 1, max: 60_000 }), fc.integer({ min: 1, max: 9000 }));
  const list = fc.array(cue, { maxLength: 200 }).map((all) => {
    // Only every fifth cue lasts long, so that at most 32 cues are displayed simultaneously.
    return all.toSorted(([a], [b]) => a - b).map(([at, lasts], n): Cue => [at, n % 5 ? lasts / 10 + 1 : lasts, `${n}`]);
  });
  fc.assert(
    fc.property(list, fc.integer({ min: 0, max: 2000 }), (cues, ahead) => {
      const whole = cues.map(([at, lasts, text]): Cue => [at, Math.ceil(lasts), text]);
      const { made, tally } = convert(whole, (begin) => begin + ahead);
      expect(tally.describeLosses('It') ?? '').not.toContain('order');
      expect(tally.missing + (tally.writtenCues?.count ?? 0)).toBe(cues.length);
      let end = 0;
      for (const sample of made) {
        expect(sample.start).toBeGreaterThanOrEqual(end);
        expect(sample.end).toBeGreaterThan(sample.start);
        ({ end } = sample);
      }
      if (tally.missing > 0) return;
      const texts = made.map((sample) => ({ ...sample, text: textOf(sample) }));
      for (let time = 1; time < 70_000; time += 397) {
        const should = whole.flatMap(([at, lasts, text]) => (at <= time && time < at + lasts ? [text] : []));
        const is = texts.find((sample) => sample.start <= time && time < sample.end)?.text ?? '';
        expect(
          is
            .split('\n')
            .filter((text) => text !== '')
            .toSorted(),
        ).toEqual(should.toSorted());
      }
    }),
    { seed: 5, numRuns: propertyRuns(100) },
  );
});
