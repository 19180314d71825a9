import { setImmediate } from 'node:timers/promises';

/**
 * Work on data from outside that pauses after each step, so that it never occupies the event loop for long. A step takes
 * a few milliseconds at most.
 */
export type Steps<Result> = Generator<undefined, Result, unknown>;

/** Milliseconds of steps in one turn of the event loop. */
const sliceTime = 4;
/** Number of iterations of a simple loop in one step. */
const blockSize = 8192;

/** The latest turn of the event loop that is taken. */
let lastTurn: Promise<unknown> = Promise.resolve();

/**
 * Begins a slice of work in a turn of the event loop that no other slice uses: several large inputs must not add up.
 * Returns a function that tells whether the slice has lasted long enough.
 *
 * @throws The signal's reason.
 */
export async function nextSlice(signal?: AbortSignal): Promise<() => boolean> {
  lastTurn = lastTurn.then(() => setImmediate());
  await lastTurn;
  signal?.throwIfAborted();
  return startSlice();
}

/** Begins a slice of work in this turn of the event loop. Returns a function that tells whether it has lasted long enough. */
export function startSlice(): () => boolean {
  const end = performance.now() + sliceTime;
  return () => performance.now() >= end;
}

/** When the work on arriving bytes in this turn has lasted long enough. Undefined before the first such work. */
let turnEnd: number | undefined;

/**
 * Whether the work on bytes that arrive has lasted long enough in this turn of the event loop, for all connections
 * together. Call it before each piece of that work. If it is over, continue after {@link nextSlice}.
 */
export function isTurnOver(): boolean {
  if (turnEnd !== undefined) return performance.now() >= turnEnd;
  turnEnd = performance.now() + sliceTime;
  void setImmediate().then(() => {
    turnEnd = undefined;
  });
  return false;
}

/**
 * Carries out all steps in slices of a few milliseconds. The event loop runs in between.
 *
 * @throws The error of a step; the signal's reason.
 */
export async function runInTurns<Result>(steps: Steps<Result>, signal?: AbortSignal): Promise<Result> {
  for (;;) {
    const isOver = await nextSlice(signal);
    do {
      const step = steps.next();
      if (step.done === true) return step.value;
    } while (!isOver());
  }
}

/**
 * Carries out all steps like {@link runInTurns}, but begins at once if there is time left in this turn: short work does
 * not wait for another turn. For work that a request causes ({@link isTurnOver}).
 *
 * @throws As runInTurns.
 */
export async function runSoon<Result>(steps: Steps<Result>, signal?: AbortSignal): Promise<Result> {
  while (!isTurnOver()) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
  return await runInTurns(steps, signal);
}

/** Carries out all steps without a pause. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** Maps the elements of a list, one in each step. */
export function* mapInSteps<Element, Mapped>(
  elements: readonly Element[],
  map: (element: Element, index: number) => Mapped,
): Steps<Mapped[]> {
  const mapped: Mapped[] = [];
  for (const [index, element] of elements.entries()) {
    mapped.push(map(element, index));
    yield undefined;
  }
  return mapped;
}

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
