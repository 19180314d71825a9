import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { propertyRuns } from '../testing/property-runs.ts';
import { bracketFaults, completeBrackets } from './progress-brackets.ts';

const stages = ['downloading_inputs', 'processing', 'uploading_output'] as const;

describe('partial progress brackets', () => {
  test.each([
    [{}, [0, 33], [33, 67], [67, 100]],
    [{ downloading_inputs: [0, 40] }, [0, 40], [40, 70], [70, 100]],
    [{ processing: [50, 60] }, [0, 50], [50, 60], [60, 100]],
    [{ uploading_output: [80, 100] }, [0, 40], [40, 80], [80, 100]],
    [{ downloading_inputs: [10, 30], uploading_output: [90, 95] }, [10, 30], [30, 90], [90, 95]],
    [{ downloading_inputs: [0, 100] }, [0, 100], [100, 100], [100, 100]],
  ])('%j are completed', (given, ...expected) => {
    expect(bracketFaults(given)).toEqual([]);
    expect(Object.values(completeBrackets(given))).toEqual(expected);
  });

  it('keep the given stages, and let the missing ones evenly share the rest', () => {
    const boundaries = fc
      .array(fc.integer({ min: 0, max: 100 }), { minLength: 4, maxLength: 4 })
      .map((percentages) => percentages.toSorted((a, b) => a - b));
    const given = fc.array(fc.boolean(), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(boundaries, given, (percentages, isGiven) => {
        const brackets = Object.fromEntries(
          stages.flatMap((stage, at) => (isGiven[at] ? [[stage, percentages.slice(at, at + 2)]] : [])),
        );
        expect(bracketFaults(brackets)).toEqual([]);
        const complete = completeBrackets(brackets);
        expect(complete).toMatchObject(brackets);
        expect(complete.downloading_inputs[1]).toBe(complete.processing[0]);
        expect(complete.processing[1]).toBe(complete.uploading_output[0]);
        if (!isGiven[0]) expect(complete.downloading_inputs[0]).toBe(0);
        if (!isGiven[2]) expect(complete.uploading_output[1]).toBe(100);
        for (const [a, b] of [stages.slice(0, 2), stages.slice(1)]) {
          if (a === undefined || b === undefined || a in brackets || b in brackets) continue;
          const [first, second] = [complete[a][1] - complete[a][0], complete[b][1] - complete[b][0]];
          expect(Math.abs(first - second)).toBeLessThanOrEqual(1);
        }
      }),
      { seed: 26, numRuns: propertyRuns(500) },
    );
  });

  it('are refused if they overlap', () => {
    const overlapping = { downloading_inputs: [0, 60], uploading_output: [50, 100] };
    expect(bracketFaults(overlapping)).toEqual([
      { path: 'progressBrackets', message: 'must be ascending and contiguous, such as [0,50], [50,60], [60,100]' },
    ]);
  });
});
