import { expect, it } from 'vitest';
import { MillraceError } from '../../../contract/errors.ts';
import { fakeSite } from '../../testing/fake-site.ts';
import { defaultSite } from '../site.ts';
import { createTimeBudget } from '../time-budget.ts';
import { tryStrategies } from './strategies.ts';

const { context } = fakeSite(() => ({ body: '' }));
let pauses = 0;
const pause = () => {
  pauses += 1;
  return Promise.resolve();
};

/** Runs strategies that each fail after some milliseconds. Returns the number of calls. */
async function callsWith(milliseconds: number) {
  let now = 0;
  let count = 0;
  const strategy = () => {
    now += milliseconds;
    count += 1;
    return Promise.reject(new MillraceError('operation_timeout', `late ${count}`));
  };
  const lookup = { site: defaultSite, budget: createTimeBudget(() => 25_000 - now), pause };
  await expect(tryStrategies({ first: strategy, second: strategy }, lookup, context)).rejects.toMatchObject({
    message: 'late 1',
  });
  return count;
}

it('repeats all strategies while there is time, with a pause before each repetition', async () => {
  expect(await callsWith(1000)).toBe(6);
  expect(pauses).toBe(2);
  expect(await callsWith(5000)).toBe(4);
  expect(await callsWith(7000)).toBe(2);
  expect(pauses).toBe(3);
});

it('immediately propagates an error that does not come from the site', async () => {
  const lookup = { site: defaultSite, budget: createTimeBudget(context.timeLeft), pause };
  const bug = () => Promise.reject(new TypeError('a bug'));
  await expect(tryStrategies({ bug }, lookup, context)).rejects.toThrow(TypeError);
  const notFound = () => Promise.reject(new MillraceError('not_found', 'x'));
  await expect(tryStrategies({ notFound, bug }, lookup, context)).rejects.toMatchObject({ code: 'not_found' });
});

it('uses only the strategy that the context names', async () => {
  const lookup = { site: defaultSite, budget: createTimeBudget(context.timeLeft), pause };
  const chain = {
    first: () => Promise.reject(new Error('must not run')),
    second: () => Promise.resolve({ value: 'found' }),
  };
  const { value } = await tryStrategies(chain, lookup, { ...context, strategy: 'second' });
  expect(value).toBe('found');
});

it('reports a refusal that a second country could not confirm as retryable', async () => {
  const lookup = { site: defaultSite, budget: createTimeBudget(context.timeLeft), pause };
  const abroad = { ...context, countries: ['FR'] };
  const error = new MillraceError('unavailable', 'not here');
  const refusal = { error, elsewhere: true };
  let calls = 0;
  const brokenExit = () => {
    calls += 1;
    return calls === 1 ? Promise.resolve({ refusal }) : Promise.reject(new MillraceError('connection_error', 'down'));
  };
  await expect(tryStrategies({ brokenExit }, lookup, abroad)).rejects.toMatchObject({
    code: 'unavailable',
    retryable: true,
  });
  const confirmed = () => Promise.resolve({ refusal });
  await expect(tryStrategies({ confirmed }, lookup, abroad)).rejects.toBe(error);
  expect(error.retryable).toBe(false);
});
