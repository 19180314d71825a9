import { setImmediate as endOfTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFairTurns } from './fair-turns.ts';

beforeEach(async () => {
  // No turn of an earlier test is left.
  await endOfTurn();
  // Each look at the clock takes a millisecond.
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 1;
    return now;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

test('work must wait once a turn has lasted a few milliseconds, or if other work waits', async () => {
  const turns = createFairTurns();
  const asked = Array.from({ length: 5 }, () => turns.mustWait());
  expect(asked).toEqual([false, false, false, false, true]);
  await endOfTurn();
  const during: boolean[] = [];
  turns.wait(['a'], () => during.push(turns.mustWait()));
  turns.wait(['b'], () => during.push(turns.mustWait()));
  expect(turns.mustWait()).toBe(true);
  await endOfTurn();
  await endOfTurn();
  expect(during).toEqual([true, false]);
});

test('clients take turns, each with one piece of its work', async () => {
  const turns = createFairTurns();
  const done: string[] = [];
  const add = (client: string, work: string, more: readonly string[] = []) =>
    turns.wait([client], () => {
      done.push(work);
      const [next, ...rest] = more;
      if (next !== undefined) add(client, next, rest);
    });
  add('a', 'a1');
  add('a', 'a2', ['a4']);
  add('a', 'a3');
  add('b', 'b1', ['b2']);
  add('c', 'c1');
  while (done.length < 7) await endOfTurn();
  expect(done).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
});

test('the networks of a client take turns first, then the networks and clients within them', async () => {
  const turns = createFairTurns();
  const done: string[] = [];
  const add = (...client: string[]) => turns.wait(client, () => done.push(client.join(' in ')));
  for (const small of ['1', '2', '3']) {
    add(small, 'a', 'A');
    add(small, 'a', 'A');
  }
  add('4', 'b', 'A');
  add('5', 'c', 'B');
  add('6');
  while (done.length < 9) await endOfTurn();
  expect(done).toEqual([
    ...['1 in a in A', '5 in c in B', '6', '4 in b in A'],
    ...['2 in a in A', '3 in a in A', '1 in a in A', '2 in a in A', '3 in a in A'],
  ]);
});

test('waiting work is carried out for a few milliseconds in each turn of the event loop', async () => {
  const turns = createFairTurns();
  let turn = 0;
  const inTurn: number[] = [];
  for (let client = 0; client < 20; client += 1) turns.wait([client], () => inTurn.push(turn));
  for (; inTurn.length < 20; turn += 1) await endOfTurn();
  const counts = Array.from({ length: turn }, (_, at) => inTurn.filter((each) => each === at).length);
  expect(Math.max(...counts)).toBe(4);
});

test('what a piece of work does in promises counts', async () => {
  const turns = createFairTurns();
  let turn = 0;
  const inTurn: number[] = [];
  const work = async () => {
    await turns.next(['a']);
    await Promise.resolve();
    // Takes four milliseconds.
    for (let look = 0; look < 4; look += 1) performance.now();
    inTurn.push(turn);
  };
  const all = Promise.all(Array.from({ length: 5 }, work));
  for (; inTurn.length < 5; turn += 1) await endOfTurn();
  await all;
  expect(new Set(inTurn).size).toBe(5);
});

test('an error of one work does not keep the others from their turns', async () => {
  const turns = createFairTurns();
  const failure = Promise.withResolvers<unknown>();
  const others = process.rawListeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  process.once('uncaughtException', failure.resolve);
  turns.wait(['a'], () => {
    throw new Error('invalid');
  });
  const later = new Promise((resolve) => turns.wait(['b'], () => resolve('done')));
  expect(await failure.promise).toEqual(new Error('invalid'));
  for (const other of others) process.on('uncaughtException', other as () => void);
  expect(await later).toBe('done');
});
