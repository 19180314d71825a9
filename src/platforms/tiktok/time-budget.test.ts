import { expect, it } from 'vitest';
import { createTimeBudget } from './time-budget.ts';

it('gives each request its own time, within the total', () => {
  let now = 0;
  const budget = createTimeBudget(() => 25_000 - now);
  expect([budget.remaining(), budget.step(7000)]).toEqual([23_000, 7000]);
  now += 20_000.5;
  expect(budget.step(7000)).toBe(2999);
  now += 5000;
  expect(budget.remaining()).toBe(0);
  expect(() => budget.step(7000)).toThrow(expect.objectContaining({ code: 'operation_timeout' }));
});
