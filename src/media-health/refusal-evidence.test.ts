import { describe, expect, test } from 'vitest';
import { seededRandom } from '../testing/seeded-random.ts';
import { createRefusalEvidence, type RefusalEvidence } from './refusal-evidence.ts';

const HOUR = 3_600_000;
const MINUTE = HOUR / 60;
const start = Date.UTC(2026, 10, 28);

const refused = (count = 1) => ({ refused: count, arrived: 0 });
const arrived = (count = 1) => ({ refused: 0, arrived: count });

function afterRefusals(count: number): RefusalEvidence {
  const evidence = createRefusalEvidence();
  for (let number = 0; number < count; number += 1) evidence.add(refused(), start + number * MINUTE);
  return evidence;
}

describe('a verdict', () => {
  test('needs four refusals in a row', () => {
    expect(afterRefusals(3).verdict).toBeUndefined();
    expect(afterRefusals(4).verdict).toEqual({ rate: 1, since: start });
  });

  test('needs more refusals if files arrive in between', () => {
    const evidence = afterRefusals(3);
    evidence.add(arrived(5), start + 3 * MINUTE);
    evidence.add(refused(), start + 4 * MINUTE);
    expect(evidence.verdict).toBeUndefined();
    evidence.add(refused(), start + 4 * MINUTE);
    expect(evidence.verdict).toEqual({ rate: 0.5, since: start });
  });

  test('does not take longer after a long good time', () => {
    const evidence = createRefusalEvidence();
    evidence.add(arrived(10_000), start);
    evidence.add(refused(4), start + MINUTE);
    expect(evidence.verdict).toEqual({ rate: 1, since: start + MINUTE });
  });

  test('is not reached by refusals that are hours apart', () => {
    const evidence = createRefusalEvidence();
    for (let hour = 0; hour < 100; hour += 2) evidence.add(refused(), start + hour * HOUR);
    expect(evidence.verdict).toBeUndefined();
  });

  test('is lifted by six arrivals', () => {
    const evidence = afterRefusals(50);
    evidence.add(arrived(5), start + HOUR);
    expect(evidence.verdict).toEqual({ rate: 50 / 55, since: start });
    evidence.add(arrived(), start + HOUR);
    expect(evidence.verdict).toBeUndefined();
  });

  test('is not lifted by time, nor by as many refusals as arrivals', () => {
    const evidence = afterRefusals(4);
    for (let day = 1; day < 100; day += 1) {
      evidence.add(arrived(), start + day * 24 * HOUR);
      evidence.add(refused(), start + day * 24 * HOUR);
    }
    expect(evidence.verdict).toBeDefined();
  });

  test('is the same object until the next fetch, because notes are cached by it', () => {
    const evidence = afterRefusals(4);
    expect(evidence.verdict).toBe(evidence.verdict);
  });
});

describe('the rates that the rule promises', () => {
  const FILES_PER_HOUR = 60;

  test('less than one false verdict in a thousand hours if 1 % of the files are refused', () => {
    const random = seededRandom(1);
    const hours = 20_000;
    let evidence = createRefusalEvidence();
    let verdicts = 0;
    for (let file = 0; file < hours * FILES_PER_HOUR; file += 1) {
      evidence.add(random() < 0.01 ? refused() : arrived(), start + (file * HOUR) / FILES_PER_HOUR);
      if (evidence.verdict === undefined) continue;
      verdicts += 1;
      evidence = createRefusalEvidence();
    }
    expect(verdicts / (hours / 1_000)).toBeLessThan(0.1);
  });

  test('a verdict after a median of 8 files, and after at most 20 in 95 %, if half of them are refused', () => {
    const random = seededRandom(2);
    const filesUntilVerdict = () => {
      const evidence = createRefusalEvidence();
      let files = 0;
      while (evidence.verdict === undefined) {
        evidence.add(random() < 0.5 ? refused() : arrived(), start + (files * HOUR) / FILES_PER_HOUR);
        files += 1;
      }
      return files;
    };
    const runs = Array.from({ length: 5_000 }, filesUntilVerdict).toSorted((a, b) => a - b);
    expect(runs[2_500]).toBe(8);
    expect(runs[4_750]).toBeLessThanOrEqual(20);
  });
});
