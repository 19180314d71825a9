import { setImmediate as endOfTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { mapInSteps, runInTurns, runSoon, runSteps, type Steps } from './steps.ts';

let turn = 0;
let isCounting = true;

/** Counts the turns of the event loop. */
async function countTurns(): Promise<void> {
  while (isCounting) {
    await endOfTurn();
    turn += 1;
  }
}

beforeEach(() => {
  [turn, isCounting] = [0, true];
  void countTurns();
  // Each step takes a millisecond.
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 1;
    return now;
  });
});
afterEach(() => {
  isCounting = false;
  vi.restoreAllMocks();
});

/** Returns the turn in which each of its steps ran. */
function* noteTurns(count: number, turns: number[] = []): Steps<number[]> {
  for (let at = 0; at < count; at += 1) {
    turns.push(turn);
    yield undefined;
  }
  return turns;
}

/** Returns how many steps ran in each turn. */
function stepsByTurn(turns: readonly number[]): number[] {
  const counts = new Map<number, number>();
  for (const each of turns) counts.set(each, (counts.get(each) ?? 0) + 1);
  return [...counts.values()];
}

test('steps run for a few milliseconds in each turn of the event loop', async () => {
  const counts = stepsByTurn(await runInTurns(noteTurns(100)));
  expect(counts.length).toBeGreaterThan(20);
  expect(Math.max(...counts)).toBeLessThanOrEqual(4);
});

test('steps of several inputs never run in the same turn', async () => {
  const all = await Promise.all(Array.from({ length: 5 }, () => runInTurns(noteTurns(20))));
  const turns = all.map((each) => new Set(each));
  expect(turns.reduce((sum, { size }) => sum + size, 0)).toBe(new Set(all.flat()).size);
});

test('an aborted signal ends the work with its reason', async () => {
  const controller = new AbortController();
  const reason = new Error('no longer needed');
  const turns: number[] = [];
  const work = runInTurns(noteTurns(1000, turns), controller.signal);
  await endOfTurn();
  controller.abort(reason);
  await expect(work).rejects.toBe(reason);
  expect(turns.length).toBeLessThan(1000);
});

test('an error of a step rejects the work, and does not affect other work', async () => {
  const failure = new Error('invalid');
  function* fail(): Steps<never> {
    yield undefined;
    throw failure;
  }
  const other = runInTurns(noteTurns(10));
  await expect(runInTurns(fail())).rejects.toBe(failure);
  expect(await other).toHaveLength(10);
});

test('steps can run without a pause', () => {
  expect(runSteps(noteTurns(100))).toHaveLength(100);
});

test('work that may begin at once does, shares the rest of this turn, and continues in later ones', async () => {
  const short = runSoon(noteTurns(2));
  const long = runSoon(noteTurns(100));
  const [shortTurns, longTurns] = await Promise.all([short, long]);
  expect(shortTurns).toEqual([0, 0]);
  expect(Math.max(...stepsByTurn(longTurns))).toBeLessThanOrEqual(4);
  expect(longTurns).toHaveLength(100);
});

test('a list is mapped one element in each step', () => {
  const steps = mapInSteps(['a', 'b'], (element, index) => `${element}${index}`);
  expect(steps.next()).toEqual({ done: false, value: undefined });
  expect(runSteps(mapInSteps(['a', 'b'], (element, index) => `${element}${index}`))).toEqual(['a0', 'b1']);
});
