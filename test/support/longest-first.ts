import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { randomNumbers } from './random-numbers.ts';

/** The root of the project, and the file with the seconds that each test file took when it was last recorded. */
export const root = fileURLToPath(new URL('../..', import.meta.url));
export const durationsFile = fileURLToPath(new URL('durations.json', import.meta.url));

/** Returns the recorded seconds by file. */
export function readDurations(): Readonly<Record<string, number>> {
  return existsSync(durationsFile) ? JSON.parse(readFileSync(durationsFile, 'utf8')) : {};
}

/**
 * Starts with the files that take longest: if they began last, only they would be running at the end.
 * `npm run test:durations` records the durations. A new file starts early, because its duration is unknown. With
 * `TEST_ORDER`, a number, the order is random, and the same for each number.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const durations = readDurations();
    const secondsOf = ({ moduleId }: TestSpecification) =>
      durations[relative(root, moduleId)] ?? Number.POSITIVE_INFINITY;
    const sorted = await super.sort(files);
    const seed = process.env.TEST_ORDER;
    if (seed !== undefined) return shuffled(sorted, randomNumbers(Number(seed)));
    return sorted.toSorted((one, other) => secondsOf(other) - secondsOf(one) || 0);
  }
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const places = new Map(items.map((item) => [item, random()]));
  return items.toSorted((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0));
}
