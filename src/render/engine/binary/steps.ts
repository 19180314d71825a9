/** Work that pauses after each step of a few milliseconds, so that its caller can do something else in between. */
export type Steps<Result> = Generator<undefined, Result, unknown>;

/** Number of iterations of a simple loop in one step. */
const blockSize = 65_536;

/**
 * Carries out a loop in steps.
 *
 * @param count - number of iterations.
 * @param work - carries out consecutive iterations; the end is exclusive.
 */
export function* inBlocks(count: number, work: (from: number, end: number) => void, size = blockSize): Steps<void> {
  for (let from = 0; from < count; from += size) {
    work(from, Math.min(count, from + size));
    yield undefined;
  }
}

/** Carries out all steps without a pause. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}
