import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Caller } from '../../contract/caller.ts';
import { createFairQueue } from './fair-queue.ts';

const caller = (key: string): Caller => ({ account: key.replace(/\/.*/s, ''), key });

/** Returns the items of a queue in the order of their turns. */
function orderOf(names: readonly string[], canTake?: (caller: Caller) => boolean): readonly string[] {
  const queue = createFairQueue<string>();
  for (const [index, name] of names.entries()) queue.add(caller(name), `${name} ${index}`);
  return Array.from({ length: names.length }, () => queue.next(canTake)).filter((item) => item !== undefined);
}

describe('the queue', () => {
  test('gives turns to accounts, and to the callers of an account', () => {
    expect(orderOf(['a', 'a', 'a', 'page/1', 'page/1', 'page/2', 'b'])).toEqual([
      'a 0',
      'page/1 3',
      'b 6',
      'a 1',
      'page/2 5',
      'a 2',
      'page/1 4',
    ]);
  });

  test('passes over callers that may not have a turn', () => {
    expect(orderOf(['a', 'page/1', 'b', 'page/1', 'a'], ({ account }) => account !== 'page')).toEqual([
      'a 0',
      'b 2',
      'a 4',
    ]);
  });

  test('knows how many turns come before the next item of a caller, and forgets callers without items', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'page/1', 'page/2', 'page/3');
    fc.assert(
      fc.property(fc.array(name, { maxLength: 60 }), fc.array(fc.nat(60)), name, (names, removed, late) => {
        const queue = createFairQueue<number>();
        for (const [index, each] of names.entries()) queue.add(caller(each), index);
        const left = new Set(names.keys());
        for (const index of removed) {
          const owner = names[index];
          if (owner === undefined) continue;
          queue.remove(caller(owner), index);
          left.delete(index);
        }
        expect(queue.size).toBe(left.size);
        const ahead = queue.ahead(caller(late));
        queue.add(caller(late), -1);
        const order = Array.from({ length: queue.size }, () => queue.next());
        expect(new Set(order)).toEqual(new Set([...left, -1]));
        // Which of the others are first in a round is open.
        expect(order.indexOf(-1)).toBeLessThanOrEqual(ahead);
        expect([queue.size, queue.next(), queue.ahead(caller(late))]).toEqual([0, undefined, 0]);
      }),
      { seed: 1 },
    );
  });
});
